// What is the state of a cluster after changes are applied step by step? Each step with its migrations, and the final
// state.

import { BETWEEN_OPERATORS, type Violation } from "../check/answer.ts";
import { check } from "../check/check.ts";
import { bundleDefinitions } from "../constraint/bundle-definitions.ts";
import { kindKey } from "../model/catalog.ts";
import type { CustomResourceDefinition } from "../model/custom-resource.ts";
import { canonicalText, own } from "../model/json.ts";
import type { ClusterDefinition, Problem } from "../model/problem.ts";
import { catalogWorld } from "../resolve/catalog-world.ts";
import { refuse } from "../resolve/solution.ts";
import { goneIn, stateAfter } from "../resolve/state-after.ts";
import type { Warning } from "../resolve/warning.ts";
import { type Migration, migrated, migrationsFor } from "./migration.ts";
import type { PlannedChange, PlannedStep } from "./plan-draft.ts";
import { brokenBy, stepsIn } from "./split.ts";
import { keepsDefinitions, type Move, StepRules } from "./step-rules.ts";

/** Steps, and the state after them. */
export interface Applied {
  readonly steps: readonly PlannedStep[];
  readonly after: Problem;
  /** Changes that are safe on their own, but not after other changes to a CRD. */
  readonly postponed: readonly PlannedChange[];
  /** The names of the changed definitions. */
  readonly changed: ReadonlySet<string>;
}

/**
 * Applies changes in a namespace; all of them together must be safe, except for two changes to one CRD. Definitions
 * that are `busy` are not changed.
 */
export function applySteps(
  problem: Problem,
  changes: readonly PlannedChange[],
  busy: ReadonlySet<string> = new Set(),
): Applied {
  const rules = new StepRules(problem, changes);
  const steps: PlannedStep[] = [];
  const postponed: PlannedChange[] = [];
  const made = new Set<Move>();
  const changed = new Set<string>();
  let now = problem;
  for (const { moves, because } of stepsIn(rules)) {
    const together = moves.map((move) => changes[move] as PlannedChange);
    const isStill = postponed.length === 0 || brokenBy(rules, made, moves) === undefined;
    const definitions = changedBy(together, now);
    const isFree = definitions.every((name) => !busy.has(name));
    if (!isStill || !isFree || !isSafeNow(rules, made, moves, together, now)) {
      postponed.push(...together);
      continue;
    }
    for (const move of moves) made.add(move);
    for (const name of definitions) changed.add(name);
    const before = now;
    // Independent changes are as safe as the whole answer, which was checked.
    if (!moves.every((move) => rules.isFree(move)))
      mustBeSafe(
        problem,
        [...made].map((move) => changes[move] as PlannedChange),
      );
    const migrations = migrationsFor(
      before,
      together.flatMap(({ to }) => to?.bundle ?? []),
    );
    steps.push({ changes: together, because, problem: before, migrations });
    now = stateAfter(migrated(now, migrations), together);
  }
  return { steps, after: now, postponed, changed };
}

/** The warnings about migrations of a step that may lose data. */
export function lossWarnings({ migrations }: PlannedStep): readonly Warning[] {
  return migrations.flatMap(lossIn);
}

function lossIn({ definition: { definition }, bundle, removed, storage, loss }: Migration): readonly Warning[] {
  if (loss.length === 0) return [];
  const codes = [...new Set(loss.map(({ code }) => code))];
  return [
    {
      code: "crd-migration",
      bundle,
      crd: definition.name,
      removed,
      storage,
      loss: loss.map(({ path, object }) => ({ path, ...(object !== undefined && { object }) })),
      codes,
    },
  ];
}

/** The names of the definitions that changes create or modify. */
function changedBy(changes: readonly PlannedChange[], { definitions = [] }: Problem): readonly string[] {
  return broughtBy(changes)
    .filter(({ name, object }) => {
      const there = definitions.find(({ definition }) => definition.name === name);
      return (
        there === undefined ||
        canonicalText(own(there.definition.object, "spec") ?? null) !== canonicalText(own(object, "spec") ?? null)
      );
    })
    .map(({ name }) => name);
}

function broughtBy(changes: readonly PlannedChange[]): readonly CustomResourceDefinition[] {
  return changes.flatMap(({ to }) => (to === undefined ? [] : bundleDefinitions(to.bundle.properties).definitions));
}

/** Are the definitions of a step safe after earlier steps, and consistent with each other? */
function isSafeNow(
  rules: StepRules,
  made: ReadonlySet<Move>,
  moves: readonly Move[],
  changes: readonly PlannedChange[],
  now: Problem,
): boolean {
  const { problem } = rules;
  const brought = broughtBy(changes);
  if (brought.length === 0 || problem.options.compat) return true;
  const texts = new Set(brought.map(({ name, object }) => canonicalText([name, object])));
  const names = new Set(brought.map(({ name }) => name));
  const kinds = new Set(brought.map(kindKey));
  // A kind has one definition, under one name.
  if (texts.size > names.size || names.size > kinds.size) return false;
  const before = new Set(problem.definitions);
  const isTouched = ({ definition }: ClusterDefinition): boolean =>
    names.has(definition.name) || kinds.has(kindKey(definition));
  if ((now.definitions ?? []).every((one) => before.has(one) || !isTouched(one))) return true;
  const related = rules.withKindsOf(moves);
  const members = rules.membersAfter(new Set([...moves, ...[...made].filter((move) => related.has(move))]));
  return keepsDefinitions({ ...problem, definitions: now.definitions }, members);
}

/** The violations that the checker finds after changes. */
export function violationsAfter(problem: Problem, changes: readonly PlannedChange[]): readonly Violation[] {
  const gone = new Set(changes.flatMap(goneIn));
  const kept = problem.installed.filter((one) => !gone.has(one));
  const chosen = changes.flatMap(({ to }) => (to === undefined ? [] : [{ catalog: to.catalog, bundle: to.bundle }]));
  return check(problem, { kept, chosen, satisfied: [] }, catalogWorld(problem).reader);
}

/** A step must not break a rule that held before the first one; otherwise it is a bug. */
function mustBeSafe(problem: Problem, changes: readonly PlannedChange[]): void {
  if (problem.options.compat) return;
  // Present operators count as providers, even if an unavailable catalog might have better ones.
  const wrong = violationsAfter({ ...problem, unavailable: [] }, changes).filter(({ rule }) =>
    BETWEEN_OPERATORS.has(rule),
  );
  refuse(problem, wrong);
}
