// Which of the things that a plan depends on are not as they were? Things of one kind and name are held against each other;
// where they stand, and in which order, does not matter.

import type { InputKind, LockDifference, LockedInput } from "../../model/lock.ts";

/** What is new, gone or changed, in the order of kinds and names. */
export function inputDifferences(locked: readonly LockedInput[], now: readonly LockedInput[]): LockDifference[] {
  const groups = new Map<string, Group>();
  for (const one of withoutRenumbered(locked, now)) groupOf(groups, one).locked.push(one);
  for (const one of withoutRenumbered(now, locked)) groupOf(groups, one).now.push(one);
  return [...groups.values()].flatMap(groupDifferences);
}

/** A constraint is the same whatever its number: the others may have come before it, or gone. */
function withoutRenumbered(inputs: readonly LockedInput[], others: readonly LockedInput[]): readonly LockedInput[] {
  const isConstraint = ({ kind }: LockedInput): boolean => kind === "constraint";
  const left = new Set(without(inputs.filter(isConstraint), others.filter(isConstraint)));
  return inputs.filter((one) => !isConstraint(one) || left.has(one));
}

/** All inputs of one kind and name. */
interface Group {
  readonly locked: LockedInput[];
  readonly now: LockedInput[];
}

function groupOf(groups: Map<string, Group>, { kind, subject }: LockedInput): Group {
  const key = JSON.stringify([kind, subject]);
  const known = groups.get(key);
  if (known !== undefined) return known;
  const group: Group = { locked: [], now: [] };
  groups.set(key, group);
  return group;
}

function groupDifferences({ locked, now }: Group): readonly LockDifference[] {
  const gone = without(locked, now);
  const come = without(now, locked);
  const [before] = gone;
  const [after] = come;
  if (before !== undefined && after !== undefined && gone.length === 1 && come.length === 1)
    return [difference(before, changedText(before, after))];
  return [
    ...gone.map((one) => difference(one, `${nounOf(one)} is gone${shown(one)}`)),
    ...come.map((one) => difference(one, `${nounOf(one)} is new${shown(one)}`)),
  ];
}

/** The inputs that have no counterpart among others; of equal ones each needs its own. */
function without(inputs: readonly LockedInput[], others: readonly LockedInput[]): readonly LockedInput[] {
  const left = new Map<string, number>();
  for (const other of others) left.set(contentOf(other), (left.get(contentOf(other)) ?? 0) + 1);
  return inputs.filter((one) => {
    const count = left.get(contentOf(one)) ?? 0;
    if (count > 0) left.set(contentOf(one), count - 1);
    return count === 0;
  });
}

function contentOf({ value, digest }: LockedInput): string {
  return JSON.stringify([digest, value ?? null]);
}

function difference({ kind, subject }: LockedInput, text: string): LockDifference {
  return { kind, subject, text };
}

function changedText(before: LockedInput, after: LockedInput): string {
  const noun = nounOf(before);
  const isOther = before.value !== after.value;
  if (before.kind === "catalog") {
    const parts = [
      ...(before.digest === after.digest ? [] : ["has other content"]),
      ...(isOther ? [`had ${before.value ?? "no priority"} and has ${after.value ?? "none"}`] : []),
    ];
    return `${noun} ${parts.join(", and ")}`;
  }
  if (before.kind === "installed" || before.kind === "elsewhere") {
    const [was, is] = [splitHold(before), splitHold(after)];
    if (was.known === is.known && was.hold === "" && is.hold !== "") return `${noun} is now ${is.hold}`;
    if (was.known === is.known && was.hold !== "" && is.hold === "") return `${noun} is no longer ${was.hold}`;
  }
  if (!isOther) return `${noun} is not the same as it was${shown(before)}`;
  return `${noun} was ${before.value ?? "nothing"} and is ${after.value ?? "nothing"}`;
}

/** What is known of an operator in short, and what it is held by; both may be empty. */
function splitHold({ value = "" }: LockedInput): { readonly known: string; readonly hold: string } {
  const start = value.search(/(^|, )held \(/);
  if (start < 0) return { known: value, hold: "" };
  return { known: value.slice(0, start), hold: value.slice(start).replace(/^, /, "") };
}

function shown({ kind, value }: LockedInput): string {
  return value === undefined || kind === "catalog" ? "" : `: ${value}`;
}

const NOUNS: Readonly<Record<InputKind, (subject: string) => string>> = {
  catalog: (name) => `catalog ${name}`,
  unavailable: (name) => `the unavailable catalog ${name}`,
  constraint: (number) =>
    /^\d+$/.test(number)
      ? `the administrator's constraint ${number}`
      : `what is wrong with the administrator's constraints (${number})`,
  fact: (type) => `the cluster's ${type}`,
  request: (id) => `the request ${id}`,
  claim: (id) => `the operator of the request ${id}`,
  installed: (name) => `the operator ${name}`,
  elsewhere: (name) => `the operator ${name} of another namespace`,
  definition: (name) => `the CustomResourceDefinition ${name}`,
  orphan: (api) => `the API ${api} without an operator`,
  targets: (namespace) => `what operators of ${namespace} work for`,
  removed: (name) => `the removal of ${name}`,
  option: (name) => `the option ${name}`,
  target: (name) => `the target for ${name}`,
};

function nounOf({ kind, subject }: LockedInput): string {
  return NOUNS[kind](subject);
}
