// Who needs whom in an answer? For each demand of an operator, the one that meets it: the first that the operator prefers
// among those that are there.

import { outlineOf } from "../constraint/outline.ts";
import { sentence } from "../render/sentence/constraint.ts";
import { propertiesOf, type Self } from "./member.ts";
import type { Predicate } from "./predicate-key.ts";
import type { Round } from "./round.ts";
import type { Solution } from "./solution.ts";
import type { Leaf } from "./universe.ts";
import { type Provider, providersFor } from "./walk.ts";

/** One operator needs another. */
export interface Need {
  readonly requirer: Self;
  readonly provider: Self;
  readonly leaf: Leaf;
}

/** All needs within a namespace, wishes included. */
export function needsIn(solution: Solution): readonly Need[] {
  return [...solution.members].flatMap((member) => needsOf(solution, member, false));
}

/** What operators of other namespaces need of this one; where one of theirs, or the cluster, can serve, they do not. */
export function needsFromElsewhere(solution: Solution): readonly Need[] {
  return solution.problem.elsewhere.flatMap((operator) => needsOf(solution, operator, true));
}

function needsOf({ round, members }: Solution, requirer: Self, isElsewhere: boolean): readonly Need[] {
  const needs: Need[] = [];
  for (const leaf of round.encoding.universe.walkedLeavesOf(propertiesOf(requirer))) {
    const providers = providersFor(round, leaf, requirer);
    if (isElsewhere && providers.includes("fixed")) continue;
    const provider = providers.find((one) => one === "fixed" || members.has(one));
    if (provider === undefined || provider === "fixed" || provider === requirer) continue;
    needs.push({ requirer, provider, leaf });
  }
  return needs;
}

/** What operators of the namespace demand that a member of it meets, although each would turn to another provider first. */
export function sharedNeeds({ round, members }: Solution, provider: Self): readonly Need[] {
  return [...members].flatMap((requirer) =>
    requirer === provider
      ? []
      : round.encoding.universe.walkedLeavesOf(propertiesOf(requirer)).flatMap((leaf) => {
          const there = providersFor(round, leaf, requirer).filter((one) => one === "fixed" || members.has(one));
          return there.includes(provider) && there[0] !== provider && there[0] !== requirer
            ? [{ requirer, provider, leaf }]
            : [];
        }),
  );
}

/** Is there nobody else who could meet the demand, and may be chosen? */
export function isOnlyCandidate({ round }: Solution, { leaf, requirer }: Need): boolean {
  let count = 0;
  for (const one of providersFor(round, leaf, requirer)) {
    if (!mayBeThere(round, one)) continue;
    count++;
    if (count > 1) return false;
  }
  return true;
}

/** Can somebody be there at all, as far as that depends on nobody else? */
export function mayBeThere({ encoding }: Round, provider: Provider): boolean {
  return provider === "fixed" || !("bundle" in provider) || encoding.refusals.of(provider) === undefined;
}

/** Who is needed, in words: "an operator that provides Etcd (etcd.example.com/v1)". */
export function neededText({ leaf }: Need): string {
  return sentence(outlineOf(leaf.predicate.constraint));
}

/** So many APIs, and so many other demands, are named; the others are counted. */
const MOST_NAMED = 2;

/** What is needed in so few words that they fit behind "needed by X": "for APIs Etcd and Backup", "in range >=1.0.0". */
export function shortNeeds(needs: readonly Need[]): string {
  const constraints = needs.map(({ leaf }) => leaf.predicate.constraint);
  const kinds = new Set(constraints.flatMap((one) => (one.kind === "gvk" ? [cut(one.gvk.kind)] : [])));
  const others = new Set(constraints.flatMap((one) => (one.kind === "gvk" ? [] : [shortDemand(one)])));
  const parts = [
    ...(others.size === 0 ? [] : [counted([...others], "demand")]),
    ...(kinds.size === 0 ? [] : [`for ${kinds.size === 1 ? "API" : "APIs"} ${counted([...kinds], "API")}`]),
  ];
  return parts.join(" and ");
}

/** "Etcd", "Etcd and Backup", "Etcd, Backup and 2 more APIs". */
function counted(names: readonly string[], noun: string): string {
  const more = names.length - MOST_NAMED;
  if (more <= 0) return names.join(" and ");
  return `${names.slice(0, MOST_NAMED).join(", ")} and ${more} more ${noun}${more === 1 ? "" : "s"}`;
}

function shortDemand(constraint: Predicate["constraint"]): string {
  switch (constraint.kind) {
    case "package":
      return isAnyVersion(constraint.range.text) ? "at any version" : `in range ${cut(constraint.range.text)}`;
    case "label":
      return `for its label ${cut(constraint.label)}`;
    case "propertyEquals":
      return `for its property ${cut(constraint.name)}`;
    case "cel":
      return "for a CEL rule";
    default:
      return "for a compound rule";
  }
}

/** Texts of strangers are no longer than this in a table. */
const LONGEST = 60;

function cut(text: string): string {
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}

function isAnyVersion(range: string): boolean {
  return range === ">=0.0.0" || range === "*";
}
