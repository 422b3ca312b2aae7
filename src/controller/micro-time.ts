// How does Kubernetes write a time? As RFC 3339 in UTC: in whole seconds, or, as its type MicroTime, with exactly six decimals.

/** The time of a wall clock in milliseconds, and up to 999 microseconds that it does not know itself. */
export function microTime(milliseconds: number, microseconds = 0): string {
  return new Date(milliseconds).toISOString().replace("Z", `${String(microseconds).padStart(3, "0")}Z`);
}

/** The time of a wall clock in milliseconds, in whole seconds: Kubernetes' type Time. */
export function plainTime(milliseconds: number): string {
  return `${new Date(milliseconds).toISOString().slice(0, 19)}Z`;
}
