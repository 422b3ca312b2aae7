// How do ClusterExtensions become a problem? Their bundles, catalogs and requests, in any order; beside namespaces.

import { describe, expect, test } from "vitest";
import { bundle } from "../../../test/catalog/lantern-catalog.ts";
import { given, packageDocuments, recorded, subscription } from "../../../test/resolve/prepare-given.ts";
import { apiOf, type KindDraft, manifestOf, manifestProperty, onCluster } from "../../../test/worlds/definitions.ts";
import { CatalogBuilder } from "../../input/catalog/catalog-builder.ts";
import type { Catalog } from "../../model/catalog.ts";
import type { ClusterCatalog } from "../../model/catalog-source.ts";
import type { ClusterExtension } from "../../model/cluster-extension.ts";
import type { JsonObject } from "../../model/json.ts";
import { CLUSTER_SCOPE, type Problem } from "../../model/problem.ts";
import { resolve } from "../resolve.ts";
import { prepareProblems } from "./prepare-problems.ts";
import type { Given } from "./problem-inputs.ts";

const PLACE = { source: "cluster.yaml", line: 1, column: 1 };

function extension(name: string, more: Partial<ClusterExtension> = {}): ClusterExtension {
  return {
    place: PLACE,
    name,
    priority: 0,
    packageName: name,
    channels: [],
    upgradeConstraintPolicy: "CatalogProvided",
    crdUpgradeSafety: "Strict",
    terminating: false,
    ...more,
  };
}

function clusterCatalog(name: string, more: Partial<ClusterCatalog> = {}): ClusterCatalog {
  return { place: PLACE, name, labels: {}, priority: 0, availabilityMode: "Available", conditions: [], ...more };
}

function catalog(name: string, documents: readonly JsonObject[]): Catalog {
  const builder = new CatalogBuilder({ name, priority: 0 });
  for (const [index, document] of documents.entries()) builder.add(document, { ...PLACE, line: index + 1 });
  return builder.finish();
}

function clusterProblem(inputs: Given): Problem {
  const { problems } = prepareProblems({ ...inputs, namespaces: [CLUSTER_SCOPE] });
  return problems[0] as Problem;
}

const INSTALLED = { name: "x.v1.0.0", version: "1.0.0" };

