// What does each rule say of one cluster? Sets, predicates down to the values of sub-expressions, taints, spreading.

import type { TraceBranch } from "../../cel/trace-tree.ts";
import { groupedBy } from "../../model/grouped.ts";
import type { Check, Outcome, PlacementResult } from "../../placement/placement-result.ts";
import { shortText } from "../../text/words.ts";
import { traceLines } from "../cel/trace.ts";
import type { Look } from "../kit/look.ts";
import { safeText } from "../kit/safe-text.ts";
import type { Style } from "../kit/style.ts";
import { type Branch, brokenLines, leaf, someOf } from "../kit/tree.ts";
import { checkText, ruleText, spreadRuleText } from "../sentence/placement-check.ts";
import type { ShownPlacements } from "./shown.ts";

/** Texts of the input that are longer are cut. */
const MAX_LENGTH = 400;
/** How many sets, predicates, and rules of a predicate are printed. */
const MAX_SETS = 20;
const MAX_PREDICATES = 20;
const MAX_RULES = 50;

/** One matching set is enough; if there is none, the reason for each is printed. */
export function setBranches(checks: readonly Check[], look: Look): readonly Branch[] {
  const holding = checks.filter(({ outcome }) => outcome === "true");
  const shown = holding.length > 0 ? holding : checks;
  const branches = shown.slice(0, MAX_SETS).map((check) => ruleLeaf(check, look));
  return cut(branches, shown.length, "sets", look);
}

/** The rules of a predicate, below it. Text in `saidAbove` is not repeated. */
export function predicateBranches(
  checks: readonly Check[],
  { placement }: PlacementResult,
  printedAbove: string,
  shown: ShownPlacements,
  look: Look,
): readonly Branch[] {
  const { style } = look;
  const byPredicate = groupedBy(
    checks.filter(({ predicate }) => predicate !== undefined),
    ({ predicate }) => predicate as number,
  );
  if (byPredicate.size === 0 && placement.predicates.length === 0)
    return [leaf("no predicates: every cluster of the sets matches", look, markOf("true", style))];
  const all = [...byPredicate].map(([index, rules]) => ({ index, rules, outcome: outcomeOf(rules) }));
  const branches = someOf(all, MAX_PREDICATES, ({ outcome }) => outcome === "true" || outcome === "error").map(
    ({ index, rules, outcome }): Branch => {
      const some = someOf(rules, MAX_RULES, (rule) => rule.outcome === "false" || rule.outcome === "error");
      const below = some.map((check) => ruleBranch(check, printedAbove, shown, look));
      return {
        lines: [`${markOf(outcome, style)} predicates[${index}] ${isOpen(rules) ? UNKNOWN : PREDICATE_WORDS[outcome]}`],
        below: cut(below, rules.length, "rules", look),
      };
    },
  );
  return cut(branches, all.length, "predicates", look);
}

const PREDICATE_WORDS: Readonly<Record<Outcome, string>> = {
  true: "holds",
  false: "does not hold",
  error: "could not be evaluated, which counts as no match",
  skipped: "was not needed",
};

const UNKNOWN = "is unknown, because of a score that could not be read";

/** Does a predicate depend on a rule that may read an unread score, and was not evaluated? */
function isOpen(checks: readonly Check[]): boolean {
  const isUnread = (check: Check): boolean => check.kind === "cel" && check.detail?.kind === "unread-score";
  return checks.some(isUnread) && checks.every(({ outcome }) => outcome !== "false" && outcome !== "error");
}

/** All rules of a predicate have to hold. */
function outcomeOf(checks: readonly Check[]): Outcome {
  const has = (wanted: Outcome): boolean => checks.some(({ outcome }) => outcome === wanted);
  if (has("false")) return "false";
  if (has("error")) return "error";
  return !isOpen(checks) && (has("true") || checks.length === 0) ? "true" : "skipped";
}

function cut(branches: readonly Branch[], all: number, what: string, look: Look): readonly Branch[] {
  const left = all - branches.length;
  return left === 0 ? branches : [...branches, leaf(`… and ${left} more ${what}`, look)];
}

