/** Answers of the server that come too late. */

/** The answer, or the refusal, if `current()` still holds when it comes; else it never arrives, and nobody is told. */
export async function unlessGone(answer, current) {
  try {
    const found = await answer;
    if (current()) return found;
  } catch (problem) {
    if (current()) throw problem;
  }
  return new Promise(() => {});
}
