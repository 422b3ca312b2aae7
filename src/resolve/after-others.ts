// What does a namespace look like after others have had their answers? Several namespaces are resolved one after another,
// each on top of what the others will be: two answers that are right by themselves could break each other.

import { bundleDefinitions } from "../constraint/bundle-definitions.ts";
import type { Bundle } from "../model/catalog.ts";
import type { CustomResourceDefinition } from "../model/custom-resource.ts";
import { compareText } from "../model/json.ts";
import type { ClusterDefinition, Installed, Problem } from "../model/problem.ts";
import type { Resolution, ResolvedOperator } from "./resolution.ts";

/** The problem once these answers have been carried out in their namespaces. */
export function afterOthers(problem: Problem, others: readonly Resolution[]): Problem {
  const changed = others.filter(({ namespace, operators }) => namespace !== problem.namespace && operators.some(isNew));
  if (changed.length === 0) return problem;
  const namespaces = new Set(changed.map(({ namespace }) => namespace));
  const elsewhere = [
    ...problem.elsewhere.filter(({ namespace }) => !namespaces.has(namespace)),
    ...changed.flatMap(({ namespace, operators }) => operators.map((operator) => running(operator, namespace))),
  ];
  const bundles = changed.flatMap(({ operators }) => operators.flatMap(({ from }) => from?.bundle ?? []));
  return {
    ...problem,
    elsewhere: elsewhere.sort((a, b) => compareText(a.namespace, b.namespace) || compareText(a.name, b.name)),
    definitions: bundles.reduce(withDefinitionsOf, problem.definitions ?? []),
  };
}

/** The custom kinds of the cluster once a bundle has been installed. Of a kind that was not given nobody knows the objects. */
function withDefinitionsOf(given: readonly ClusterDefinition[], bundle: Bundle): readonly ClusterDefinition[] {
  const after = new Map(given.map((one) => [one.definition.name, one]));
  for (const definition of bundleDefinitions(bundle.properties).definitions) {
    const before = after.get(definition.name);
    after.set(definition.name, {
      definition: applied(definition, before?.definition),
      objects: before?.objects,
      isPartial: before?.isPartial,
    });
  }
  return [...after.values()].sort((a, b) => compareText(a.definition.name, b.definition.name));
}

/** A definition as the API server has it once it was applied: objects may be stored in every version they ever were in. */
function applied(
  definition: CustomResourceDefinition,
  before: CustomResourceDefinition | undefined,
): CustomResourceDefinition {
  const recorded = before === undefined ? [] : [...before.storedVersions, ...storageOf(before)];
  return { ...definition, storedVersions: [...new Set([...recorded, ...storageOf(definition)])] };
}

function storageOf({ versions }: CustomResourceDefinition): readonly string[] {
  return versions.filter(({ storage }) => storage).map(({ name }) => name);
}

function isNew({ from }: ResolvedOperator): boolean {
  return from !== undefined;
}

/** The operator as it will run. */
function running({ from, installed, name, package: owner }: ResolvedOperator, namespace: string): Installed {
  if (from === undefined) return installed as Installed;
  return {
    namespace,
    name,
    package: owner,
    version: from.bundle.version,
    properties: from.bundle.properties,
    minKubeVersion: undefined,
    installModes: [],
    owned: bundleDefinitions(from.bundle.properties).owned,
    hold: undefined,
    place: from.bundle.place,
  };
}