describe("the problem of the cluster scope", () => {
  test("the order of the input does not matter", () => {
    const catalogs = [
      catalog("b", packageDocuments("x", "1.0.0", "2.0.0")),
      catalog("a", packageDocuments("y", "1.0.0")),
    ];
    const extensions = [extension("y"), extension("x", { installed: INSTALLED }), extension("z", { packageName: "x" })];
    const objects = [clusterCatalog("b", { priority: 3 }), clusterCatalog("a"), clusterCatalog("c")];
    const one = clusterProblem(given({ clusterExtensions: extensions, clusterCatalogs: objects }, { catalogs }));
    const other = clusterProblem(
      given(
        { clusterExtensions: extensions.toReversed(), clusterCatalogs: objects.toReversed() },
        { catalogs: catalogs.toReversed() },
      ),
    );
    expect(other).toEqual(one);
    expect(one.catalogs.map(({ name, priority }) => [name, priority])).toEqual([
      ["a", 0],
      ["b", 3],
    ]);
    expect(one.notGiven).toEqual([{ name: "c" }]);
    expect(one.requests.map(({ id, installed }) => [id, installed])).toEqual([
      ["x", "x.v1.0.0"],
      ["y", undefined],
      ["z", undefined],
    ]);
  });

  test("nor does it for warnings", () => {
    const catalogs = ["b", "a"].map((name) => catalog(name, packageDocuments("x", "1.0.0")));
    const clusterCatalogs = ["a", "b"].map((name) => clusterCatalog(name, { availabilityMode: "Unavailable" }));
    const inputs = given({ clusterExtensions: [extension("x")], clusterCatalogs }, { catalogs });
    const { warnings } = prepareProblems({ ...inputs, namespaces: [CLUSTER_SCOPE] });
    expect(warnings).toMatchObject([
      { code: "catalog-disabled", catalog: "a" },
      { code: "catalog-disabled", catalog: "b" },
    ]);
  });

  test("an extension that is being deleted requests nothing, and its bundle stays", () => {
    const catalogs = [catalog("a", packageDocuments("x", "1.0.0", "2.0.0"))];
    const clusterExtensions = [extension("x", { installed: INSTALLED, terminating: true })];
    const problem = clusterProblem(given({ clusterExtensions }, { catalogs }));
    expect(problem.requests).toEqual([]);
    expect(resolve(problem).operators.map(({ name, action }) => [name, action])).toEqual([["x.v1.0.0", "keep"]]);
  });

  test("bundles of extensions are fixed members of namespaces, and operators are fixed members of the scope", () => {
    const inputs = given(
      {
        clusterExtensions: [extension("x", { installed: INSTALLED })],
        installedOperators: [recorded("etcd", "1.0.0")],
        subscriptions: [subscription("etcd", { installedCSV: "etcd.v1.0.0" })],
      },
      { namespaces: ["ns", CLUSTER_SCOPE], catalogs: [catalog("a", packageDocuments("x", "1.0.0"))] },
    );
    const { problems } = prepareProblems(inputs);
    expect(problems.map(({ namespace, scope }) => [namespace, scope])).toEqual([
      ["ns", undefined],
      [CLUSTER_SCOPE, "cluster"],
    ]);
    expect(problems.map(({ elsewhere }) => elsewhere.map(({ name }) => name))).toEqual([["x.v1.0.0"], ["etcd.v1.0.0"]]);
    const [alone] = prepareProblems({ ...inputs, namespaces: ["ns"] }).problems;
    expect(alone?.elsewhere.map(({ name }) => name)).toEqual(["x.v1.0.0"]);
  });

  test("a bundle that no catalog has is known by its package only, with a warning", () => {
    const inputs = given({ clusterExtensions: [extension("x", { installed: INSTALLED })] });
    const { problems, warnings } = prepareProblems({ ...inputs, namespaces: [CLUSTER_SCOPE] });
    expect(problems[0]?.installed.map(({ properties }) => properties.map(({ type }) => type))).toEqual([
      ["olm.package"],
    ]);
    expect(warnings.map(({ code }) => code)).toContain("bundle-not-given");
  });

  test("catalogs of OLM v0 are not for extensions, nor the other way round; a disabled one is for neither", () => {
    const names = ["both", "free", "off", "v0", "v1"];
    const sources = ["both", "v0"].map((name) => ({
      place: PLACE,
      namespace: "olm",
      name,
      priority: 0,
      sourceType: "grpc",
    }));
    const inputs = given(
      {
        catalogSources: sources,
        clusterCatalogs: [
          clusterCatalog("both"),
          clusterCatalog("v1"),
          clusterCatalog("off", { availabilityMode: "Unavailable" }),
        ],
      },
      {
        namespaces: ["ns", CLUSTER_SCOPE],
        catalogs: names.map((name) => catalog(name, packageDocuments("x", "1.0.0"))),
      },
    );
    const { problems, warnings } = prepareProblems(inputs);
    expect(problems.map(({ catalogs }) => catalogs.map(({ name }) => name).sort())).toEqual([
      ["both", "free", "v0"],
      ["both", "free", "v1"],
    ]);
    expect(warnings.map(({ code }) => code)).toContain("catalog-disabled");
  });

  test("what OLM v1 installs works for all namespaces", () => {
    const installModes = [{ type: "OwnNamespace", supported: true }];
    const documents = withBundles(bundle("x", "1.0.0", [{ type: "olm.csv.metadata", value: { installModes } }]));
    const problem = clusterProblem(
      given({ clusterExtensions: [extension("x")] }, { catalogs: [catalog("a", documents)] }),
    );
    expect(resolve(problem).outcome).toBe("Unsatisfiable");
  });

  test("a breaking change of a CRD stops an update, unless its safety is None", () => {
    const documents = withBundles(crdBundle("1.0.0", ["v1", "v2"]), crdBundle("2.0.0", ["v2"]));
    const chosen = (crdUpgradeSafety: string): readonly (readonly [string, readonly string[]])[] => {
      const clusterExtensions = [extension("x", { installed: INSTALLED, crdUpgradeSafety })];
      const inputs = given(
        {
          clusterExtensions,
          customResourceDefinitions: [onCluster(kindWith(["v1", "v2"]), ["v1", "v2"], undefined).definition],
        },
        { catalogs: [catalog("a", documents)] },
      );
      const { operators, warnings } = resolve(clusterProblem(inputs));
      return operators.map(({ name }) => [name, warnings.map(({ code }) => code)]);
    };
    expect(chosen("Strict")).toEqual([["x.v1.0.0", []]]);
    expect(chosen("None")).toEqual([["x.v2.0.0", ["crd-upgrade", "crd-upgrade"]]]);
  });
});

/** A package x with these bundles, each replacing the one before. */
function withBundles(...bundles: readonly JsonObject[]): readonly JsonObject[] {
  const versions = bundles.map(({ name }) => String(name).slice("x.v".length));
  return [...packageDocuments("x", ...versions).filter(({ schema }) => schema !== "olm.bundle"), ...bundles];
}

/** A kind with versions; the last one is stored. */
function kindWith(versions: readonly string[]): KindDraft {
  return {
    kind: "Lamp",
    plural: "lamps",
    scope: "Namespaced",
    versions: versions.map((name) => ({ name, served: true, storage: name === versions.at(-1) })),
    colours: ["red"],
    needsColour: false,
  };
}

function crdBundle(version: string, versions: readonly string[]): JsonObject {
  const draft = kindWith(versions);
  return bundle("x", version, [
    ...versions.map((name) => ({ type: "olm.gvk", value: apiOf(draft, name) })),
    manifestProperty(manifestOf(draft)),
  ]);
}
