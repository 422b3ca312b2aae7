// Which tests are not expected to pass, because they need a protobuf message?
import type { Case } from "./case.ts";
import waived from "./waivers.json" with { type: "json" };

/** The key of a test → the full name of the message, enum or extension that it needs. */
export type Waivers = Readonly<Record<string, string>>;

/** The waivers that hold. */
export const waivers: Waivers = waived;

/** What is wrong with the waivers themselves: each must be of a test, and name a message that is in the test. */
export function mistakesInWaivers(table: Waivers, cases: readonly Case[]): readonly string[] {
  const byKey = new Map(cases.map((test) => [test.key, test]));
  return Object.entries(table).flatMap(([key, message]) => {
    const test = byKey.get(key);
    if (test === undefined) return [`${key}: unknown test`];
    return test.needs.some(({ name }) => name === message) ? [] : [`${key}: has no ${message || "message"}`];
  });
}
