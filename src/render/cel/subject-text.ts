// Why is it not clear on which cluster or bundle to evaluate, in words?

import type { SubjectChoice } from "../../expression/subjects.ts";
import { listed, quoted } from "../../text/words.ts";

/** How many names a message lists. */
const MAX_NAMED = 8;

/** Why no subject was chosen, and what to do. */
export function noSubjectText(choice: Exclude<SubjectChoice, { kind: "chosen" }>, noun: "cluster" | "bundle"): string {
  const { kind, wanted, names } = choice;
  if (kind === "several" && wanted === undefined)
    return `there are ${names.length} ${noun}s; choose one with --${noun} NAME, or all with --all: ${listed(names, MAX_NAMED)}`;
  if (kind === "several") return `there are several ${noun}s ${quoted(wanted ?? "")}: ${listed(names, MAX_NAMED)}`;
  const none = `there is no ${noun} ${quoted(wanted)}`;
  if (choice.meant !== undefined) return `${none}; did you mean ${choice.meant}?`;
  if (names.length === 0) return `${none}; there is none at all`;
  return `${none}; there ${names.length === 1 ? "is" : "are"} ${listed(names, MAX_NAMED)}`;
}
