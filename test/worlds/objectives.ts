// Which of two allowed answers is better? The table of docs/how-it-resolves.md, "The best answer", level by level.

import type { Constraint } from "../../src/constraint/constraint.ts";
import { compareText } from "../../src/model/json.ts";
import type { Objective, ObjectiveName } from "../../src/resolve/resolution.ts";
import type { BrokenRule, Judge } from "./judge.ts";
import { channelOrder, idOf, type Mask, type Participant, type Table } from "./table.ts";

/** One level: what is compared, the smaller the better, and what is reported. */
export interface Level {
  readonly name: ObjectiveName;
  /** Compared item by item; a list that ends first is smaller. `members` are the kept and the chosen. */
  key(members: Mask): readonly number[] | readonly string[];
  value(members: Mask): Objective["value"];
}

/** The levels in their order. */
export function levels(judge: Judge): readonly Level[] {
  const { table } = judge;
  const { compat, installOptional } = table.problem.options;
  const broken = compat ? [] : judge.brokenBefore();
  const running = (members: Mask): Mask => members | table.node | table.elsewhere;
  const all: Record<ObjectiveName, Level> = {
    subscriptions: {
      name: "subscriptions",
      key: (members) => [-satisfied(table, members), ...table.ranks(members).map((rank) => Number(rank < 0))],
      value: (members) => satisfied(table, members),
    },
    repaired: counted("repaired", (members) => stillBroken(broken, running(members))),
    updates: {
      name: "updates",
      key: (members) => [-moved(table, members)],
      value: (members) => moved(table, members),
    },
    candidates: listed("candidates", (members) => table.ranks(members).filter((rank) => rank >= 0)),
    additional: counted(
      "additional",
      (members) => table.in(members & ~table.wanted).filter(({ role }) => role === "bundle").length,
    ),
    optional: {
      name: "optional",
      key: (members) => [-optionalMet(judge, members, running(members))],
      value: (members) => optionalMet(judge, members, running(members)),
    },
    providers: listed("providers", (members) => providerWalk(table, members, running(members))),
    ids: listed("ids", (members) =>
      table
        .in(members)
        .flatMap(({ chosen }) => (chosen === undefined ? [] : [idOf(chosen)]))
        .sort(compareText),
    ),
  };
  const order: readonly ObjectiveName[] = compat
    ? ["subscriptions", "candidates", "providers", "additional", "ids"]
    : [
        "subscriptions",
        "repaired",
        "updates",
        "candidates",
        ...(installOptional ? SIZE.toReversed() : SIZE),
        "providers",
        "ids",
      ];
  return order.map((name) => all[name]);
}

const SIZE: readonly ObjectiveName[] = ["additional", "optional"];

/** Which key is smaller? */
export function compareKeys(a: readonly (number | string)[], b: readonly (number | string)[]): number {
  for (const [position, item] of a.entries()) {
    const other = b[position];
    if (other === undefined) return 1;
    if (item !== other) return item < other ? -1 : 1;
  }
  return a.length - b.length;
}

function counted(name: ObjectiveName, count: (members: Mask) => number): Level {
  return { name, key: (members) => [count(members)], value: count };
}

function listed(name: ObjectiveName, list: (members: Mask) => readonly number[] | readonly string[]): Level {
  return { name, key: list, value: list };
}

function satisfied(table: Table, members: Mask): number {
  return table.ranks(members).filter((rank) => rank >= 0).length;
}

function moved(table: Table, members: Mask): number {
  return table.in(table.installed & ~members).length;
}

function stillBroken(rules: readonly BrokenRule[], running: Mask): number {
  return rules.filter((rule) => rule(running)).length;
}

/** With `installOptional` only the optional requirements of members count that are there anyway. */
function optionalMet(judge: Judge, members: Mask, running: Mask): number {
  const { installOptional } = judge.table.problem.options;
  return judge.table
    .in(installOptional ? members & (judge.table.wanted | judge.table.installed) : members)
    .flatMap((participant) =>
      judge.table
        .demandsOf(participant)
        .requirements.filter(({ optional, constraint }) => optional && judge.holds(constraint, running, participant)),
    ).length;
}

/** The sequence of the walk from the requests along what is required. */
function providerWalk(table: Table, members: Mask, running: Mask): readonly number[] {
  const { compat } = table.problem.options;
  const sequence: number[] = [];
  const queue: Participant[] = [];
  const put = (participant: Participant): void => {
    if (!queue.includes(participant)) queue.push(participant);
  };
  for (const [position, rank] of table.ranks(members).entries())
    if (rank >= 0) put(table.in(table.ladders[position]?.[rank] as Mask)[0] as Participant);
  for (const participant of queue) {
    const { requirements } = table.demandsOf(participant);
    const required = requirements.filter(({ optional }) => !optional);
    const optional = compat ? [] : requirements.filter(({ optional }) => optional);
    for (const leaf of [...required, ...optional].flatMap(({ constraint }) => positiveLeaves(constraint))) {
      const matching = leaf.byOthers
        ? table.matching(leaf.constraint) & ~participant.bit
        : table.matching(leaf.constraint);
      const providers = providerOrder(table, participant).filter(({ bit }) => (bit & matching) !== 0);
      const present = providers.filter(({ bit }) => (bit & running) !== 0);
      if (compat && present.some((one) => one.role !== "bundle" || queue.includes(one))) continue;
      const first = present[0];
      sequence.push(first === undefined ? providers.length : providers.indexOf(first));
      if (first?.role === "installed" || first?.role === "bundle") put(first);
    }
  }
  return sequence;
}

/** Those that are not beneath an odd number of `none`; beneath any, the requirer itself does not count. */
function positiveLeaves(
  constraint: Constraint,
  nones = 0,
): readonly { readonly constraint: Constraint; readonly byOthers: boolean }[] {
  if (!("scope" in constraint) || constraint.scope === "bundle")
    return nones % 2 === 0 ? [{ constraint, byOthers: nones > 0 }] : [];
  return constraint.constraints.flatMap((child) => positiveLeaves(child, nones + Number(constraint.kind === "none")));
}

/** All participants, in the order in which they are offered to a member's requirements. */
function providerOrder(table: Table, requirer: Participant): readonly Participant[] {
  const byName = (a: Participant, b: Participant): number =>
    compareText(a.installed?.namespace ?? "", b.installed?.namespace ?? "") ||
    compareText(a.installed?.name ?? "", b.installed?.name ?? "");
  const chained = table.catalogOrder(requirer).flatMap((catalog) =>
    channelOrder(catalog)
      .flatMap(({ chain }) => chain)
      .flatMap(({ bundle }) => (bundle === undefined ? [] : table.in(table.bundles([{ catalog, bundle }])))),
  );
  const others = table.participants
    .flatMap((participant) => (participant.chosen === undefined ? [] : [{ participant, id: idOf(participant.chosen) }]))
    .sort((a, b) => compareText(a.id, b.id))
    .map(({ participant }) => participant);
  return [
    ...new Set([
      ...table.in(table.node),
      ...table.in(table.installed).toSorted(byName),
      ...table.in(table.elsewhere).toSorted(byName),
      ...chained,
      ...others,
    ]),
  ];
}
