// Why is it not as requested? Explains a request that is not satisfied, an operator that could be newer, and a bundle
// that is not chosen.

import { compareText } from "../../model/json.ts";
import { at } from "../../model/place.ts";
import { type Candidates, hasNothing, lacksSource, type NoCandidates, plainNone } from "../candidates.ts";
import type { Candidate } from "../catalog-index.ts";
import { wholeName } from "../catalog-order.ts";
import { requestRef } from "../member.ts";
import type { Question } from "../question.ts";
import type { Explanation, Fix } from "../resolution.ts";
import type { Solution } from "../solution.ts";
import { type Unread, unreadFor } from "../unread.ts";
import type { Change } from "../what-if.ts";
import { fixOf, fixWithoutChange } from "./advice.ts";
import type { Cause } from "./cause.ts";
import { ConflictSearch, findConflict, workFor } from "./conflict-search.ts";
import { derive } from "./derive.ts";
import { type Note, withoutFacts } from "./explanation-body.ts";
import type { Fact, NoCandidatesFact } from "./fact.ts";
import { FactFinder, Mentions, requestFact } from "./facts.ts";
import { dropsThatHelp, fixesFor, fixesWithoutSearch } from "./fixes.ts";
import { matchesIn } from "./matching.ts";
import { remediesFor } from "./remedies.ts";
import { causesOf, RuleInstances } from "./rule-instances.ts";
import { confirmed } from "./trial.ts";
import { missingCatalogs, notNamed, toRead, uncertainties, whatIsUnread, withoutEdges } from "./unread-notes.ts";
import { achievedBy, type Subject, whyNotOf } from "./why-not.ts";

/** Work limit of the search for causes. */
const MAX_WORK = 20_000_000;

/** Why a request is not satisfied; `hasFixes`: also what would help. */
export function explainUnsatisfied(solution: Solution, candidates: Candidates, hasFixes = true): Explanation {
  const { request, none, installed } = candidates;
  const subject: Subject = { kind: "request", request };
  if (solution.impossible) return explainBroken(solution, subject, hasFixes);
  if (solution.undecided.has(candidates) && !hasNothing(candidates)) return explainBudget(solution);
  if (solution.nothingFor.length > 0 && !solution.nothingFor.includes(candidates))
    return allOrNothing(solution, subject);
  if (none !== undefined && (installed === undefined || lacksSource(candidates)))
    return explainNone(solution, candidates, none, subject, hasFixes);
  if (installed !== undefined && solution.satisfied.includes(candidates))
    return explainHeldBack(solution, candidates, candidates.nodes.length, false, hasFixes);
  return explain(solution, subject, hasFixes) ?? unproven(solution);
}

/** Why an operator did not get one of the better candidates; `waits` for the answer without approvals. */
export function explainHeldBack(
  solution: Solution,
  candidates: Candidates,
  rank: number,
  waits = false,
  hasFixes = true,
): Explanation {
  const { request, nodes } = candidates;
  const subject: Subject = { kind: "better", request, nodes: nodes.slice(0, rank), waits };
  if (solution.nothingFor.length > 0) return allOrNothing(solution, subject);
  return explain(solution, subject, hasFixes) ?? unproven(solution);
}

/**
 * Why an operator did not get a better candidate, where its approval alone would not help: from the free solution, in
 * which nothing waits. Its fixes there also need approvals: its own, or also those of the operators in its way.
 */
export function explainHeldAnyway(
  automatic: Solution,
  free: Solution,
  candidates: Candidates,
  rank: number,
  hasFixes = true,
): Explanation {
  const { request, nodes, installed } = candidates;
  const explanation = explainHeldBack(free, candidates, rank, false, hasFixes);
  const inTheWay = explanation.facts.flatMap((fact) =>
    "installed" in fact ? (explanation.operators[fact.installed]?.name ?? []) : [],
  );
  const own = approvalsOf(automatic, installed === undefined ? [] : [installed.name]);
  const all = approvalsOf(automatic, installed === undefined ? inTheWay : [installed.name, ...inTheWay]);
  const subject: Subject = { kind: "better", request, nodes: nodes.slice(0, rank), waits: true };
  const trial = { solution: automatic, subject, achieved: achievedBy(automatic) };
  // The operator in the way may be pending approval, too: then the approval is enough.
  const here = automatic.satisfied.find((one) => one.request.id === request.id);
  if (here !== undefined && own.length > 0 && confirmed(trial, own) !== undefined)
    return explainHeldBack(automatic, here, rank, true, hasFixes);
  if (!hasFixes) return explanation;
  const fixes = explanation.fixes.flatMap((fix) => {
    const { changes, because } = fix;
    if (changes.length === 0) return [fix];
    const helping = [own, all]
      .map((approvals) => [...changes, ...approvals])
      .find((some) => confirmed(trial, some) !== undefined);
    if (helping === undefined) return [];
    const approved = new Set(helping.flatMap((change) => (change.kind === "approve" ? [change.package] : [])));
    const waiting = automatic.problem.requests.filter((one) => one.approval === "Manual" && approved.has(one.package));
    const { operators = [], offers = [], facts = [] } = because ?? {};
    return [
      fixOf(helping, automatic.problem, {
        operators,
        offers,
        facts: [...facts, ...waiting.map((one) => requestFact("waits", requestRef(one)))],
      }),
    ];
  });
  return withFixes(explanation, fixes, automatic);
}

