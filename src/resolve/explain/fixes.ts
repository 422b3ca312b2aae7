// What would help? Whatever helps takes away at least one of the causes. So every change that could do that is tried; where
// it does not suffice, there are other causes, and a second change.

import { canonicalText, type Json } from "../../model/json.ts";
import type { Fix } from "../resolution.ts";
import type { Round } from "../round.ts";
import type { Change } from "../what-if.ts";
import type { Cause } from "./cause.ts";
import { changesFor, type Idea } from "./changes-for.ts";
import { fixOf } from "./fix-text.ts";
import { workFor } from "./inquiry.ts";
import { type Asked, tryChanges } from "./trial.ts";

/** More than three changes at once are no advice. */
const MOST_CHANGES = 3;
/** So many sets of changes are tried, and fewer where much runs or is asked for: then each takes longer. */
const MOST_TRIALS = 40;
const TRIALS_TIMES_SIZE = 20_000;
/** So much work all trials together may be: where a single one is hard, few are made. */
const MOST_WORK = 300_000;
const WORK_EACH = 1_000;
/** So many fixes are told. */
const MOST_FIXES = 5;

/** The least intrusive first. */
const ORDER: readonly Change["kind"][] = [
  "approve",
  "release",
  "partly",
  "limit",
  "ask",
  "instead",
  "hold",
  "compound-constraints",
  "ignore-unavailable",
  "without-constraint",
  "declare",
  "drop",
  "remove",
];

/** Changes that were tried, and why they do not suffice. */
interface Tried {
  readonly ideas: readonly Idea[];
  readonly causes: readonly Cause[];
  readonly round: Round;
}

/** The smallest changes that help. */
export function fixesFor(asked: Asked, causes: readonly Cause[]): readonly Fix[] {
  return asked.solution.round.encoding.universe.aside(() => findFixes(asked, causes));
}

function findFixes(asked: Asked, causes: readonly Cause[]): readonly Fix[] {
  const { solution, subject } = asked;
  let open: readonly Tried[] = [{ ideas: [], causes, round: solution.round }];
  const seen = new Set<string>();
  const { installed, elsewhere, requests } = solution.problem;
  const size = installed.length + elsewhere.length + requests.length + 1;
  const mostTrials = Math.min(MOST_TRIALS, Math.ceil(TRIALS_TIMES_SIZE / size));
  const work = workFor(solution, MOST_WORK + WORK_EACH * size);
  let trials = 0;
  for (let size = 1; size <= MOST_CHANGES; size++) {
    const helping = new Map<string, readonly Change[]>();
    const failing: Tried[] = [];
    for (const { ideas, causes: known, round } of open)
      for (const idea of known.flatMap((cause) => changesFor(cause, subject, round))) {
        // Of a fact that the cluster has only once, another value takes the place of the first.
        const all = [...ideas.filter(({ change }) => aimOf([change]) !== aimOf([idea.change])), idea];
        const key = keyOf(all.map(({ change }) => change));
        if (seen.has(key)) continue;
        if (
          trials >= mostTrials ||
          work.left < 0 ||
          solution.isLate() ||
          helping.has(aimOf(all.map(({ change }) => change)))
        )
          continue;
        seen.add(key);
        trials++;
        const outcome = tryChanges(asked, all, work);
        if (outcome.kind === "helps") helping.set(aimOf(outcome.changes), outcome.changes);
        else if (outcome.causes.length > 0) failing.push({ ideas: all, causes: outcome.causes, round: outcome.round });
      }
    if (helping.size > 0)
      return withoutVague([...helping.values()])
        .toSorted((a, b) => intrusion(a) - intrusion(b))
        .slice(0, MOST_FIXES)
        .map((changes) => fixOf(changes, solution.problem));
    open = failing;
  }
  return [];
}

function keyOf(changes: readonly Change[]): string {
  return changes
    .map((change) => canonicalText(change as unknown as Json))
    .sort()
    .join(" ");
}

/** That any channel would do is worth a word only if no channel is known that does. */
function withoutVague(all: readonly (readonly Change[])[]): readonly (readonly Change[])[] {
  const isVague = (change: Change): boolean =>
    change.kind === "instead" && change.wish.channel === undefined && change.wish.range === undefined;
  const named = all.filter((changes) => !changes.some(isVague));
  const packages = new Set(named.flat().flatMap((change) => (change.kind === "instead" ? [change.wish.package] : [])));
  const isNeeded = (change: Change): boolean =>
    !isVague(change) || change.kind !== "instead" || !packages.has(change.wish.package);
  return all.filter((changes) => changes.every(isNeeded));
}

/** Two versions of Kubernetes that would do are one piece of advice: the older one, which is tried first. */
function aimOf(changes: readonly Change[]): string {
  return keyOf(
    changes.map((change) =>
      change.kind === "declare" && change.property.type === "kubernetes.version"
        ? { ...change, property: { ...change.property, value: "" } }
        : change,
    ),
  );
}

function intrusion(changes: readonly Change[]): number {
  return Math.max(...changes.map(({ kind }) => ORDER.indexOf(kind)));
}
