// Why does a request go without an operator, or with an older one? What stands in the way of its best candidates, seen
// from the answer.

import type { Rule } from "../constraint/rule.ts";
import { subscriptionRule } from "../constraint/subscription-rule.ts";
import type { Candidates, NoCandidates } from "./candidates.ts";
import { orphansLackedBy, rulesAgainst } from "./local-reasons.ts";
import { rankOf, wishOf } from "./operators.ts";
import type { Explanation, Fact, HeldBack, Unsatisfied } from "./resolution.ts";
import type { Solution } from "./solution.ts";

/** So many candidates are looked at; more would tell the same again. */
const MOST_CANDIDATES = 3;

/** Operators that have a better candidate than the one they got, each once. */
export function heldBackIn(solution: Solution): readonly HeldBack[] {
  if (solution.impossible) return [];
  const held = new Map<string, HeldBack>();
  for (const candidates of solution.satisfied) {
    const { installed, nodes, request } = candidates;
    const rank = rankOf(candidates, solution.members);
    const now = nodes[rank];
    const name = now?.bundle.name ?? installed?.name;
    if (rank === 0 || nodes.length === 0 || name === undefined || held.has(name)) continue;
    held.set(name, {
      package: now?.bundle.package ?? installed?.package ?? request.package,
      name,
      available: nodes.slice(0, rank).map(({ bundle }) => bundle.name),
      explanation:
        solution.nothingFor.length > 0 ? allOrNothing(solution) : explainCandidates(solution, candidates, rank),
    });
  }
  return [...held.values()];
}

/** Why a request has no operator. */
export function unsatisfiedBy(solution: Solution, candidates: Candidates, undecided: boolean): Unsatisfied {
  const { request, none, nodes } = candidates;
  if (solution.impossible) return { request, undecided, explanation: explainBroken(solution) };
  if (solution.undecided.has(candidates)) return { request, undecided, explanation: explainBudget(solution) };
  if (solution.nothingFor.length > 0 && !solution.nothingFor.includes(candidates))
    return { request, undecided, explanation: allOrNothing(solution) };
  if (none === undefined)
    return { request, undecided, explanation: explainCandidates(solution, candidates, nodes.length) };
  const rule = subscriptionRule(request, []);
  const text = noCandidatesText(candidates, none, solution.problem.unavailable.length > 0);
  return { request, undecided, explanation: { text, facts: [{ ...factOf(rule), text }], fixes: [] } };
}

/** OLM does nothing in a namespace while what runs there violates a rule. */
function explainBroken({ stillBroken }: Solution): Explanation {
  const facts = stillBroken.map(({ rule }) => factOf(rule));
  return { text: facts.map(({ text }) => text).join("\n"), facts, fixes: [] };
}

/** The search ended before it could say yes or no. */
function explainBudget({ problem, limit }: Solution): Explanation {
  const { maxConflicts, celCostLimit } = problem.options;
  const ended = "the search ended before this was decided";
  switch (limit) {
    case "time":
      return { text: `${ended}: the time was over`, facts: [], fixes: [] };
    case "cost": {
      const fixes = [{ text: "let rules cost more", command: `--cel-cost-limit ${celCostLimit * 10}` }];
      return { text: `${ended}: the CEL rules cost more than they may in all`, facts: [], fixes };
    }
    case "conflicts": {
      const fixes = [{ text: "search longer", command: `--max-conflicts ${maxConflicts * 10}` }];
      return { text: `${ended}, at most ${maxConflicts} dead ends being allowed`, facts: [], fixes };
    }
  }
}

function allOrNothing({ nothingFor }: Solution): Explanation {
  const ids = nothingFor.map(({ request }) => request.id);
  const text = `all or nothing was asked for, and ${ids.join(", ")} ${ids.length === 1 ? "is" : "are"} not possible`;
  return { text, facts: [], fixes: [{ text: "take what is possible", command: "without --all-or-nothing" }] };
}

function explainCandidates(solution: Solution, candidates: Candidates, count: number): Explanation {
  const { nodes, installed } = candidates;
  const facts = new Map<string, Fact>();
  const fixes = new Map<string, Explanation["fixes"][number]>();
  /** The names of those of which the same is to be said, by what is said without the name. */
  const alike = new Map<string, { readonly text: string; readonly names: string[] }>();
  for (const node of nodes.slice(0, Math.min(count, MOST_CANDIDATES))) {
    const rules = rulesAgainst(solution, node, installed);
    for (const rule of rules) facts.set(rule.text, factOf(rule));
    for (const { group, version, kind } of orphansLackedBy(solution, node)) {
      const command = `--property 'olm.gvk:=${JSON.stringify({ group, version, kind })}'`;
      fixes.set(command, { text: `if something that is no operator provides ${kind}, say so`, command });
    }
    const { name } = node.bundle;
    const text = rules.map((rule) => rule.text).join("; and ");
    const said =
      text === ""
        ? `${name} does not fit together with the rest of the answer`
        : text.startsWith(name)
          ? text
          : `${name}: ${text}`;
    const key = said.replaceAll(name, "");
    const same = alike.get(key);
    if (same === undefined) alike.set(key, { text: said, names: [] });
    else same.names.push(name);
  }
  const lines = [...alike.values()].map(({ text, names }) =>
    names.length === 0 ? text : `${text}; likewise ${names.join(", ")}`,
  );
  const rest = count - MOST_CANDIDATES;
  if (rest > 0) lines.push(rest === 1 ? "and one older version" : `and ${rest} older versions`);
  const { unavailable, options } = solution.problem;
  if (unavailable.length > 0 && !options.ignoreUnavailable)
    lines.push(
      `not available, and perhaps better: ${unavailable.map(({ name, reason }) => `catalog ${name} (${reason})`).join(", ")}`,
    );
  return { text: lines.join("\n"), facts: [...facts.values()], fixes: [...fixes.values()] };
}

function factOf({ name, text, subject, place }: Rule): Fact {
  return place === undefined ? { rule: name, text, subject } : { rule: name, text, subject, place };
}

function noCandidatesText({ request }: Candidates, none: NoCandidates, isAway: boolean): string {
  const wish = wishOf(request);
  switch (none.kind) {
    case "unavailable":
      return `the catalog ${none.catalog} is not available: ${none.reason}`;
    case "no-catalog":
      return `there is no catalog ${none.catalog}`;
    case "no-package":
      return request.catalog === undefined
        ? `no catalog${isAway ? " that is available" : ""} has a package ${request.package}`
        : `catalog ${request.catalog.name} has no package ${request.package}`;
    case "no-channel":
      return `there is no channel ${request.channel} in package ${request.package}`;
    case "no-start":
      return `there is no ${request.startingCSV} in ${wish}`;
    case "no-version":
      return `there is no bundle in ${wish}`;
    case "no-update":
      return `there is no update in ${wish}`;
  }
}
