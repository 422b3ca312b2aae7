// Why is it not as somebody wants it? The explanation of a request without an operator, of an operator that could be
// newer, of a bundle that is not there.

import { linesText, oneLine } from "../../model/one-line.ts";
import type { Installed } from "../../model/problem.ts";
import { shortName, waitsText } from "../../render/sentence/asker.ts";
import { brokenSubject, brokenText } from "../../render/sentence/detail.ts";
import { storyText } from "../../render/sentence/story.ts";
import { type Candidates, hasNothing, lacksSource, type NoCandidates } from "../candidates.ts";
import type { Node } from "../catalog-index.ts";
import type { Explanation, Fact, Fix } from "../resolution.ts";
import type { Solution } from "../solution.ts";
import { type Unread, unreadFor } from "../unread.ts";
import type { Change } from "../what-if.ts";
import { fixOf, fixWithoutChange } from "./advice.ts";
import type { Cause } from "./cause.ts";
import { findConflict } from "./conflict.ts";
import { derive } from "./derive.ts";
import { factOf } from "./fact-text.ts";
import { dropsThatHelp, fixesFor, fixesWithoutSearch } from "./fixes.ts";
import { Inquiry, workFor } from "./inquiry.ts";
import { matchesIn } from "./matching.ts";
import { noneText } from "./none-text.ts";
import { causesOf, Parts } from "./parts.ts";
import { proseOf } from "./prose.ts";
import { questionOf, type Subject, standingOf } from "./question.ts";
import { remediesFor } from "./remedies.ts";
import { olmText } from "./source-text.ts";
import type { Note } from "./story.ts";
import { isConfirmed } from "./trial.ts";
import { missingCatalogs, notNamed, toRead, uncertainties, whatIsUnread } from "./unread-text.ts";

/** So much work the search for the causes may be. */
const MOST_WORK = 20_000_000;

/** Why a request has no operator. */
export function explainUnsatisfied(solution: Solution, candidates: Candidates): Explanation {
  const { request, none, installed } = candidates;
  if (solution.impossible) return explainBroken(solution, { kind: "request", request });
  if (solution.undecided.has(candidates) && !hasNothing(candidates)) return explainBudget(solution);
  if (solution.nothingFor.length > 0 && !solution.nothingFor.includes(candidates))
    return allOrNothing(solution, { kind: "request", request });
  const subject: Subject = { kind: "request", request };
  if (none !== undefined && (installed === undefined || lacksSource(candidates)))
    return explainNone(solution, candidates, none, subject);
  if (installed !== undefined && solution.satisfied.includes(candidates))
    return explainHeldBack(solution, candidates, candidates.nodes.length);
  return explain(solution, subject) ?? unproven(solution);
}

/** Why an operator is not one of those that are better than what it got; `waits` if this is an answer without approvals. */
export function explainHeldBack(
  solution: Solution,
  candidates: Candidates,
  rank: number,
  waits: boolean = false,
): Explanation {
  const { request, nodes } = candidates;
  const subject: Subject = { kind: "better", request, nodes: nodes.slice(0, rank), waits };
  if (solution.nothingFor.length > 0) return allOrNothing(solution, subject);
  return explain(solution, subject) ?? unproven(solution);
}

/**
 * Why an operator is not one of those that are better, where an approval alone would not help: as in the free solution, in
 * which nothing waits. Beside what helps there, it needs approvals: its own, or also those of the operators in its way.
 */
export function explainHeldAnyway(
  automatic: Solution,
  free: Solution,
  candidates: Candidates,
  rank: number,
): Explanation {
  const { request, nodes, installed } = candidates;
  const explanation = explainHeldBack(free, candidates, rank);
  const inTheWay = explanation.causes.flatMap((cause) => ("installed" in cause ? [cause.installed] : []));
  const own = approvalsOf(automatic, installed === undefined ? [] : [installed]);
  const all = approvalsOf(automatic, installed === undefined ? inTheWay : [installed, ...inTheWay]);
  const subject: Subject = { kind: "better", request, nodes: nodes.slice(0, rank), waits: true };
  const standing = standingOf(automatic);
  // Whoever is in the way may be waiting, too: then it does only take the approval.
  const here = automatic.satisfied.find((one) => one.request.id === request.id);
  if (here !== undefined && own.length > 0 && isConfirmed(automatic, subject, standing, own))
    return explainHeldBack(automatic, here, rank, true);
  return withFixes(explanation, automatic, () =>
    explanation.fixes.flatMap((fix) => {
      const { changes, because = [] } = fix;
      if (changes.length === 0) return [fix];
      const helping = [own, all]
        .map((approvals) => [...changes, ...approvals])
        .find((some) => isConfirmed(automatic, subject, standing, some));
      if (helping === undefined) return [];
      const approved = new Set(helping.flatMap((change) => (change.kind === "approve" ? [change.package] : [])));
      const waiting = automatic.problem.requests.filter(
        (one) => one.approval === "Manual" && approved.has(one.package),
      );
      return [fixOf(helping, automatic.problem, [...because, ...waiting.map(waitsText)])];
    }),
  );
}

