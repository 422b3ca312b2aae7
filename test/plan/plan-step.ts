// How is one step of a plan written by hand? Bundles with their content, a namespace, and what changes in it.

import { manifestProperty } from "../../src/input/bundle-directory/manifest-property.ts";
import type { Bundle, Catalog, Package, Property } from "../../src/model/catalog.ts";
import type { JsonObject } from "../../src/model/json.ts";
import { DEFAULT_OPTIONS, type Installed, type Problem } from "../../src/model/problem.ts";
import type { Migration } from "../../src/plan/migration.ts";
import type { Action, Plan } from "../../src/plan/plan.ts";
import { type FoundPlan, type PlannedChange, type PlannedStep, planValues } from "../../src/plan/plan-draft.ts";
import { actionText } from "../../src/render/sentence/action.ts";
import { bundle, catalogOf } from "../catalog/lantern-catalog.ts";

/** A package with one channel `stable`, the versions in their order, each with its manifests; none: only its image is known. */
export function packageOf(
  owner: string,
  versions: { readonly [version: string]: readonly (JsonObject | Property)[] },
): readonly JsonObject[] {
  const names = Object.keys(versions).map((version) => `${owner}.v${version}`);
  const entries = names.map((name, index) => ({ name, ...(index > 0 && { replaces: names[index - 1] as string }) }));
  const properties = (content: readonly (JsonObject | Property)[]): readonly JsonObject[] =>
    content.map((one) => ("type" in one && "value" in one ? one : manifestProperty(one as JsonObject)) as JsonObject);
  return [
    { schema: "olm.package", name: owner, defaultChannel: "stable" },
    { schema: "olm.channel", package: owner, name: "stable", entries },
    ...Object.entries(versions).map(([version, content]) => bundle(owner, version, properties(content))),
  ];
}

/** A catalog `harbour` of these documents. */
export function catalogWith(...documents: readonly (readonly JsonObject[])[]): Catalog {
  return catalogOf(documents.flat());
}

/** A ClusterServiceVersion. */
export function csv(name: string, spec: JsonObject = {}): JsonObject {
  return { apiVersion: "operators.coreos.com/v1alpha1", kind: "ClusterServiceVersion", metadata: { name }, spec };
}

/** Any other object. */
export function object(kind: string, name: string, apiVersion = "v1"): JsonObject {
  return { apiVersion, kind, metadata: { name } };
}

/** Namespace `quay`, by default without requests and operators. */
export function quay(catalogs: readonly Catalog[], more: Partial<Problem> = {}): Problem {
  return {
    namespace: "quay",
    catalogs,
    unavailable: [],
    requests: [],
    installed: [],
    elsewhere: [],
    node: { properties: [] },
    runtime: { entries: [], problems: [] },
    targets: undefined,
    removed: [],
    gone: [],
    options: DEFAULT_OPTIONS,
    ...more,
  };
}

/** The bundle of a name. */
export function bundleIn(catalog: Catalog, name: string): Bundle {
  const owner = catalog.packages.get(name.replace(/\.v.*$/, "")) as Package;
  return owner.bundles.get(name) as Bundle;
}

/** An operator of namespace `quay`, of the package that its name begins with. */
export function runs(name: string, more: Partial<Installed> = {}): Installed {
  return {
    namespace: "quay",
    name,
    package: name.replace(/\.v.*$/, ""),
    version: undefined,
    properties: [],
    minKubeVersion: undefined,
    installModes: [],
    hold: undefined,
    place: undefined,
    ...more,
  };
}

/** A bundle comes, in channel `stable` of its catalog. */
export function comes(catalog: Catalog, name: string, more: Partial<PlannedChange> = {}): PlannedChange {
  const found = bundleIn(catalog, name);
  return {
    package: found.package,
    from: undefined,
    alsoFrom: [],
    to: { catalog, channel: "stable", bundle: found },
    request: undefined,
    generatedSubscription: undefined,
    requiredBy: [],
    reason: { kind: "way" },
    ...more,
  };
}

/** An operator goes. */
export function goes(from: Installed): PlannedChange {
  return {
    package: from.package ?? "",
    from,
    alsoFrom: [],
    to: undefined,
    request: undefined,
    generatedSubscription: undefined,
    requiredBy: [],
    reason: { kind: "way" },
  };
}

/** What each action does, in its order: `verb kind name`. */
export function actionLines(actions: readonly Action[]): readonly string[] {
  return actions.map(({ verb, kind, name }) => `${verb} ${kind} ${name}`);
}

/** An action in words; nothing where there is none. */
export function actionSentence(action: Action | undefined): string {
  return action === undefined ? "" : actionText(action);
}

/** A step that makes these changes. */
export function stepOf(
  problem: Problem,
  changes: readonly PlannedChange[],
  migrations: readonly Migration[] = [],
): PlannedStep {
  return { changes, because: [], problem, migrations };
}

/** A plan of the namespace of a problem; of what it leads to nothing is known. */
export function planOf(problem: Problem, ...generations: readonly (readonly PlannedStep[])[]): Plan {
  const way = {
    namespace: problem.namespace,
    generations: generations.map((steps, index) => ({ number: index + 1, steps })),
    before: problem,
    after: problem,
  };
  return planValues([way as unknown as FoundPlan], { actions: "whole" })[0] as Plan;
}
