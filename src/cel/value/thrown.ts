// What does something say that was thrown?

/** Its message, or the thing itself in words. Anything can be thrown, also what cannot be written. */
export function reasonOf(thrown: unknown): string {
  try {
    return thrown instanceof Error ? String(thrown.message) : String(thrown);
  } catch {
    return "something was thrown that cannot be written";
  }
}