/** The approvals without which these operators stay. */
function approvalsOf({ problem }: Solution, operators: readonly Installed[]): readonly Change[] {
  const names = new Set(operators.map(({ name }) => name));
  const claims = problem.requests.filter((one) => one.installed !== undefined && names.has(one.installed));
  const isFree = (name: string | undefined): boolean =>
    claims.some((one) => one.installed === name && one.approval === "Automatic");
  const owners = claims.filter((one) => !isFree(one.installed)).map((one) => one.package);
  return [...new Set(owners)].map((owner): Change => ({ kind: "approve", package: owner }));
}

/** Why none of some bundles is there; nothing if no rule forbids it. */
export function explainAbsent(solution: Solution, nodes: readonly Node[]): Explanation | undefined {
  return explain(solution, { kind: "bundles", nodes });
}

function explain(solution: Solution, subject: Subject): Explanation | undefined {
  return solution.round.encoding.universe.aside(() => explained(solution, subject));
}

function explained(solution: Solution, subject: Subject): Explanation | undefined {
  const parts = new Parts(solution.round);
  const standing = standingOf(solution);
  const question = questionOf(parts, subject, standing);
  const { isLate, problem } = solution;
  const conflict = findConflict(new Inquiry(parts), question, workFor(solution, MOST_WORK));
  if (conflict.kind === "possible") return undefined;
  if (conflict.kind === "undecided" && isLate())
    return { ...nothingBut("the time was over before the reason was found"), isCutOff: true };
  if (conflict.kind === "undecided") {
    const unknown = nothingBut("the search for the reason ended at its limit before it found one");
    return withFixes(unknown, solution, () => dropsThatHelp({ solution, subject, standing }));
  }
  const { causes, isMinimal } = conflict;
  const matches = matchesIn(solution.round);
  const derivation = derive(causes, matches);
  const unread = unreadOf(solution, subject);
  const story = { kind: "text", text: proseOf(causes, derivation, matches) } as const;
  const notes = [...whoComesFirst(subject, causes), ...uncertainties(problem, unread, causes)];
  const facts = causes.map((cause) => factOf(cause, matches));
  const remedies = remediesFor(causes, solution.round.encoding.crdChanges);
  return withFixes({ story, notes, facts, isMinimal, causes, derivation, remedies }, solution, () => [
    ...whatIsUnread(problem, unread),
    ...fixesFor({ solution, subject, standing }, causes),
  ]);
}

/** What would help is looked for when somebody wants to know. */
function withFixes(
  { story, notes, facts, isMinimal, causes, derivation, remedies }: Omit<Explanation, "fixes" | "isCutOff">,
  { isLate }: Solution,
  find: () => readonly Fix[],
): Explanation {
  let known: readonly Fix[] | undefined;
  let isCutOff = false;
  const fixes = (): readonly Fix[] => {
    if (known !== undefined) return known;
    known = find();
    isCutOff = isLate();
    return known;
  };
  return {
    story,
    notes,
    facts,
    isMinimal,
    causes,
    derivation,
    remedies,
    get fixes(): readonly Fix[] {
      return fixes();
    },
    get isCutOff(): boolean {
      fixes();
      return isCutOff;
    },
  };
}

/** Why this request goes without, and not one of those that it cannot be had with. */
function whoComesFirst(subject: Subject, causes: readonly Cause[]): readonly Note[] {
  const isRival = (cause: Cause): boolean => cause.kind === "wanted" && cause.why === "request";
  if (subject.kind !== "request" || !causes.some(isRival)) return [];
  return [{ kind: "priority" }];
}

/** What was not read, as far as it may concern the subject. */
function unreadOf(solution: Solution, subject: Subject): Unread {
  if (subject.kind === "bundles") return unreadFor(solution, { nodes: subject.nodes, request: undefined });
  const { request } = subject;
  const candidates = solution.round.candidates.find((one) => one.request.id === request.id);
  const nodes = subject.kind === "better" ? subject.nodes : (candidates?.nodes ?? []);
  return unreadFor(solution, { nodes, request: candidates?.request });
}

