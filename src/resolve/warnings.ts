// Which warnings does an answer have? Rules that were broken before, malformed bundles, deprecations, unknown facts.

import { bundleFacts, installedFacts } from "../constraint/bundle-facts.ts";
import type { Constraint } from "../constraint/constraint.ts";
import { problemPlace } from "../constraint/constraint-findings.ts";
import { outlineOf } from "../constraint/outline.ts";
import { isPredicate, predicateOf, predicatesIn } from "../constraint/predicate-key.ts";
import { statementOf } from "../crd/finding.ts";
import { type Bundle, gvkOf, kindKey } from "../model/catalog.ts";
import { compareText, given } from "../model/json.ts";
import type { OperatorRef } from "../model/operator-ref.ts";
import { at } from "../model/place.ts";
import { platformNotes } from "../rule/platform-version.ts";
import { runtimeRefusal } from "../rule/runtime-constraint.ts";
import { rankOf } from "./candidates.ts";
import { usableFor } from "./extension-candidates.ts";
import type { BrokenBefore } from "./installed-state.ts";
import { limitedDemands } from "./limits-hit.ts";
import { type Operator, placeOf, propertiesOf, refOf, shortRef } from "./member.ts";
import { chooseAsOlmV1, dependenciesOf } from "./olmv1/choose.ts";
import { type Provider, providersFor } from "./provider-walk.ts";
import type { Solution } from "./solution.ts";
import { runtimeConstraintsOf } from "./unary-rules.ts";
import { type BrokenOutcome, compareWarnings, distinctWarnings, type Warning } from "./warning.ts";

/** A runtime constraint that a smaller share of all bundles meets is suspicious. */
const RARE = 0.01;

/** All warnings, sorted. */
export function warningsOf(solution: Solution): readonly Warning[] {
  const hasDefinitions = (solution.problem.definitions?.length ?? 0) > 0;
  const warnings = [
    ...brokenBefore(solution),
    ...malformed(solution),
    ...deprecations(solution),
    ...platform(solution),
    ...runtime(solution),
    ...evaluationErrors(solution),
    ...limitsHit(solution),
    ...(solution.problem.scope === "cluster" ? refusedByOlmV1(solution) : []),
    ...(hasDefinitions ? [...crdUpgrades(solution), ...notServed(solution), ...notChecked(solution)] : []),
  ];
  return distinctWarnings(warnings).toSorted(compareWarnings);
}

/** Bundles that OLM v1 would not choose: they have dependencies, or it cannot decide between catalogs. */
function refusedByOlmV1({ problem, chosen, satisfied }: Solution): readonly Warning[] {
  return chosen.flatMap((node): readonly Warning[] => {
    const operator = refOf(node);
    const dependent = refusedForDependencies(operator, node.bundle);
    if (dependent.length > 0) return dependent;
    const asking = satisfied.find(({ nodes }) => nodes.includes(node));
    if (asking === undefined) return [];
    const { request, installed } = asking;
    const choice = chooseAsOlmV1(request, installed, usableFor(request, problem.catalogs));
    return choice.kind === "several-catalogs" ? [{ code: "olmv1-refuses", operator, refusal: choice }] : [];
  });
}

/** OLM v1 does not install a bundle that has dependencies. */
export function refusedForDependencies(operator: OperatorRef, bundle: Bundle): readonly Warning[] {
  const properties = dependenciesOf(bundle);
  if (properties.length === 0) return [];
  return [{ code: "olmv1-refuses", operator, refusal: { kind: "dependency", bundle: bundle.name, properties } }];
}

function brokenBefore(solution: Solution): readonly Warning[] {
  const brokenWarnings = (
    some: readonly BrokenBefore[],
    stayOrMoveOf: (one: BrokenBefore) => BrokenOutcome,
  ): readonly Warning[] =>
    some
      .filter(({ byRemoval }) => !byRemoval)
      .map((one) => {
        const { place, ...rule } = one.rule;
        return { code: "already-broken", rule, fate: stayOrMoveOf(one), ...at(place) };
      });
  return [
    ...brokenWarnings(solution.stillBroken, () => ({ kind: "stays" })),
    ...brokenWarnings(solution.repaired, (one) => repairOf(one, solution)),
  ];
}

