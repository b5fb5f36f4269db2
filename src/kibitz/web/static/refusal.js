/** What went wrong, as the server names it. */
export class Refusal extends Error {
  constructor({ error, message }) {
    super(message);
    this.kind = error;
  }
}
