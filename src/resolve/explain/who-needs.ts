// Which operators require an operator, up to the requested ones? Below each operator those that require it,
// recursively; and what would be lost without it.

import { type Outline, outlineOf } from "../../constraint/outline.ts";
import type { Property } from "../../model/catalog.ts";
import { addTo, getOrAdd } from "../../model/grouped.ts";
import { compareText, distinct } from "../../model/json.ts";
import type { OperatorRef, RequestRef } from "../../model/operator-ref.ts";
import type { Installed } from "../../model/problem.ts";
import { type BrokenRule, brokenKey } from "../../rule/rules.ts";
import { requestOf } from "../candidates.ts";
import { nameOf, type Operator, propertiesOf, refOf, requestRef } from "../member.ts";
import { type Need, needsFromElsewhere, needsIn, sharedNeeds } from "../needs.ts";
import type { Resolution, ResolvedOperator } from "../resolution.ts";
import type { Solution } from "../solution.ts";

/** Maximum depth of the tree; what is further away is left out. */
const MAX_DEPTH = 64;

/** An operator that requires another. */
export interface NeedingOperator {
  readonly package?: string | undefined;
  /** The name of its bundle or ClusterServiceVersion. */
  readonly name: string;
  readonly version?: string | undefined;
  /** Undefined for the namespace in question. */
  readonly namespace?: string | undefined;
  /** Its requirements on the other operator. */
  readonly through: readonly Outline[];
  /** The requirement is optional. */
  readonly isOptional: boolean;
  /** The request for this operator itself. */
  readonly request?: RequestRef | undefined;
  /** The operators that require it in turn; empty if they are elsewhere in the tree. */
  readonly neededBy: readonly NeedingOperator[];
  readonly isRepeated: boolean;
  /** Other providers of the same requirements, which remain without the operator. Empty if there are none. */
  readonly alsoMetBy: readonly AlsoMeeting[];
}

/** Another provider: the cluster, or an operator, possibly of another namespace. */
export type AlsoMeeting =
  | { readonly kind: "cluster" }
  | { readonly kind: "operator"; readonly operator: OperatorRef; readonly isElsewhere: boolean };

/** What is lost if an operator is removed. */
export interface Loss {
  /** Rules that hold with it and not without it. */
  readonly broken: readonly BrokenRule[];
  /** Requests that are satisfied with it and not without it; requests for it count as well. */
  readonly requests: readonly RequestRef[];
  /** Operators that are missing, or at another version, without it. */
  readonly changed: readonly { readonly before: ResolvedOperator; readonly after?: ResolvedOperator | undefined }[];
}

/** The operators that require some members of an answer; each is listed once, as near to the root as possible. */
export function whoNeeds(solution: Solution, subjects: readonly Operator[]): readonly NeedingOperator[] {
  const needs = byProvider([...needsIn(solution), ...needsFromElsewhere(solution)]);
  const parents = nearest(needs, subjects);
  const listed = new Set<Operator>(subjects);
  const tree = (provider: Operator, depth: number): readonly NeedingOperator[] =>
    [...(needs.get(provider) ?? [])]
      .sort(([a], [b]) => compareText(nameOf(a), nameOf(b)))
      .map(([requirer, own]) => {
        const isRepeated = listed.has(requirer) || parents.get(requirer) !== provider;
        listed.add(requirer);
        const isDeeper = !isRepeated && depth < MAX_DEPTH;
        return needing(solution, requirer, own, isRepeated, isDeeper ? tree(requirer, depth + 1) : []);
      });
  return subjects.flatMap((subject) => [...tree(subject, 1), ...sharing(solution, subject, listed)]);
}

/** Operators of the namespace that have another provider for what the operator offers, without those listed already. */
function sharing(solution: Solution, subject: Operator, listed: ReadonlySet<Operator>): readonly NeedingOperator[] {
  const byRequirer = byProvider(sharedNeeds(solution, subject)).get(subject) ?? new Map<Operator, readonly Need[]>();
  return [...byRequirer]
    .filter(([requirer]) => !listed.has(requirer))
    .sort(([a], [b]) => compareText(nameOf(a), nameOf(b)))
    .map(([requirer, needs]) => ({
      ...needing(solution, requirer, needs, false, []),
      alsoMetBy: distinct(needs.flatMap((need) => othersFor(solution, need))),
    }));
}

