// The messages when no Placement matches the arguments, and when input was not read.

import { printPlace } from "../../model/place.ts";
import type { NoChoice } from "../../placement/choose-placements.ts";
import type { UnreadInput } from "../../placement/missing-input.ts";
import { placementKey } from "../../placement/placement-name.ts";
import { listed, quoted } from "../../text/words.ts";
import { byKind, byTag } from "../kit/by-kind.ts";

const MAX_NAMED = 8;

const MAX_LENGTH = 80;

export const noChoiceText: (choice: NoChoice) => string = byKind({
  rejected: (choice) => `${choice.of} ${choice.name} is invalid; fix it first.`,
  unread: (choice) => {
    const what =
      choice.name === undefined ? `a Placement in namespace ${choice.namespace}` : `${choice.of} ${choice.name}`;
    return `${what} was not found, and may be in input that could not be read (${printPlace(choice.place)}); fix it first.`;
  },
  none: (choice) =>
    choice.mayBeUnread
      ? "no Placement could be read; fix the input."
      : "the input has no Placement; give the file that contains it with -f, or read a hub with --live.",
  ambiguous: (choice) =>
    `there are several Placements ${quoted(choice.name, MAX_LENGTH)}: ${namesText(choice.keys)}; write NAMESPACE/NAME.`,
  "unknown-namespace": (choice) => {
    const meant = choice.meant === undefined ? "" : ` Did you mean ${choice.meant}?`;
    return `namespace ${quoted(choice.name, MAX_LENGTH)} has no Placements.${meant} There are some in ${namesText(choice.known)}.`;
  },
  "unknown-placement": (choice) => {
    const where = choice.namespace === undefined ? "" : ` in namespace ${quoted(choice.namespace, MAX_LENGTH)}`;
    const meant = choice.meant === undefined ? "." : `; did you mean ${choice.meant}?`;
    return `there is no Placement ${quoted(choice.name, MAX_LENGTH)}${where}${meant} ${thereAre(choice.known)}`;
  },
  "unknown-cluster": (choice) => {
    const none = `there is no cluster ${quoted(choice.name, MAX_LENGTH)}`;
    if (choice.known.length === 0) return `${none}: there is no ManagedCluster at all.`;
    return choice.meant === undefined ? `${none}. ${thereAre(choice.known)}` : `${none}; did you mean ${choice.meant}?`;
  },
});

function thereAre(names: readonly string[]): string {
  return `There ${names.length === 1 ? "is" : "are"} ${namesText(names)}.`;
}

/** The first few names, and how many more there are. */
export function namesText(names: readonly string[]): string {
  return listed(names, MAX_NAMED);
}

export const unreadInputText: (unread: UnreadInput) => string = byTag("type", {
  source: ({ isWhole, source }) => `${isWhole ? "" : "a part of "}${source}`,
  unnamed: ({ kind, source }) => `${kind === undefined ? "an object" : `a ${kind}`} of ${source}`,
  object: ({ kind, namespace, name }) =>
    `${kind} ${namespace === undefined ? name : placementKey({ namespace, name })}`,
});