/** There is nothing that the request could be given. */
function explainNone(solution: Solution, candidates: Candidates, none: NoCandidates, subject: Subject): Explanation {
  const { request } = candidates;
  const olm = solution.problem.options.compat ? olmText(request, none) : undefined;
  const told = [noneText(request, none, solution.round), ...(olm === undefined ? [] : [`OLM: "${olm}"`])];
  const text = told.map(oneLine).join("\n");
  const { id, place } = request;
  const stated = { rule: "subscription", text, subject: id };
  const fact: Fact = place === undefined ? stated : { ...stated, place };
  const cause: Cause = { kind: "wanted", why: "goal", request, members: [] };
  const asked = { solution, subject, standing: standingOf(solution) };
  const said = { ...nothingBut(text), facts: [fact], causes: [cause] };
  return withFixes(said, solution, () => {
    const tried = fixesFor(asked, [cause]);
    const found = tried.length === 0 && solution.isLate() ? fixesWithoutSearch(asked, cause) : tried;
    const { problem } = solution;
    const first = [
      ...toRead(problem, none),
      ...missingCatalogs(problem, request, none),
      ...(found.length > 0 ? [] : notNamed(none)),
    ];
    return [...first.map((one) => fixWithoutChange(one, problem)), ...found];
  });
}

/** OLM does nothing in a namespace while what runs there violates a rule. */
function explainBroken(solution: Solution, subject: Subject): Explanation {
  const { stillBroken, round } = solution;
  const facts = stillBroken.map(({ rule }): Fact => {
    const said = { rule: rule.detail.rule, text: brokenText(rule), subject: brokenSubject(rule) };
    return rule.place === undefined ? said : { ...said, place: rule.place };
  });
  const parts = new Parts(round);
  const asked = { solution, subject, standing: standingOf(solution) };
  const broken = stillBroken.flatMap((one, index) => causesOf(parts.ofRepair(one, index)));
  const text = linesText(facts.map((fact) => fact.text));
  return withFixes({ ...nothingBut(text), facts, isMinimal: false }, solution, () => fixesFor(asked, broken));
}

/** The search ended before it could say yes or no. */
function explainBudget({ problem, limit }: Solution): Explanation {
  const { maxConflicts, celCostLimit } = problem.options;
  const ended = "the search ended before this was decided";
  switch (limit) {
    case "time":
      return { ...nothingBut(`${ended}: the time was over`), isCutOff: true };
    case "cost":
      return nothingBut(
        `${ended}: the CEL rules cost more than they may in all`,
        fixOf([{ kind: "limit", limit: "celCostLimit", value: celCostLimit * 10 }], problem),
      );
    case "conflicts":
      return nothingBut(
        `${ended}, at most ${maxConflicts} dead ends being allowed`,
        fixOf([{ kind: "limit", limit: "maxConflicts", value: maxConflicts * 10 }], problem),
      );
  }
}

/** It is possible, but something else that was asked for is not; the facts are why the first of those is not. */
function allOrNothing(solution: Solution, subject: Subject): Explanation {
  const names = solution.nothingFor.map(({ request }) => shortName(request));
  const text = `all or nothing was asked for, and ${names.join(", ")} ${names.length === 1 ? "is" : "are"} not possible`;
  const partly: Change = { kind: "partly" };
  const helps = isConfirmed(solution, subject, standingOf(solution), [partly]);
  const facts = solution.nothingFor.slice(0, 1).flatMap((first): readonly Fact[] => {
    const { id, place } = first.request;
    const said = {
      rule: "all-or-nothing",
      subject: id,
      text: `all or nothing was asked for, and ${shortName(first.request)} is not possible`,
    };
    return [place === undefined ? said : { ...said, place }, ...explainUnsatisfied(solution, first).facts];
  });
  const isCutOff = solution.isLate();
  return { ...nothingBut(oneLine(text), ...(helps ? [fixOf([partly], solution.problem)] : [])), facts, isCutOff };
}

/** The answer is not proven to be the best; perhaps this is possible after all. */
function unproven(solution: Solution): Explanation {
  const budget = explainBudget(solution);
  return { ...budget, ...nothingBut(`no rule is known to forbid it; ${storyText(budget)}`, ...budget.fixes) };
}

/** A reason without facts: lines that were made already. */
function nothingBut(text: string, ...fixes: readonly Fix[]): Explanation {
  return {
    story: { kind: "text", text },
    notes: [],
    facts: [],
    isMinimal: true,
    fixes,
    causes: [],
    derivation: undefined,
  };
}