/** The other providers of a requirement. */
function othersFor(
  { question, members, problem }: Solution,
  { leaf, provider, requirer }: Need,
): readonly AlsoMeeting[] {
  const { world } = question.encoding;
  const meets = (properties: readonly Property[]): boolean => world.isMatch(leaf.predicate, properties);
  const operator = (self: Operator, isElsewhere: boolean): AlsoMeeting => ({
    kind: "operator",
    operator: refOf(self),
    isElsewhere,
  });
  return [
    ...(meets(problem.node.properties) ? [{ kind: "cluster" } as const] : []),
    ...[...members]
      .filter((one) => one !== provider && one !== requirer && meets(propertiesOf(one)))
      .map((one) => operator(one, false)),
    ...problem.elsewhere.filter(({ properties }) => meets(properties)).map((one) => operator(one, true)),
  ];
}

/** Requirements by provider and requirer. */
function byProvider(needs: readonly Need[]): ReadonlyMap<Operator, ReadonlyMap<Operator, readonly Need[]>> {
  const found = new Map<Operator, Map<Operator, Need[]>>();
  for (const need of needs) {
    const requirers = getOrAdd(found, need.provider, () => new Map<Operator, Need[]>());
    addTo(requirers, need.requirer, need);
  }
  return found;
}

/** For each operator that requires a subject, directly or not: its parent in the tree. */
function nearest(
  needs: ReadonlyMap<Operator, ReadonlyMap<Operator, unknown>>,
  subjects: readonly Operator[],
): ReadonlyMap<Operator, Operator> {
  const parents = new Map<Operator, Operator>();
  const queue = [...subjects];
  for (const provider of queue)
    for (const requirer of [...(needs.get(provider)?.keys() ?? [])].sort((a, b) => compareText(nameOf(a), nameOf(b)))) {
      if (parents.has(requirer) || subjects.includes(requirer)) continue;
      parents.set(requirer, provider);
      queue.push(requirer);
    }
  return parents;
}

function needing(
  solution: Solution,
  self: Operator,
  needs: readonly Need[],
  isRepeated: boolean,
  neededBy: readonly NeedingOperator[],
): NeedingOperator {
  const { name, package: owner, version, namespace } = refOf(self);
  const isElsewhere = solution.problem.elsewhere.includes(self as Installed);
  const predicates = new Map(needs.map(({ leaf }) => [leaf.predicate.key, leaf.predicate]));
  const request = requestOf(solution.question.candidates, self)?.request;
  return {
    name,
    ...(owner !== undefined && { package: owner }),
    ...(version !== undefined && { version }),
    ...(isElsewhere && { namespace }),
    through: [...predicates.values()].map(({ constraint }) => outlineOf(constraint)),
    isOptional: needs.every(({ leaf }) => leaf.requirement.optional),
    ...(request !== undefined && { request: requestRef(request) }),
    neededBy,
    isRepeated,
    alsoMetBy: [],
  };
}

/** What is lost from one answer to another; changes of the package in question are left out. */
export function lossBetween(before: Resolution, after: Resolution, owner: string | undefined): Loss {
  const lacking = (resolution: Resolution): ReadonlySet<string> =>
    new Set(resolution.unsatisfied.map(({ request }) => request.id));
  const lackingBefore = lacking(before);
  const brokenBefore = new Set(before.broken.map(brokenKey));
  return {
    broken: after.broken.filter((rule) => !brokenBefore.has(brokenKey(rule))),
    requests: after.unsatisfied.map(({ request }) => request).filter(({ id }) => !lackingBefore.has(id)),
    changed: before.operators.flatMap((operator) => {
      if (operator.package === owner || after.operators.some(({ name }) => name === operator.name)) return [];
      const other = after.operators.find((one) => one.package === operator.package && one.package !== "");
      return [{ before: operator, ...(other && { after: other }) }];
    }),
  };
}

/** Does every request keep its operator, and does every rule hold? */
export function isHarmless({ broken, requests }: Loss): boolean {
  return broken.length === 0 && requests.length === 0;
}
