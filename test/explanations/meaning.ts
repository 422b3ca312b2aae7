// What does an explanation mean to its judges? Its facts with the bundles and operators of the problem in the place
// of numbers: what a fact leaves out is not available to them.

import type { Requirement } from "../../src/constraint/constraint.ts";
import { outlineOf } from "../../src/constraint/outline.ts";
import { gvkKey } from "../../src/model/catalog.ts";
import { canonicalText, type Json } from "../../src/model/json.ts";
import type { Installed, Problem } from "../../src/model/problem.ts";
import type { Candidate } from "../../src/resolve/catalog-index.ts";
import { type CatalogWorld, catalogWorld } from "../../src/resolve/catalog-world.ts";
import type { Cause } from "../../src/resolve/explain/cause.ts";
import type { DemandFact, ExplainedOperator, Fact, OperatorId, Proof } from "../../src/resolve/explain/fact.ts";
import { type Operator, propertiesOf } from "../../src/resolve/member.ts";
import type { Explanation } from "../../src/resolve/resolution.ts";

/** What is certain after a step. */
export type Conclusion =
  | { readonly kind: "one-of" | "none-of"; readonly members: readonly Operator[] }
  | { readonly kind: "impossible" };

/** A proof with its causes and members. */
export interface Derivation {
  readonly steps: readonly {
    readonly causes: readonly Cause[];
    readonly after: readonly number[];
    readonly conclusion: Conclusion;
  }[];
  readonly cases: readonly { readonly members: readonly Operator[]; readonly derivation: Derivation }[];
}

/** What an explanation means. */
export interface Meaning {
  /** None where the reason is not about rules. */
  readonly causes: readonly Cause[];
  readonly derivation: Derivation | undefined;
}

/** The meaning of an explanation of a problem. */
export function meaningOf({ facts, operators, body }: Explanation, problem: Problem): Meaning {
  const world = catalogWorld(problem);
  const members = operators.map((operator) => memberOf(operator, problem, world));
  const selfOf = (id: OperatorId): Operator => members[id] as Operator;
  const isReason = body.kind === "proof" || (body.kind === "facts" && facts[0]?.kind === "no-candidates");
  if (!isReason) return { causes: [], derivation: undefined };
  const causes = facts.map((fact) => causeOf(fact, selfOf, problem, world));
  return { causes, derivation: body.kind === "proof" ? derivationOf(body.proof, causes, selfOf) : undefined };
}

function memberOf(operator: ExplainedOperator, problem: Problem, world: CatalogWorld): Operator {
  const { name, catalog, namespace } = operator;
  if (catalog === undefined) {
    const all = [...problem.installed, ...problem.elsewhere];
    return all.find((one) => one.name === name && one.namespace === namespace) as Installed;
  }
  const found = problem.catalogs.find((one) => one.name === catalog.name && one.namespace === catalog.namespace);
  const bundle = found?.packages.get(operator.package ?? "")?.bundles.get(name);
  if (found === undefined || bundle === undefined) throw new Error(`unknown operator ${name}`);
  return world.indexOf(found).nodeOf(bundle);
}

function causeOf(fact: Fact, selfOf: (id: OperatorId) => Operator, problem: Problem, world: CatalogWorld): Cause {
  const all = (ids: readonly OperatorId[]): readonly Operator[] => ids.map(selfOf);
  const isRepair = "isRepair" in fact && fact.isRepair === true;
  switch (fact.kind) {
    case "wanted":
    case "no-candidates": {
      const request = problem.requests.find(({ id }) => id === fact.request?.id);
      return fact.kind === "wanted"
        ? { kind: "wanted", why: fact.why, request, members: all(fact.members) }
        : { kind: "wanted", why: "goal", request, members: [] };
    }
    case "stay-or-move": {
      const { kind, channels } = fact;
      const installed = selfOf(fact.installed) as Installed;
      return { kind, installed, channels, targets: all(fact.targets) as readonly Candidate[] };
    }
    case "stays": {
      const { kind, why } = fact;
      return {
        kind,
        why,
        installed: selfOf(fact.installed) as Installed,
        targets: all(fact.targets) as readonly Candidate[],
      };
    }
    case "demand": {
      const demands = fact.demands.map((one) => {
        const member = selfOf(one.member);
        return { member, requirement: requirementOf(fact, one, world, member) };
      });
      return { kind: "demand", owner: fact.owner, demands, isRepair };
    }
    case "refusal": {
      const refused = fact.refused.map(({ member, detail }) => ({ member: selfOf(member), refusal: { detail } }));
      return { kind: "refusal", owner: fact.owner, refused, isRepair };
    }
    case "one-bundle":
      return { kind: fact.kind, of: fact.package, members: all(fact.members), isRepair };
    case "one-provider":
      return { kind: fact.kind, of: gvkKey(fact.api), members: all(fact.members), isRepair };
    case "unserved":
      return { kind: fact.kind, api: gvkKey(fact.api), users: all(fact.users), definers: all(fact.definers) };
    case "unavailable":
      return { kind: fact.kind, catalogs: fact.catalogs };
    default:
      throw new Error(`a proof does not rest on ${fact.kind}`);
  }
}

/** The requirement of a member that a fact is about. */
function requirementOf(
  { demanded }: DemandFact,
  { demanded: place }: DemandFact["demands"][number],
  world: CatalogWorld,
  member: Operator,
): Requirement {
  const wanted = demanded[place];
  const textOf = (one: object | undefined): string => canonicalText(JSON.parse(JSON.stringify(one)) as Json);
  const found = world
    .requirementsOf(propertiesOf(member))
    .requirements.find(
      ({ constraint, action, optional }) =>
        !optional &&
        (action === "conflict") === (wanted?.isConflict === true) &&
        textOf(outlineOf(constraint)) === textOf(wanted?.constraint),
    );
  if (found === undefined) throw new Error("no requirement of the member matches the fact");
  return found;
}

function derivationOf(
  { steps, cases }: Proof,
  causes: readonly Cause[],
  selfOf: (id: OperatorId) => Operator,
): Derivation {
  return {
    steps: steps.map(({ facts, after, conclusion }) => ({
      causes: facts.map((fact) => causes[fact] as Cause),
      after,
      conclusion:
        conclusion.kind === "impossible" ? conclusion : { ...conclusion, members: conclusion.members.map(selfOf) },
    })),
    cases: cases.map(({ members, proof }) => ({
      members: members.map(selfOf),
      derivation: derivationOf(proof, causes, selfOf),
    })),
  };
}
