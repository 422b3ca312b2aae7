// Why is it not clear on which cluster or bundle to evaluate, in words?

import type { SubjectChoice } from "../../expression/subjects.ts";
import { listed, quoted } from "../../text/words.ts";

const MAX_NAMED = 8;

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
