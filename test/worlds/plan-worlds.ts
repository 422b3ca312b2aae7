// On which worlds are plans tried? Those that were made for plans, and those that were made for answers, with and without
// custom kinds.

import { compareText } from "../../src/model/json.ts";
import { wholeSource } from "../../src/model/place.ts";
import type { Problem } from "../../src/model/problem.ts";
import { assumedDefinitions } from "../../src/resolve/prepare/definitions.ts";
import { definitionsIn, specOf } from "./bundle-manifests.ts";
import { withClusterScope } from "./cluster-scope.ts";
import { generateCrdWorld } from "./definitions.ts";
import { generateWorld } from "./generate.ts";
import { generatePlanWorld } from "./generate-plan.ts";

/** A world of a seed: its namespaces. */
export interface PlanWorld {
  readonly world: string;
  readonly seed: number;
  readonly starts: readonly Problem[];
}

/** `count` worlds from a seed on: of ten, six of the first kind and two of each of the others. */
export function* planWorlds(first: number, count: number): Iterable<PlanWorld> {
  for (let seed = first; seed < first + count; seed++) {
    const kind = KINDS[seed % KINDS.length] ?? "plan";
    const given = STARTS[kind](seed).map(asSubscriptions);
    const starts = seed % 4 === 0 ? withAssumed(given) : given;
    if (!starts.some((start) => hasNamesake(start) || hasDefinitionWithoutStorage(start)))
      yield { world: `${kind} ${seed}`, seed, starts };
  }
}

/** The same worlds, in which the last namespace is the cluster scope. */
export function* clusterScopeWorlds(first: number, count: number): Iterable<PlanWorld> {
  for (const { world, seed, starts } of planWorlds(first, count))
    if (starts.every((start) => !start.options.compat))
      yield { world: `cluster scope of ${world}`, seed, starts: withClusterScope(starts, seed) };
}

/** No API server accepts such a definition, and nothing that runs is compared with it. */
function hasDefinitionWithoutStorage({ catalogs }: Problem): boolean {
  const bundles = catalogs.flatMap(({ packages }) =>
    [...packages.values()].flatMap((one) => [...one.bundles.values()]),
  );
  return bundles.some(({ properties }) =>
    definitionsIn(properties).some((manifest) => specOf(manifest).versions.every(({ storage }) => !storage)),
  );
}

type Kind = "plan" | "answer" | "definitions";

const KINDS: readonly Kind[] = [
  "plan",
  "plan",
  "answer",
  "plan",
  "definitions",
  "plan",
  "answer",
  "plan",
  "plan",
  "definitions",
];

const STARTS: Readonly<Record<Kind, (seed: number) => readonly Problem[]>> = {
  plan: generatePlanWorld,
  answer: (seed) => [generateWorld(seed)],
  definitions: (seed) => [withoutOrders(generateCrdWorld(seed))],
};

/** The definitions were not given: what is assumed is there, and it is unknown in which versions objects are stored. */
function withAssumed(problems: readonly Problem[]): readonly Problem[] {
  return problems.map((problem) => {
    const { definitions, installed, elsewhere, catalogs } = problem;
    if (definitions === undefined) return problem;
    const assumed = assumedDefinitions([], [...installed, ...elsewhere], catalogs);
    const byName = assumed.toSorted((a, b) => compareText(a.definition.name, b.definition.name));
    return { ...problem, definitions: byName.map((one) => ({ ...one, objects: undefined })) };
  });
}

/** Requests come from Subscriptions of the cluster, not from the command line. */
function asSubscriptions(problem: Problem): Problem {
  return { ...problem, requests: problem.requests.map((one) => ({ ...one, place: wholeSource("cluster.yaml") })) };
}

/** OLM does not look at definitions, and settings can call a loss harmless: both may fail on the cluster. */
function withoutOrders(problem: Problem): Problem {
  const { CRD101: _, CRD104: __, ...crdSeverities } = problem.options.crdSeverities ?? {};
  return { ...problem, options: { ...problem.options, compat: false, crdSeverities } };
}

/** Does an operator of an unknown package have the name of a bundle? Then that bundle could never come. */
function hasNamesake({ installed, catalogs }: Problem): boolean {
  const names = catalogs.flatMap(({ packages }) =>
    [...packages.values()].flatMap(({ bundles }) => [...bundles.keys()]),
  );
  return installed.some(({ name, package: owner }) => owner === undefined && names.includes(name));
}
