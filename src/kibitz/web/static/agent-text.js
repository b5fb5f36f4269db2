/** An agent's text taken apart: `engine:level=3,seed=1`. */
export function apart(text) {
  const [name, ...rest] = text.split(":");
  const pairs = rest.join(":").split(",").filter(Boolean).map((part) => part.split("="));
  return { name, options: Object.fromEntries(pairs) };
}