/** The approvals without which these operators stay. */
function approvalsOf({ problem }: Solution, operators: readonly string[]): readonly Change[] {
  const names = new Set(operators);
  const claims = problem.requests.filter((one) => one.installed !== undefined && names.has(one.installed));
  const isFree = (name: string | undefined): boolean =>
    claims.some((one) => one.installed === name && one.approval === "Automatic");
  const owners = claims.filter((one) => !isFree(one.installed)).map((one) => one.package);
  return [...new Set(owners)].map((owner): Change => ({ kind: "approve", package: owner }));
}

/** Why none of some bundles is chosen; undefined if no rule excludes them. */
export function explainAbsent(solution: Solution, nodes: readonly Candidate[]): Explanation | undefined {
  return explain(solution, { kind: "bundles", nodes }, true);
}

function explain(solution: Solution, subject: Subject, hasFixes: boolean): Explanation | undefined {
  return solution.question.encoding.world.aside(() => explained(solution, subject, hasFixes));
}

function explained(solution: Solution, subject: Subject, hasFixes: boolean): Explanation | undefined {
  const parts = new RuleInstances(solution.question);
  const achieved = achievedBy(solution);
  const whyNot = whyNotOf(parts, subject, achieved);
  const { isLate, problem } = solution;
  const conflict = findConflict(new ConflictSearch(parts), whyNot, workFor(solution, MAX_WORK));
  if (conflict.kind === "possible") return undefined;
  if (conflict.kind === "undecided" && isLate())
    return { ...withoutFacts({ kind: "no-reason", by: "time" }), isCutOff: true };
  const trial = { solution, subject, achieved };
  if (conflict.kind === "undecided") {
    const unknown = withoutFacts({ kind: "no-reason", by: "work" });
    return hasFixes ? withFixes(unknown, dropsThatHelp(trial), solution) : unknown;
  }
  const { causes, isMinimal } = conflict;
  const mentions = new Mentions();
  const finder = new FactFinder(mentions, solution.question);
  const facts = causes.map((cause) => finder.factOf(cause));
  const proof = derive(causes, matchesIn(solution.question), mentions.idOf);
  const unread = unreadOf(solution, subject);
  const notes = [...priorityNotes(subject, causes), ...uncertainties(problem, unread, causes)];
  const remedies = remediesFor(causes, solution.question.encoding.crdChanges);
  const found = {
    ...mentions.list(),
    facts,
    body: { kind: "proof", proof },
    notes,
    isMinimal,
    fixes: [],
    ...(remedies.length > 0 && { remedies }),
  } as const;
  if (!hasFixes) return found;
  return withFixes(found, [...whatIsUnread(problem, unread), ...fixesFor(trial, causes)], solution);
}

/** An explanation with fixes; once the time is over, some may be missing. */
function withFixes(explanation: Explanation, fixes: readonly Fix[], { isLate }: Solution): Explanation {
  return { ...explanation, fixes, ...(isLate() && { isCutOff: true }) };
}

/** Why this request is not satisfied rather than one of those it conflicts with. */
function priorityNotes(subject: Subject, causes: readonly Cause[]): readonly Note[] {
  const isRival = (cause: Cause): boolean => cause.kind === "wanted" && cause.why === "request";
  if (subject.kind !== "request" || !causes.some(isRival)) return [];
  return [{ kind: "priority" }];
}

/** Unread input that may concern the subject. */
function unreadOf(solution: Solution, subject: Subject): Unread {
  if (subject.kind === "bundles") return unreadFor(solution, { nodes: subject.nodes, request: undefined });
  const { request } = subject;
  const candidates = solution.question.candidates.find((one) => one.request.id === request.id);
  const nodes = subject.kind === "better" ? subject.nodes : (candidates?.nodes ?? []);
  return unreadFor(solution, { nodes, request: candidates?.request });
}

