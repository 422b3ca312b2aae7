// Which plan came out, in the words of a case? And the reverse: which words of a case are not true of it?

import { canonicalText, type Json } from "../../../src/model/json.ts";
import type { FoundPlan, PlannedChange, PlannedStep } from "../../../src/plan/plan-draft.ts";
import { byName } from "../../../src/render/sentence/names.ts";
import { breachText } from "../../../src/render/sentence/plan.ts";
import { warningText } from "../../../src/render/sentence/warning.ts";
import type { Warning } from "../../../src/resolve/warning.ts";
import { actionsIn } from "../../worlds/api-server.ts";
import { refusals, wording } from "./answer.ts";
import type { ExpectedPlan } from "./notation.ts";

/** A plan as cases write it, everything in full. */
export type CasePlan = Required<Omit<ExpectedPlan, "heldBack" | "unsatisfied" | "undecided" | "warnings">> & {
  readonly heldBack: Readonly<Record<string, string>>;
  readonly unsatisfied: Readonly<Record<string, string>>;
  readonly undecided: Readonly<Record<string, string>>;
  readonly warnings: readonly string[];
};

/** A plan in the notation of cases. */
export function casePlan(plan: FoundPlan, warnings: readonly Warning[]): CasePlan {
  const { last, after } = plan;
  const steps = plan.generations.flatMap((generation) => generation.steps);
  const isThere = new Set(after.installed.map(({ name }) => name));
  return {
    generations: plan.generations.map((generation) => generation.steps.map(caseStep)),
    current: Object.fromEntries(
      after.requests.flatMap(({ name, installed }) =>
        installed !== undefined && isThere.has(installed) ? [[name, installed]] : [],
      ),
    ),
    generates: Object.fromEntries(
      steps
        .flatMap(({ changes }) => changes.flatMap(({ generatedSubscription }) => generatedSubscription ?? []))
        .map(({ name, sourceNamespace, source, channel, startingCSV }) => [
          name,
          `${sourceNamespace}/${source}/${channel} ${startingCSV}`,
        ]),
    ),
    because: steps.flatMap(({ because }) => because.map(({ breach }) => breachText(breach, byName))),
    actions: steps.flatMap((step) => actionsIn(step).map(({ verb, kind, name }) => `${verb} ${kind} ${name}`)),
    heldBack: Object.fromEntries(last.heldBack.map((item) => [item.package, wording(item.explanation)])),
    unsatisfied: refusals(last, false),
    undecided: refusals(last, true),
    pending: last.pendingApproval.map(({ changes }) =>
      changes.map(({ from, to }) => (from === undefined ? `+${to.name}` : `${from.name} -> ${to.name}`)),
    ),
    orphans: plan.orphans.map(({ name }) => name),
    warnings: [...warnings, ...plan.warnings].map((one) => `${one.code}: ${warningText(one, byName)}`),
  };
}

/** One change: `+new`, `old -> new` or `-old`. */
export function caseChange({ from, alsoFrom, to }: PlannedChange): string {
  const old = [...(from === undefined ? [] : [from]), ...alsoFrom].map(({ name }) => name).join(", ");
  if (to === undefined) return `-${old}`;
  return old === "" ? `+${to.bundle.name}` : `${old} -> ${to.bundle.name}`;
}

function caseStep({ changes }: PlannedStep): string | readonly string[] {
  const [first, ...rest] = changes.map(caseChange) as [string, ...string[]];
  return rest.length === 0 ? first : [first, ...rest];
}

/** Where a plan is not what a case expects; empty if it is. */
export function planDifferences(actual: CasePlan, expected: ExpectedPlan): readonly string[] {
  const { because = [], warnings = {} } = expected;
  return [
    ...unlike("generations", actual.generations, expected.generations ?? []),
    ...unlike("current", actual.current, expected.current ?? {}),
    ...unlike("generates", actual.generates, expected.generates ?? {}),
    ...unlike("orphans", actual.orphans, expected.orphans ?? []),
    ...unlike("pending", actual.pending, expected.pending ?? []),
    ...(expected.actions ? unlike("actions", actual.actions, expected.actions) : []),
    ...texts("heldBack", actual.heldBack, expected.heldBack ?? {}),
    ...texts("unsatisfied", actual.unsatisfied, expected.unsatisfied ?? {}),
    ...texts("undecided", actual.undecided, expected.undecided ?? {}),
    ...missing("because", actual.because.join("\n"), because),
    ...Object.entries(warnings).flatMap(([code, words]) => {
      const fitting = actual.warnings.filter((text) => text.startsWith(`${code}: `));
      return fitting.length === 0 ? [`no warning ${code}`] : missing(code, fitting.join("\n"), words);
    }),
  ];
}

function texts(
  what: string,
  actual: Readonly<Record<string, string>>,
  expected: Readonly<Record<string, readonly string[]>>,
): readonly string[] {
  return [
    ...unlike(what, Object.keys(actual).sort(), Object.keys(expected).sort()),
    ...Object.entries(expected).flatMap(([name, words]) => missing(name, actual[name] ?? "", words)),
  ];
}

function missing(what: string, text: string, words: readonly string[]): readonly string[] {
  return words
    .filter((word) => !text.includes(word))
    .map((word) => `${what} does not contain ${JSON.stringify(word)}, but: ${text}`);
}

function unlike(what: string, actual: Json, expected: Json): readonly string[] {
  const [is, should] = [canonicalText(actual), canonicalText(expected)];
  return is === should ? [] : [`${what}: ${is} instead of ${should}`];
}
