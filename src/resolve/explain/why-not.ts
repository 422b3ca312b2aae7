// Why not? The question is whether something is possible next to what the answer must keep: every satisfied request,
// and what has precedence over the subject.

import type { Installed, Request } from "../../model/problem.ts";
import { brokenKey } from "../../rule/rules.ts";
import { type Candidates, membersOf, rankOf } from "../candidates.ts";
import type { Candidate } from "../catalog-index.ts";
import type { BrokenBefore } from "../installed-state.ts";
import { nameOf, type Operator } from "../member.ts";
import type { Question } from "../question.ts";
import type { Solution } from "../solution.ts";
import type { WantedCause } from "./cause.ts";
import type { RuleInstance, RuleInstances } from "./rule-instances.ts";

/** The subject of the question. */
export type Subject =
  /** Can the request be satisfied? */
  | { readonly kind: "request"; readonly request: Request }
  /** Can it get one of these bundles, which are better than the present one? If it `waits`, only without approvals. */
  | {
      readonly kind: "better";
      readonly request: Request;
      readonly nodes: readonly Candidate[];
      readonly waits: boolean;
    }
  /** Can one of these bundles be chosen? */
  | { readonly kind: "bundles"; readonly nodes: readonly Candidate[] };

/** Is the goal possible next to the satisfied requests and what has precedence? */
export interface WhyNot {
  readonly goal: readonly RuleInstance[];
  readonly requests: readonly RuleInstance[];
  readonly preferred: readonly RuleInstance[];
}

/** What an answer has achieved, by names and ids that also fit a slightly different problem. */
export interface Achieved {
  /** The ids of requests that have an operator. */
  readonly satisfied: ReadonlySet<string>;
  /** The names of operators that are updated. */
  readonly updated: ReadonlySet<string>;
  /** By request id: the candidate it got and the better ones, by `idOf`. */
  readonly given: ReadonlyMap<string, ReadonlySet<string>>;
  /** The rules that were broken and are repaired, by `brokenIds`. */
  readonly repaired: ReadonlySet<string>;
}

/** What a solution has achieved. */
export function achievedBy({ problem, question, satisfied, members, kept, repaired, nothingFor }: Solution): Achieved {
  const atLeast = (one: Candidates): ReadonlySet<string> => {
    const best = one.nodes.slice(0, rankOf(one, members) + 1).map(idOf);
    return new Set(one.installed !== undefined && members.has(one.installed) ? [...best, idOf(one.installed)] : best);
  };
  const stays = new Set(kept);
  // If --all-or-nothing failed, what could have been satisfied counts.
  const had = nothingFor.length > 0 ? question.candidates.filter((one) => !nothingFor.includes(one)) : satisfied;
  return {
    satisfied: new Set(had.map(({ request }) => request.id)),
    updated: new Set(problem.installed.filter((one) => !stays.has(one)).map(nameOf)),
    given: new Map(satisfied.map((one) => [one.request.id, atLeast(one)])),
    repaired: new Set(
      brokenIds(question.state.broken).filter((_, index) =>
        repaired.includes(question.state.broken[index] as BrokenBefore),
      ),
    ),
  };
}

/** The question about a subject, given what the answer has achieved. */
export function whyNotOf(parts: RuleInstances, subject: Subject, achieved: Achieved): WhyNot {
  const { question } = parts;
  if (subject.kind === "bundles") {
    const goal = wanted({ kind: "wanted", why: "goal", request: undefined, members: subject.nodes });
    return { goal: [goal], requests: requestsToKeep(question, achieved, undefined), preferred: [] };
  }
  const candidates = question.candidates.find((one) => one.request.id === subject.request.id);
  const request = candidates?.request ?? subject.request;
  const all = candidates === undefined ? [] : membersOf(candidates);
  if (subject.kind === "request") {
    const goal = wanted({ kind: "wanted", why: "goal", request, members: all });
    return { goal: [goal], requests: requestsToKeep(question, achieved, request), preferred: [] };
  }
  const ids = new Set(subject.nodes.map(({ id }) => id));
  const better = all.filter((member) => "bundle" in member && ids.has(member.id));
  const goal = wanted({ kind: "wanted", why: "goal", request, members: better });
  const requests = requestsToKeep(question, achieved, request);
  return { goal: [goal], requests, preferred: preferredTo(parts, request, achieved) };
}

/** What has precedence over a better candidate for this request. */
function preferredTo(parts: RuleInstances, request: Request, achieved: Achieved): readonly RuleInstance[] {
  const { question } = parts;
  const { problem, state } = question;
  const kept: RuleInstance[] = [];
  // OLM has neither repairs nor a preference for more updates.
  if (!problem.options.compat) {
    const ids = brokenIds(state.broken);
    for (const [index, broken] of state.broken.entries())
      if (achieved.repaired.has(ids[index] as string)) kept.push(...parts.ofRepair(broken, index));
    for (const installed of problem.installed)
      if (installed.name !== request.installed && installed.hold === undefined && achieved.updated.has(installed.name))
        kept.push(updateOf(question, installed));
  }
  // One more update has precedence over any candidate.
  const isUpdate = request.installed !== undefined && !achieved.updated.has(request.installed);
  if (isUpdate && !problem.options.compat) return kept;
  for (const one of question.candidates) {
    if (one.request.id === request.id) break;
    const given = achieved.given.get(one.request.id);
    if (given === undefined || one.installed?.hold !== undefined) continue;
    const members = membersOf(one).filter((member) => given.has(idOf(member)));
    if (members.length > 0) kept.push(wanted({ kind: "wanted", why: "best", request: one.request, members }));
  }
  return kept;
}

function requestsToKeep(
  question: Question,
  { satisfied }: Achieved,
  but: Request | undefined,
): readonly RuleInstance[] {
  return question.candidates.flatMap((candidates) => {
    const { request } = candidates;
    if (request.id === but?.id || !satisfied.has(request.id)) return [];
    return [wanted({ kind: "wanted", why: "request", request, members: membersOf(candidates) })];
  });
}

function updateOf(question: Question, installed: Installed): RuleInstance {
  const claims = question.claims.get(installed) ?? [];
  const members = [...new Set(claims.flatMap(({ nodes }) => nodes))];
  return wanted({ kind: "wanted", why: "update", request: claims[0]?.request, members });
}

function wanted(cause: WantedCause): RuleInstance {
  return { kind: "whole", key: `${cause.why} ${cause.request?.id ?? ""}`, cause };
}

/** Ids of broken rules: what they state, and a counter for equal ones. */
function brokenIds(broken: readonly BrokenBefore[]): readonly string[] {
  const counts = new Map<string, number>();
  return broken.map(({ rule }) => {
    const key = brokenKey(rule);
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return `${count} ${key}`;
  });
}

/** The id of a member, also valid in a slightly different problem. */
function idOf(member: Operator): string {
  return "bundle" in member ? member.id : `runs/${member.name}`;
}