/** An expression with the values of its parts; any other rule with the value that the cluster has. */
function ruleBranch(check: Check, printedAbove: string, { at }: ShownPlacements, look: Look): Branch {
  const { style } = look;
  const tree = check.kind === "cel" ? check.trace : undefined;
  if (tree === undefined) return ruleLeaf(check, look);
  const [first = "", ...more] = traceLines(withoutBareCluster(tree, printedAbove), style);
  const isError = check.outcome === "error";
  const help = isError ? errorHelp(tree) : undefined;
  const notes = [
    ...(isError ? [`--> ${safeText(at(check.place))}`] : []),
    ...(help === undefined ? [] : brokenLines(`= help: ${safeText(help)}`, look)),
  ];
  return {
    lines: [`${markOf(check.outcome, style)} CEL ${first}`, ...more, ...notes.map(style.dim)].map((line, index) =>
      index === 0 ? line : `  ${line}`,
    ),
    below: [],
  };
}

/** The tree without the cluster object itself, which carries no information, and without an error that is printed above it. */
function withoutBareCluster(branch: TraceBranch, printedAbove: string): TraceBranch {
  const parts = branch.parts.filter(({ text, parts: below }) => text !== "managedCluster" || below.length > 0);
  return {
    ...branch,
    result: branch.outcome === "error" && branch.result === printedAbove ? "" : branch.result,
    ...withoutMoreOfTheSame(
      parts.map((part) => withoutBareCluster(part, printedAbove)),
      branch.left,
    ),
  };
}

/** How many iterations of a macro with result false are shown, if all are false. */
const MAX_FALSE = 2;

/** The iterations of a macro that found nothing are all similar: only the first few are printed, and the number of the others. */
function withoutMoreOfTheSame(parts: readonly TraceBranch[], left: number): Pick<TraceBranch, "parts" | "left"> {
  const rounds = parts.filter(({ variables }) => variables.length > 0);
  const isSame = rounds.every(({ outcome, result }) => outcome === "value" && result === "false");
  const more = rounds.slice(MAX_FALSE);
  const [first] = more;
  // Rounds that the tree has no room for may be others.
  if (first === undefined || !isSame || left > 0 || more.length === 1) return { parts, left };
  const text = `… and ${more.length} more, all of them`;
  return {
    parts: [...parts.filter((part) => !more.includes(part)), { ...first, text, variables: [], parts: [] }],
    left,
  };
}

/** "✓ label env In (prod): env is "prod"". */
export function ruleLeaf(check: Check, look: Look): Branch {
  const { kind, outcome } = check;
  const detail = safeText(shortText(checkText(check), MAX_LENGTH));
  const note = outcome === "skipped" && detail === "" ? "not evaluated" : detail;
  const rule = kind === "spread" ? `over ${spreadRuleText(check)}` : ruleText(check);
  const text = `${kind === "cel" ? "CEL" : kind} ${safeText(shortText(rule, MAX_LENGTH))}`;
  return leaf(note === "" ? text : `${text}: ${note}`, look, markOf(outcome, look.style));
}

export function taintBranches(checks: readonly Check[], look: Look): readonly Branch[] {
  if (checks.length === 0) return [leaf("no taints", look, markOf("true", look.style))];
  return checks.map((check) => ruleLeaf(check, look));
}

function markOf(outcome: Outcome, { green, red, dim }: Style): string {
  return { true: green("✓"), false: red("✗"), error: red("!"), skipped: dim("·") }[outcome];
}

/** Longer parts of an expression are not repeated. */
const MAX_PART_LENGTH = 120;

/** What to write in front of the expression, by the part of it that failed; nothing if that is unknown. */
function errorHelp(trace: TraceBranch): string | undefined {
  const failed = failedPart(trace);
  if (failed.text.length > MAX_PART_LENGTH) return undefined;
  const guard = guardOf(failed.text);
  return guard === undefined ? undefined : `${guard} && … makes it a plain no`;
}

/** The innermost part with an error. */
function failedPart(branch: TraceBranch): TraceBranch {
  const below = branch.parts.find(({ outcome, absorbed }) => outcome === "error" && !absorbed);
  return below === undefined ? branch : failedPart(below);
}

function guardOf(text: string): string | undefined {
  const score = /^(managedCluster)\.score(\([^()]*\))$/.exec(text);
  if (score !== null) return `${score[1]}.hasScore${score[2]}`;
  const entry = /^(managedCluster[A-Za-z0-9_.]*)\[("[^"\\]*"|'[^'\\]*')\]$/.exec(text);
  return entry === null ? undefined : `${entry[2]} in ${entry[1]}`;
}
