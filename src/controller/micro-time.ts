// How does Kubernetes write a time with microseconds? As RFC 3339 in UTC, with exactly six decimals: its type MicroTime.

/** The time of a wall clock in milliseconds, and up to 999 microseconds that it does not know itself. */
export function microTime(milliseconds: number, microseconds = 0): string {
  return new Date(milliseconds).toISOString().replace("Z", `${String(microseconds).padStart(3, "0")}Z`);
}