/** Whether the answer repairs it; unknown for some replacements. */
function repairOf({ about, rule }: BrokenBefore, { question, members }: Solution): BrokenOutcome {
  if (about.kind !== "alone") return { kind: "repaired" };
  const next = question.candidates
    .filter(({ installed }) => installed === about.member)
    .flatMap(({ nodes }) => nodes.filter((node) => members.has(node)))[0];
  const facts = next === undefined ? undefined : bundleFacts(next.bundle.properties);
  if (next === undefined || facts === undefined || (facts.installModes ?? []).length > 0) return { kind: "repaired" };
  const { detail } = rule;
  if (detail.rule === "install-mode") return { kind: "replaced", by: shortRef(next), unknown: "install-modes" };
  const isUnknown =
    detail.rule === "platform-version" && detail.of === "Kubernetes" && facts.minKubeVersion === undefined;
  return isUnknown ? { kind: "replaced", by: shortRef(next), unknown: "kubernetes" } : { kind: "repaired" };
}

/** Bundles that were skipped because their constraints are malformed: better candidates, and better providers. */
function malformed({ question, members }: Solution): readonly Warning[] {
  const { world } = question.encoding;
  const passed = new Set<Operator>(question.candidates.flatMap((one) => one.nodes.slice(0, rankOf(one, members))));
  // Equal requirements share one list of providers.
  const lists = new Set<readonly Provider[]>();
  for (const member of [...members, ...passed])
    for (const leaf of world.leavesOf(propertiesOf(member))) lists.add(providersFor(question, leaf, member));
  for (const list of lists)
    for (const provider of list) {
      if (provider === "fixed" || members.has(provider)) break;
      passed.add(provider);
    }
  return [...passed].flatMap((one) => {
    if (!("bundle" in one)) return [];
    const { properties, place } = one.bundle;
    return world.requirementsOf(properties).problems.map((problem): Warning => {
      const { message, hint } = problem;
      const mistakes = [hint === undefined ? { message } : { message, hint }];
      const detail = { rule: "malformed-constraint", mistakes, more: 0 } as const;
      return { code: "malformed-constraint", operator: shortRef(one), detail, ...at(problemPlace(problem, place)) };
    });
  });
}

function deprecations({ question, chosen }: Solution): readonly Warning[] {
  return chosen.flatMap((node) => {
    const { bundle, index } = node;
    const owner = index.catalog.packages.get(bundle.package);
    if (owner === undefined) return [];
    const { package: ofPackage, channels, bundles } = owner.deprecations;
    if (ofPackage === undefined && channels.size + bundles.size === 0) return [];
    const [asking] = question.requestsFor.get(node) ?? [];
    const channel = asking?.channels.get(node) ?? node.channelPosition?.channel ?? "";
    const texts = [
      [ofPackage, {}],
      [channels.get(channel), { channel }],
      [bundles.get(bundle.name), { operator: shortRef(node) }],
    ] as const;
    return texts.flatMap(([text, what]): Warning[] =>
      text === undefined ? [] : [{ code: "deprecated", text: text.trim(), package: owner.name, ...what }],
    );
  });
}

function platform({ problem, members }: Solution): readonly Warning[] {
  return [...members].flatMap((member) =>
    platformNotes(
      "bundle" in member ? bundleFacts(member.bundle.properties) : installedFacts(member),
      problem.node,
    ).map((note): Warning => ({ code: "unknown-platform", operator: shortRef(member), note })),
  );
}

/** Installed operators are exempt; a constraint that hardly any bundle meets is probably a mistake. */
function runtime({ problem, kept, question }: Solution): readonly Warning[] {
  if (problem.runtime.entries.length === 0) return [];
  const { world } = question.encoding;
  const constraints = runtimeConstraintsOf(world, problem.runtime);
  const violated = kept.flatMap((operator) =>
    constraints.flatMap((constraint): Warning[] => {
      const detail = runtimeRefusal(operator, constraint);
      return detail === undefined
        ? []
        : [{ code: "runtime-constraint", operator: shortRef(operator), detail, ...at(constraint.place) }];
    }),
  );
  const bundles = problem.catalogs.flatMap(({ packages }) =>
    [...packages.values()].flatMap((one) => [...one.bundles.values()]),
  );
  const rare = constraints.flatMap(({ constraint, action, place }): Warning[] => {
    if (action !== "require") return [];
    const met = bundles.filter(({ properties }) => world.isMatch(predicateOf(constraint), properties)).length;
    if (met >= bundles.length * RARE) return [];
    return [{ code: "rarely-met", constraint: outlineOf(constraint), met, bundles: bundles.length, ...at(place) }];
  });
  return [...violated, ...rare];
}

