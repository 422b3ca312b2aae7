// What becomes of a cluster when changes are made step by step? Each step with what it does, and the state after the last.

import { BETWEEN_OPERATORS, type Violation } from "../check/answer.ts";
import { check } from "../check/check.ts";
import { bundleDefinitions } from "../constraint/bundle-definitions.ts";
import type { CustomResourceDefinition } from "../model/custom-resource.ts";
import { canonicalText, own } from "../model/json.ts";
import type { Problem } from "../model/problem.ts";
import { carriedOut, goneIn } from "../resolve/carried-out.ts";
import { catalogWorld } from "../resolve/catalog-world.ts";
import { WrongAnswer } from "../resolve/solution.ts";
import type { Warning } from "../resolve/warning.ts";
import { type Migration, migrated, migrationsFor } from "./migration.ts";
import type { PlannedChange, PlannedStep } from "./planned.ts";
import { brokenBy, stepsIn } from "./split.ts";
import { keepsKinds, type Move, StepRules } from "./step-rules.ts";

/** Steps, and what is there after them. */
export interface Taken {
  readonly steps: readonly PlannedStep[];
  readonly after: Problem;
  /** Changes that are safe by themselves, but not after what others have made of a custom kind. */
  readonly postponed: readonly PlannedChange[];
  /** The names of the definitions that were changed. */
  readonly changed: ReadonlySet<string>;
}

/**
 * Makes changes in a namespace; all of them together must be safe, but for what two of them make of one custom kind.
 * Definitions that are `busy` are not changed.
 */
export function takeSteps(
  problem: Problem,
  changes: readonly PlannedChange[],
  busy: ReadonlySet<string> = new Set(),
): Taken {
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
    // Who has nothing to do with others is as safe as the whole answer, which was checked.
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
    now = carriedOut(migrated(now, migrations), together);
  }
  return { steps, after: now, postponed, changed };
}

/** The warnings about migrations of a step that may lose something. */
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

/** The names of the definitions that changes make, or make other than they are. */
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

/** Are the definitions that a step brings safe after what earlier steps have made of them, and do they not differ? */
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
  if (texts.size > names.size) return false;
  const before = new Set(problem.definitions);
  if ((now.definitions ?? []).every((one) => before.has(one) || !names.has(one.definition.name))) return true;
  const related = rules.withKindsOf(moves);
  const members = rules.membersAfter(new Set([...moves, ...[...made].filter((move) => related.has(move))]));
  return keepsKinds({ ...problem, definitions: now.definitions }, members);
}

/** What the checker finds wrong with a namespace in which changes have been made. */
export function violationsAfter(problem: Problem, changes: readonly PlannedChange[]): readonly Violation[] {
  const gone = new Set(changes.flatMap(goneIn));
  const kept = problem.installed.filter((one) => !gone.has(one));
  const chosen = changes.flatMap(({ to }) => (to === undefined ? [] : [{ catalog: to.catalog, bundle: to.bundle }]));
  return check(problem, { kept, chosen, satisfied: [] }, catalogWorld(problem.catalogs, problem.options).reader);
}

/** The state after a step breaks no rule that held before the first one; otherwise that is a mistake of ours. */
function mustBeSafe(problem: Problem, changes: readonly PlannedChange[]): void {
  if (problem.options.compat) return;
  // Whoever is there serves, whatever a catalog that cannot be read might have had.
  const wrong = violationsAfter({ ...problem, unavailable: [] }, changes).filter(({ rule }) =>
    BETWEEN_OPERATORS.has(rule),
  );
  if (wrong.length > 0)
    throw new WrongAnswer(
      problem,
      wrong.map(({ text }) => text),
    );
}
