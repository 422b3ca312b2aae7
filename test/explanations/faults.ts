// What is wrong with an explanation? Its causes must be true, forbid what is asked, and none of them be superfluous; its
// steps must follow; and it must be short enough to be read.

import { check } from "../../src/check/check.ts";
import { factTexts } from "../../src/render/sentence/fact.ts";
import type { Explanation } from "../../src/resolve/resolution.ts";
import { Formula } from "../oracles/formula.ts";
import { CauseClauses } from "./by-clauses.ts";
import { causeErrors } from "./cause-errors.ts";
import type { Explained } from "./explained.ts";
import { explanationText } from "./explanation-text.ts";
import type { Meaning } from "./meaning.ts";

/** An explanation fits on a screen of this size. */
const MAX_LINES = 40;
const COLUMNS = 120;

/** All faults of an explanation, in sentences. */
export async function faultsOf(explained: Explained): Promise<readonly string[]> {
  const { explanation, causes } = explained;
  const faults = [...faultsOfForm(explanation), ...falseDoubts(explained)];
  if (causes.length === 0) return mayBeSilent(explained) ? faults : [...faults, "it has no causes"];
  for (const [index, cause] of causes.entries())
    faults.push(...causeErrors(cause, explained).map((text) => `cause ${index}, ${cause.kind}: ${text}`));
  const formula = await Formula.begin();
  try {
    return [...faults, ...logicalFaults(new CauseClauses(formula, explained.population), explained)];
  } finally {
    formula.end();
  }
}

function logicalFaults(clauses: CauseClauses, { causes, derivation }: Meaning): readonly string[] {
  const faults: string[] = [];
  if (clauses.isPossible(causes)) faults.push("the causes do not forbid it");
  for (const [index, { kind }] of causes.entries())
    if (!clauses.isPossible(causes.toSpliced(index, 1))) faults.push(`cause ${index}, ${kind}, is superfluous`);
  const [only, ...more] = causes;
  const isObvious = more.length === 0 && only?.kind === "wanted" && only.members.length === 0;
  if (derivation === undefined) return isObvious ? faults : [...faults, "it has no derivation"];
  return [...faults, ...clauses.gaps(derivation)];
}

/** An answer in which everything is proven did not reach a limit. */
function falseDoubts({ resolution, explanation }: Explained): readonly string[] {
  const isDoubt = explanation.fixes.some(({ changes }) => changes.some(({ kind }) => kind === "limit"));
  return isDoubt && resolution.proven ? ["it mentions a limit, but everything is proven"] : [];
}

function faultsOfForm(explanation: Explanation): readonly string[] {
  const text = explanationText(explanation);
  const lines = text.split("\n").reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / COLUMNS)), 0);
  return [
    ...(text.trim() === "" ? ["it is empty"] : []),
    ...(lines > MAX_LINES ? [`it has ${lines} lines`] : []),
    ...factTexts(explanation).flatMap((fact, index) =>
      fact.trim() === "" ? [`fact ${index}, ${explanation.facts[index]?.kind}, is empty`] : [],
    ),
  ];
}

/**
 * There is no reason while it is undecided; with all or nothing it is no rule that forbids it; and OLM does nothing
 * where what runs violates a rule.
 */
function mayBeSilent({ problem, item, explanation }: Explained): boolean {
  const { compat, allOrNothing } = problem.options;
  if (allOrNothing || ("undecided" in item && item.undecided)) return true;
  const before = { kept: problem.installed, chosen: [], satisfied: [] };
  const isBroken = compat && check(problem, before).some(({ rule }) => rule !== "claim");
  return isBroken && explanation.facts.length > 0;
}
