// What came out, in the words of a case? And the reverse: which words of a case are not true of it?

import { canonicalText, type Json } from "../../../src/model/json.ts";
import { factTexts } from "../../../src/render/sentence/fact.ts";
import { byName } from "../../../src/render/sentence/names.ts";
import { warningText } from "../../../src/render/sentence/warning.ts";
import type { Fact, OperatorId } from "../../../src/resolve/explain/fact.ts";
import type { Explanation, Resolution, ResolvedOperator } from "../../../src/resolve/resolution.ts";
import type { Warning } from "../../../src/resolve/warning.ts";
import { explanationText } from "../../explanations/explanation-text.ts";
import type { Expected } from "./notation.ts";

/** An answer as cases write it, everything in full. */
export interface CaseAnswer {
  readonly outcome: string;
  /** How many asked for something. */
  readonly requests: number;
  readonly installs: readonly string[];
  readonly updates: readonly string[];
  readonly keeps: readonly string[];
  readonly generates: readonly string[];
  readonly unsatisfied: Readonly<Record<string, string>>;
  readonly undecided: Readonly<Record<string, string>>;
  readonly heldBack: Readonly<Record<string, readonly string[]>>;
  readonly warnings: readonly string[];
}

/** An answer in the notation of cases. */
export function caseAnswer(resolution: Resolution, requests: number, warnings: readonly Warning[]): CaseAnswer {
  const of = (action: ResolvedOperator["action"]): readonly ResolvedOperator[] =>
    resolution.operators.filter((operator) => operator.action === action);
  return {
    outcome: resolution.outcome,
    requests,
    installs: of("install").map((operator) => `${operator.name} ${origin(operator)}`),
    updates: of("update").map((operator) => `${operator.installed?.name} -> ${operator.name} ${origin(operator)}`),
    keeps: of("keep").map((operator) => operator.name),
    generates: resolution.operators.flatMap(({ generatedSubscription }) => generatedSubscription?.name ?? []),
    unsatisfied: refusals(resolution, false),
    undecided: refusals(resolution, true),
    heldBack: Object.fromEntries(
      resolution.heldBack.map((item) => [item.package, item.available.map(({ name }) => name)]),
    ),
    warnings: [...warnings, ...resolution.warnings].map((one) => `${one.code}: ${warningText(one, byName)}`),
  };
}

/** Where an answer is not what a case expects; empty if it is. */
export function differences(actual: CaseAnswer, expected: Expected): readonly string[] {
  const texts = [
    ...missingTexts(actual.unsatisfied, expected.unsatisfied ?? {}),
    ...missingTexts(actual.undecided, expected.undecided ?? {}),
    ...Object.entries(expected.warnings ?? {}).flatMap(([code, words]) => missingWarning(actual.warnings, code, words)),
  ];
  return [
    ...unlike("outcome", actual.outcome, expected.outcome ?? usualOutcome(actual, expected)),
    ...unlike("installs", shortened(actual.installs, expected.installs), sorted(expected.installs)),
    ...unlike("updates", shortened(actual.updates, expected.updates), sorted(expected.updates)),
    ...unlike("keeps", sorted(actual.keeps), sorted(expected.keeps)),
    ...(expected.generates ? unlike("generates", sorted(actual.generates), sorted(expected.generates)) : []),
    ...unlike("unsatisfied", names(actual.unsatisfied), names(expected.unsatisfied)),
    ...unlike("undecided", names(actual.undecided), names(expected.undecided)),
    ...unlike("heldBack", actual.heldBack, expected.heldBack ?? {}),
    ...texts,
  ];
}

function origin({ from }: ResolvedOperator): string {
  if (from === undefined) return "nowhere";
  const { namespace, name } = from.catalog;
  return `${namespace === undefined ? "" : `${namespace}/`}${name}/${from.channel}`;
}

/** Why requests have no operator, by name: the undecided ones, or the others. */
export function refusals(resolution: Resolution, undecided: boolean): Readonly<Record<string, string>> {
  const items = resolution.unsatisfied.filter((item) => item.undecided === undecided);
  return Object.fromEntries(items.map(({ request, explanation }) => [request.name, wording(explanation)]));
}

/** The text, and the names of all bundles and operators that it is about. */
export function wording(explanation: Explanation | undefined): string {
  if (explanation === undefined) throw new Error("nothing was explained");
  const texts = factTexts(explanation).map((text, index) => `${explanation.facts[index]?.subject}: ${text}`);
  return [
    explanationText(explanation),
    ...texts,
    ...explanation.facts.flatMap(membersOf).map(nameIn(explanation)),
  ].join("\n");
}

function nameIn({ operators }: Explanation): (id: OperatorId) => string {
  return (id) => operators[id]?.name ?? "";
}

function membersOf(fact: Fact): readonly OperatorId[] {
  switch (fact.kind) {
    case "demand":
      return fact.demands.map(({ member }) => member);
    case "refusal":
      return fact.refused.map(({ member }) => member);
    case "stay-or-move":
    case "stays":
      return [fact.installed, ...fact.targets];
    case "unserved":
      return [...fact.users, ...fact.definers];
    default:
      return "members" in fact ? fact.members : [];
  }
}

/** The outcome: all, some or none of the requests are satisfied. */
function usualOutcome({ requests }: CaseAnswer, { unsatisfied = {}, undecided = {} }: Expected): string {
  const open = Object.keys(undecided).length;
  const lost = open + Object.keys(unsatisfied).length;
  if (lost === 0) return "Resolved";
  if (lost < requests) return "Partial";
  return open > 0 ? "Undecided" : "Unsatisfiable";
}

/** Without their origin, if the case does not have it. */
function shortened(actual: readonly string[], expected: readonly string[] | undefined): readonly string[] {
  return sorted(actual.map((text) => (expected?.includes(text) ? text : text.slice(0, text.lastIndexOf(" ")))));
}

function sorted(texts: readonly string[] | undefined): readonly string[] {
  return (texts ?? []).toSorted();
}

function names(texts: Readonly<Record<string, unknown>> | undefined): readonly string[] {
  return Object.keys(texts ?? {}).sort();
}

function missingTexts(
  actual: Readonly<Record<string, string>>,
  expected: Readonly<Record<string, readonly string[]>>,
): readonly string[] {
  return Object.entries(expected).flatMap(([name, words]) =>
    words
      .filter((word) => actual[name] !== undefined && !actual[name].includes(word))
      .map((word) => `${name} does not contain ${JSON.stringify(word)}, but: ${actual[name]}`),
  );
}

function missingWarning(warnings: readonly string[], code: string, words: readonly string[]): readonly string[] {
  const fitting = warnings.filter((warning) => warning.startsWith(`${code}: `));
  if (words.every((word) => fitting.some((warning) => warning.includes(word)))) return fitting.length > 0 ? [] : [code];
  return [`no warning ${code} with ${words.join(", ")}, but: ${warnings.join("; ")}`];
}

function unlike(what: string, actual: Json, expected: Json): readonly string[] {
  const [is, should] = [canonicalText(actual), canonicalText(expected)];
  return is === should ? [] : [`${what}: ${is} instead of ${should}`];
}
