// Which inputs of a plan have changed? Inputs of the same kind and name are compared; their order and place do not
// matter.

import { getOrAdd } from "../../model/grouped.ts";
import type { InputDifference, LockedInput } from "../../model/lock.ts";

/** New, removed and changed inputs, by kind and name. */
export function inputDifferences(locked: readonly LockedInput[], now: readonly LockedInput[]): InputDifference[] {
  const groups = new Map<string, Group>();
  for (const one of withoutRenumbered(locked, now)) groupOf(groups, one).locked.push(one);
  for (const one of withoutRenumbered(now, locked)) groupOf(groups, one).now.push(one);
  return [...groups.values()].flatMap(groupDifferences);
}

/** The number of a constraint does not matter: others may have been added or removed before it. */
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
  return getOrAdd(groups, JSON.stringify([kind, subject]), () => ({ locked: [], now: [] }));
}

function groupDifferences({ locked, now }: Group): readonly InputDifference[] {
  const gone = without(locked, now);
  const come = without(now, locked);
  const [was] = gone;
  const [is] = come;
  if (was !== undefined && is !== undefined && gone.length === 1 && come.length === 1) return [changed(was, is)];
  return [
    ...gone.map((one) => ({ kind: one.kind, subject: one.subject, was: one })),
    ...come.map((one) => ({ kind: one.kind, subject: one.subject, is: one })),
  ];
}

/** The inputs that have no counterpart among others; equal ones are matched one to one. */
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

function changed(was: LockedInput, is: LockedInput): InputDifference {
  const { kind, subject } = was;
  const difference = { kind, subject, was, is };
  if (kind !== "installed" && kind !== "elsewhere") return difference;
  const [before, after] = [partsOf(was), partsOf(is)];
  if (before.known !== after.known || (before.hold === "") === (after.hold === "")) return difference;
  return { ...difference, hold: { isNew: before.hold === "", text: `${before.hold}${after.hold}` } };
}

/** The value of an operator as `inputs.ts` writes it: its description and its hold; both may be empty. */
function partsOf({ value = "" }: LockedInput): { readonly known: string; readonly hold: string } {
  const start = value.search(/(^|, )held \(/);
  if (start < 0) return { known: value, hold: "" };
  return { known: value.slice(0, start), hold: value.slice(start).replace(/^, /, "") };
}
