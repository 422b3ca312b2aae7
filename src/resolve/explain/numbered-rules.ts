// What do the causes state, with members as numbers? The starting point of the deduction.

import { getOrAdd, groupedBy, groupedByAll } from "../../model/grouped.ts";
import { CLUSTER_SCOPE, type Request } from "../../model/problem.ts";
import { excludedBy } from "../../rule/shape/at-most-one.ts";
import { type Excludes, otherSide } from "../../rule/shape/clauses.ts";
import { type Condition, conditionsOf } from "../../rule/shape/conditions.ts";
import { eitherKeptOrMoved } from "../../rule/shape/stay-or-move.ts";
import { type Operator, packageOf } from "../member.ts";
import type { Cause, Matches } from "./cause.ts";

/** A set of members, interned. */
export interface NumberedSet {
  readonly members: readonly number[];
  /** The packages of its members, joined. */
  readonly packages: string;
}

/** A condition of a member, with the indexes of its causes. */
export interface NumberedCondition {
  readonly kind: Condition<Operator>["kind"];
  readonly owner: number;
  readonly set: NumberedSet;
  readonly causes: readonly number[];
}

/** Members that exclude each other. */
export interface Group {
  readonly cause: number;
  readonly members: ReadonlySet<number>;
  /** The members excluded by all of the given ones. */
  readonly excludes: Excludes;
}

/** A statement of causes, by their indexes; without a cause it is trivial. */
export interface Given {
  readonly kind: "one-of" | "none-of";
  readonly members: readonly number[];
  readonly causes: readonly number[];
}

/** The causes with their members numbered. */
export interface NumberedRules {
  readonly members: readonly Operator[];
  readonly given: readonly Given[];
  /** By the number of the requiring member. */
  readonly conditions: ReadonlyMap<number, readonly NumberedCondition[]>;
  /** By the number of the cause. */
  readonly conditionsByCause: ReadonlyMap<number, readonly NumberedCondition[]>;
  /** By the number of a member. */
  readonly groupsOf: ReadonlyMap<number, readonly Group[]>;
}

/** Rules about members that exclude each other; none of them requires a member. */
const SIMPLE: ReadonlySet<Cause["kind"]> = new Set(["one-bundle", "one-provider", "unserved"]);

type NumberOf = (self: Operator) => number;

/** Numbers the members of causes and collects what the causes state. */
export function numberedRules(causes: readonly Cause[], matches: Matches): NumberedRules {
  const members: Operator[] = [];
  const numbers = new Map<Operator, number>();
  const numberOf = (self: Operator): number => getOrAdd(numbers, self, () => members.push(self) - 1);
  const given = causes.flatMap((cause, number) => givenBy(cause, number, numberOf));
  const conditionsByCause = readConditions(causes, matches, numberOf);
  const all = [...conditionsByCause.values()].flat();
  const positive = new Set(given.filter(({ kind }) => kind === "one-of").flatMap((one) => one.members));
  for (const set of new Set(all.flatMap((one) => (one.kind === "some" ? [one.set] : []))))
    for (const member of set.members) positive.add(member);
  const conditions = groupedBy(all, ({ owner }) => owner);
  for (const owner of conditions.keys())
    if (isElsewhere(members[owner] as Operator, causes) && !positive.has(owner))
      given.push({ kind: "one-of", members: [owner], causes: [] });
  const groups = causes.flatMap((cause, number) => groupOf(cause, number, numberOf) ?? []);
  // "Only one may run" is easier to follow than "this one stays".
  const simple = groups.filter(({ cause }) => SIMPLE.has((causes[cause] as Cause).kind));
  const others = groups.filter((one) => !simple.includes(one));
  const groupsOf = groupedByAll([...simple, ...others], (group) => group.members);
  return { members, given, conditions, conditionsByCause, groupsOf };
}

function givenBy(cause: Cause, number: number, numberOf: NumberOf): readonly Given[] {
  const given = (kind: Given["kind"], members: readonly Operator[]): Given => ({
    kind,
    members: [...new Set(members.map(numberOf))],
    causes: [number],
  });
  switch (cause.kind) {
    case "wanted":
      return [given("one-of", cause.members)];
    case "stays":
      return [given("one-of", [cause.installed])];
    case "stay-or-move":
      return [given("one-of", [cause.installed, ...cause.targets])];
    case "refusal":
      return [
        given(
          "none-of",
          cause.refused.map(({ member }) => member),
        ),
      ];
    default:
      return [];
  }
}

function readConditions(
  causes: readonly Cause[],
  matches: Matches,
  numberOf: NumberOf,
): ReadonlyMap<number, readonly NumberedCondition[]> {
  const away = causes.findIndex(({ kind }) => kind === "unavailable");
  const sets = new Map<string, NumberedSet>();
  const seen = new WeakMap<readonly Operator[], NumberedSet>();
  const setOf = (list: readonly Operator[]): NumberedSet =>
    getOrAdd(seen, list, () => {
      const numbers = list.map(numberOf);
      return getOrAdd(sets, numbers.join(), () => ({ members: numbers, packages: packagesOf(list) }));
    });
  const read = new Map<number, readonly NumberedCondition[]>();
  for (const [number, cause] of causes.entries()) {
    if (cause.kind !== "demand") continue;
    const conditions = cause.demands.flatMap((demand) => {
      const owner = numberOf(demand.member);
      return (conditionsOf(demand.requirement.constraint, demand.member, matches, away !== -1) ?? []).map(
        ({ kind, members: list, isDoubtful }) => ({
          kind,
          owner,
          set: setOf(list),
          causes: isDoubtful ? [number, away] : [number],
        }),
      );
    });
    read.set(number, conditions);
  }
  return read;
}

function packagesOf(members: readonly Operator[]): string {
  const names = new Set(members.map((member) => packageOf(member) ?? ""));
  return JSON.stringify([...names].sort());
}

/** The exclusions of a cause about several members. */
function groupOf(cause: Cause, number: number, numberOf: NumberOf): Group | undefined {
  const group = (members: Iterable<number>, excludes: Excludes): Group => ({
    cause: number,
    members: new Set(members),
    excludes,
  });
  switch (cause.kind) {
    case "stays":
    case "stay-or-move": {
      const [kept, targets] = [numberOf(cause.installed), cause.targets.map(numberOf)];
      return group([kept, ...targets], eitherKeptOrMoved(kept, targets));
    }
    case "one-bundle":
    case "one-provider": {
      const runs = new Map(cause.members.map((member) => [numberOf(member), !("bundle" in member)]));
      return group(runs.keys(), excludedBy(runs, cause.isRepair));
    }
    case "unserved": {
      const [users, definers] = [new Set(cause.users.map(numberOf)), new Set(cause.definers.map(numberOf))];
      return group([...users, ...definers], otherSide(users, definers));
    }
    default:
      return undefined;
  }
}

/** The namespace of a request is the first part of its id; that of a ClusterExtension is its name. */
function namespaceOf({ id, extension }: Request): string {
  return extension === undefined ? id.slice(0, id.indexOf("/")) : CLUSTER_SCOPE;
}

/**
 * Is it an operator of another namespace, which is always present? All other members matter only if they
 * are wanted, kept or required.
 */
function isElsewhere(self: Operator, causes: readonly Cause[]): boolean {
  if ("bundle" in self) return false;
  return causes.every((cause) => {
    if (cause.kind === "stays" || cause.kind === "stay-or-move") return cause.installed.namespace !== self.namespace;
    return cause.kind !== "wanted" || cause.request === undefined || namespaceOf(cause.request) !== self.namespace;
  });
}