/** The request has no candidates. */
function explainNone(
  solution: Solution,
  candidates: Candidates,
  none: NoCandidates,
  subject: Subject,
  hasFixes: boolean,
): Explanation {
  const { request } = candidates;
  const { problem, question } = solution;
  const mentions = new Mentions();
  const fact = noCandidatesFact(candidates, none, question, mentions);
  const explanation = { ...withoutFacts({ kind: "facts" }), ...mentions.list(), facts: [fact] };
  if (!hasFixes) return explanation;
  const cause: Cause = { kind: "wanted", why: "goal", request, members: [] };
  const trial = { solution, subject, achieved: achievedBy(solution) };
  const tried = fixesFor(trial, [cause]);
  const found = tried.length === 0 && solution.isLate() ? fixesWithoutSearch(trial, cause) : tried;
  const first = [
    ...toRead(problem, none),
    ...missingCatalogs(problem, request, none),
    ...(found.length > 0 ? [] : notNamed(none)),
    ...withoutEdges(request, none),
  ];
  return withFixes(explanation, [...first.map((one) => fixWithoutChange(one, problem)), ...found], solution);
}

/** Why there are no candidates, and what exists instead. */
function noCandidatesFact(
  { request }: Candidates,
  none: NoCandidates,
  { problem, encoding: { world } }: Question,
  { idOf }: Mentions,
): NoCandidatesFact {
  const { package: owner, catalog, id, place } = request;
  const { catalogs } = problem;
  const known = ((): readonly string[] => {
    if (none.kind === "no-channel")
      return catalogs.flatMap(({ packages }) => [...(packages.get(owner)?.channels.keys() ?? [])]);
    if (none.kind !== "no-catalog") return [];
    const same = catalogs.filter(({ name }) => name === catalog?.name).map(wholeName);
    return same.length > 0 ? same : catalogs.map(({ name }) => name);
  })();
  const offered = none.kind === "no-version" ? world.chainsOf(world.packageNameOf(owner)) : [];
  return {
    kind: "no-candidates",
    rule: "subscription",
    subject: id,
    request: requestRef(request),
    none: plainNone(none),
    known: [...new Set(known)].sort(compareText),
    offered: offered.map(idOf),
    ...(problem.unavailable.length > 0 && { isCatalogMissing: true }),
    ...(problem.options.compat && { isCompat: true }),
    ...at(place),
  };
}

/** OLM changes nothing in a namespace while the installed operators violate a rule. */
function explainBroken(solution: Solution, subject: Subject, hasFixes: boolean): Explanation {
  const { stillBroken, question } = solution;
  const facts = stillBroken.map(({ rule }): Fact => {
    const { detail, operator, place } = rule;
    return { kind: "broken", rule: detail.rule, broken: rule, subject: operator?.name ?? "", ...(place && { place }) };
  });
  const explanation = { ...withoutFacts({ kind: "facts" }), facts, isMinimal: false };
  if (!hasFixes) return explanation;
  const parts = new RuleInstances(question);
  const trial = { solution, subject, achieved: achievedBy(solution) };
  const broken = stillBroken.flatMap((one, index) => causesOf(parts.ofRepair(one, index)));
  return withFixes(explanation, fixesFor(trial, broken), solution);
}

/** The search ended undecided. */
function explainBudget({ problem, limit }: Solution, more: { readonly isUnproven?: true } = {}): Explanation {
  const { options } = problem;
  const explanation = withoutFacts({ kind: "limit", limit, maxConflicts: options.maxConflicts, ...more });
  if (limit === "time") return { ...explanation, isCutOff: true };
  const raised = limit === "cost" ? "celCostLimit" : "maxConflicts";
  return { ...explanation, fixes: [fixOf([{ kind: "limit", limit: raised, value: options[raised] * 10 }], problem)] };
}

/** It is possible, but another request is not; the facts are the reason for the first of those. */
function allOrNothing(solution: Solution, subject: Subject): Explanation {
  const { nothingFor, problem } = solution;
  const partly: Change = { kind: "partly" };
  const helps = confirmed({ solution, subject, achieved: achievedBy(solution) }, [partly]) !== undefined;
  const [first] = nothingFor;
  const inTheWay = first && explainUnsatisfied(solution, first, false);
  const facts =
    first === undefined ? [] : [requestFact("all-or-nothing", requestRef(first.request)), ...(inTheWay?.facts ?? [])];
  return {
    ...withoutFacts({ kind: "all-or-nothing", requests: nothingFor.map(({ request }) => requestRef(request)) }),
    ...(inTheWay && { operators: inTheWay.operators, offers: inTheWay.offers }),
    facts,
    fixes: helps ? [fixOf([partly], problem)] : [],
    ...(solution.isLate() && { isCutOff: true }),
  };
}

/** The answer is not proven to be optimal; this may be possible after all. */
function unproven(solution: Solution): Explanation {
  return explainBudget(solution, { isUnproven: true });
}