/** Under a `none`, an evaluation error admits an operator that perhaps should be excluded. */
function evaluationErrors({ problem, members, question }: Solution): readonly Warning[] {
  const { world } = question.encoding;
  const operators = [...members, ...problem.elsewhere];
  return [...members].flatMap((member) =>
    world.requirementsOf(propertiesOf(member)).requirements.flatMap(({ constraint }) =>
      forbidden(constraint).flatMap((predicate) =>
        operators.flatMap((other): Warning[] => {
          const verdict = other === member ? false : world.verdict(predicateOf(predicate), propertiesOf(other));
          if (typeof verdict === "boolean") return [];
          const isElsewhere = !("bundle" in other) && other.namespace !== problem.namespace;
          return [
            {
              code: "evaluation-error",
              operator: shortRef(member),
              beside: outlineOf(predicate),
              other: isElsewhere ? refOf(other) : shortRef(other),
              error: verdict.message,
              ...at(placeOf(member)),
            },
          ];
        }),
      ),
    ),
  );
}

/** Predicates that were too expensive, for operators in the answer or better candidates. */
function limitsHit(solution: Solution): readonly Warning[] {
  const { problem, question, members } = solution;
  if (!question.encoding.world.hasLimits) return [];
  const better = question.candidates.flatMap((one) => one.nodes.slice(0, rankOf(one, members)));
  return [...members, ...better].flatMap((member) =>
    limitedDemands(solution, member).map(
      ({ constraint }): Warning => ({
        code: "cost-limit",
        operator: shortRef(member),
        constraint: outlineOf(constraint),
        limit: problem.options.celCostLimit,
        ...at(placeOf(member)),
      }),
    ),
  );
}

/** Number of findings about the CRDs of a bundle that are repeated; the rest is counted. */
const MAX_CRD_FINDINGS = 3;

/** Findings about CRDs that the answer changes, where they do not forbid it. */
function crdUpgrades({ question, chosen }: Solution): readonly Warning[] {
  const { crdChanges } = question.encoding;
  return chosen.flatMap((node) => {
    const operator = shortRef(node);
    const findings = crdChanges.findingsOf(node).filter(({ severity }) => severity === "warning");
    const repeated = findings.slice(0, MAX_CRD_FINDINGS).map((finding): Warning => {
      const { crd, place } = finding;
      const assumedFrom = crdChanges.assumedFrom(crd);
      return given({
        code: "crd-upgrade",
        operator,
        finding: { ...statementOf(finding), crd },
        assumedFrom,
        ...at(place),
      });
    });
    const more = findings.length - repeated.length;
    return more > 0 ? [...repeated, { code: "crd-upgrade", operator, more }] : repeated;
  });
}

/**
 * Versions that a new operator requires and that are not served: the CRD exists, and nothing in the answer changes
 * it.
 */
function notServed({ question, chosen }: Solution): readonly Warning[] {
  const { crdChanges } = question.encoding;
  const brought = new Set(chosen.flatMap((node) => crdChanges.broughtKinds(node)));
  return chosen.flatMap((node) =>
    crdChanges
      .notServed(node)
      .map(gvkOf)
      .filter((api) => !brought.has(kindKey(api)))
      .map((api): Warning => ({ code: "crd-not-served", operator: shortRef(node), api, ...at(node.bundle.place) })),
  );
}

/** CRDs of the cluster that the answer may change in an unknown way: the manifests are not in the catalog. */
function notChecked({ question, chosen }: Solution): readonly Warning[] {
  const unknown = chosen.filter((node) => question.encoding.crdChanges.notChecked(node).length > 0);
  const crds = new Set(unknown.flatMap((node) => question.encoding.crdChanges.notChecked(node)));
  if (unknown.length === 0) return [];
  const operators = unknown.map(shortRef).sort((a, b) => compareText(a.name, b.name));
  const [only, ...others] = crds;
  return [
    {
      code: "crd-not-checked",
      operators: operators.slice(0, MAX_CRD_FINDINGS),
      hasMore: operators.length > MAX_CRD_FINDINGS,
      crds: crds.size,
      ...(only !== undefined && others.length === 0 && { crd: only }),
    },
  ];
}

/** The predicates below a `none`. */
function forbidden(constraint: Constraint): readonly Constraint[] {
  if (isPredicate(constraint) || !("constraints" in constraint)) return [];
  if (constraint.kind === "none")
    return constraint.constraints.flatMap((child) => predicatesIn(child).map((predicate) => predicate.constraint));
  return constraint.constraints.flatMap(forbidden);
}
