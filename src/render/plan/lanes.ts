// Which path does each operator take? A lane for each operator that moves or could move: its current version, all its moves,
// and what prevents further ones.

import { addTo } from "../../model/grouped.ts";
import { compareText } from "../../model/json.ts";
import type { OperatorRef } from "../../model/operator-ref.ts";
import type { OperatorChange, Orphan, Plan, Step } from "../../plan/plan.ts";
import type { HeldBack, PackageChange, Unsatisfied } from "../../resolve/resolution.ts";
import { heldBackOnly } from "../resolve/sections.ts";
import { isRename, openEnd } from "./shown.ts";

export interface Move {
  readonly generation: number;
  readonly step: Step;
  readonly change: OperatorChange;
  /** A plain single update: of many in a row, only the first and the last need to be shown. */
  readonly isOrdinary: boolean;
}

/** What prevents an operator from being updated further, or from being installed. */
export type LaneEnd =
  | { readonly kind: "held-back"; readonly item: HeldBack }
  | { readonly kind: "waiting"; readonly change: PackageChange }
  | { readonly kind: "refused"; readonly item: Unsatisfied }
  /** It makes room for another operator. */
  | { readonly kind: "gives-way"; readonly move: Move }
  /** It came as a dependency, and nothing needs it any more, or only another orphan. */
  | { readonly kind: "orphan"; readonly orphan: Orphan };

export interface Lane {
  readonly namespace: string;
  /** Its package, as known at the end of the plan. */
  readonly package: string;
  /** What runs now; undefined for a newly installed operator. */
  readonly start: OperatorRef | undefined;
  readonly moves: readonly Move[];
  readonly end: LaneEnd | undefined;
}

interface OpenLane {
  package: string;
  readonly start: OperatorRef | undefined;
  readonly moves: Move[];
  end: LaneEnd | undefined;
}

/** The lanes of operators that move, could move, or are orphans; those that move together are adjacent. */
export function lanesOf(plan: Plan): readonly Lane[] {
  const lanes = movingLanes(plan);
  addEnds(lanes, plan);
  const groups = groupsOf(lanes);
  const inOrder = (a: OpenLane, b: OpenLane): number =>
    compareText(groups.get(a) as string, groups.get(b) as string) || compareText(keyOf(a), keyOf(b));
  return lanes.toSorted(inOrder).map((lane) => ({ ...lane, namespace: plan.namespace }));
}

function movingLanes({ generations }: Plan): OpenLane[] {
  const lanes: OpenLane[] = [];
  const byName = new Map<string, OpenLane>();
  const open = (name: string, start: OperatorRef | undefined): OpenLane => {
    const known = start === undefined ? undefined : byName.get(start.name);
    const lane = known ?? { package: name, start, moves: [], end: undefined };
    if (known === undefined) lanes.push(lane);
    if (start !== undefined) byName.delete(start.name);
    return lane;
  };
  for (const { number, steps } of generations)
    for (const step of steps)
      for (const change of step.changes) {
        const lane = open(change.package, change.from);
        const move = { generation: number, step, change, isOrdinary: isOrdinary(change, step) };
        lane.package = change.package;
        lane.moves.push(move);
        if (change.to !== undefined) byName.set(change.to.name, lane);
        for (const other of change.alsoFrom) open(other.package ?? other.name, other).end = { kind: "gives-way", move };
      }
  return lanes;
}

/** It is updated alone, within its package, and no stored objects have to be migrated. */
function isOrdinary(change: OperatorChange, step: Step): boolean {
  const { from, to, alsoFrom } = change;
  if (from === undefined || to === undefined || alsoFrom.length > 0) return false;
  return step.changes.length === 1 && !isRename(change) && !hasMigration({ step });
}

/** Are stored objects migrated during the move? */
export function hasMigration({ step }: Pick<Move, "step">): boolean {
  return step.migrations.length > 0;
}

/** Adds to the lanes what prevents further updates; an operator that does not move at all gets a lane for it. */
function addEnds(lanes: OpenLane[], plan: Plan): void {
  const byName = new Map(lanes.flatMap((lane) => namesOf(lane).map((name) => [name, lane])));
  const byPackage = new Map(lanes.map((lane) => [lane.package, lane]));
  const running = new Map([...plan.before, ...plan.after].map((one) => [one.name, one]));
  const put = (name: string, at: string | undefined, end: LaneEnd): void => {
    const lane = byName.get(at ?? "") ?? byPackage.get(name);
    if (lane !== undefined) {
      lane.end ??= end;
      return;
    }
    const still: OpenLane = { package: name, start: running.get(at ?? ""), moves: [], end };
    lanes.push(still);
    byPackage.set(name, still);
  };
  const open = openEnd(plan);
  for (const item of heldBackOnly(open)) put(item.package, item.name, { kind: "held-back", item });
  for (const { changes } of open.pendingApproval)
    for (const change of changes) put(change.package, change.from?.name, { kind: "waiting", change });
  for (const item of open.unsatisfied) put(item.request.package, undefined, { kind: "refused", item });
  for (const orphan of orphansLeft(plan)) put(orphan.package, orphan.name, { kind: "orphan", orphan });
}

/** Orphans that the plan does not remove; they are not on the way to a target. */
export function orphansLeft({ target, orphans, generations }: Plan): readonly Orphan[] {
  const changes = generations.flatMap(({ steps }) => steps.flatMap((step) => step.changes));
  const removed = new Set(changes.filter(({ to }) => to === undefined).map(({ from }) => from?.name));
  return target === undefined ? orphans.filter(({ name }) => !removed.has(name)) : [];
}

function namesOf({ start, moves }: OpenLane): readonly string[] {
  return [start?.name, ...moves.map(({ change }) => change.to?.name)].filter((name) => name !== undefined);
}

function keyOf({ package: name, start, moves }: OpenLane): string {
  return `${name}\n${start?.name ?? ""}\n${moves[0]?.generation ?? ""}`;
}

/** The first name of the lanes that each lane is connected to by joint steps, directly or indirectly. */
function groupsOf(lanes: readonly OpenLane[]): ReadonlyMap<OpenLane, string> {
  const inStep = new Map<Step, OpenLane[]>();
  for (const lane of lanes) for (const { step } of lane.moves) addTo(inStep, step, lane);
  const groups = new Map<OpenLane, string>();
  for (const first of lanes.toSorted((a, b) => compareText(keyOf(a), keyOf(b)))) {
    const waiting = groups.has(first) ? [] : [first];
    for (let lane = waiting.pop(); lane !== undefined; lane = waiting.pop()) {
      if (groups.has(lane)) continue;
      groups.set(lane, keyOf(first));
      for (const { step } of lane.moves) waiting.push(...(inStep.get(step) ?? []));
    }
  }
  return groups;
}
