// Which versions of a ClusterExtension can a plan lead to? It sets the version in every step.

import { expect, test } from "vitest";
import { planned, summaryLines, target } from "../../test/plan/summary-lines.ts";
import { running, scene, stocked } from "../../test/worlds/scene.ts";
import type { Catalog } from "../model/catalog.ts";
import type { JsonObject } from "../model/json.ts";
import { CLUSTER_SCOPE, type ExtensionTerms, type Problem } from "../model/problem.ts";

function problemOf(
  catalogs: readonly Catalog[],
  version: string,
  policy: ExtensionTerms["policy"] = "CatalogProvided",
): Problem {
  const installed = { ...running(`x.v${version}`), namespace: CLUSTER_SCOPE };
  const extension = { channels: [], policy, crdUpgradeSafety: "Strict" } as const;
  const request = { id: "x", name: "x", priority: 0, package: "x", approval: "Automatic", extension } as const;
  return scene({
    namespace: CLUSTER_SCOPE,
    scope: "cluster",
    catalogs,
    requests: [{ ...request, installed: installed.name }],
    installed: [installed],
  });
}

const CONTENT = { x: { "1.0.0": [], "2.0.0": [] } };
const DEPRECATED: JsonObject = {
  schema: "olm.deprecations",
  package: "x",
  entries: [{ reference: { schema: "olm.bundle", name: "x.v2.0.0" }, message: "old" }],
};

test.each([
  ["deprecated", [stocked(CONTENT, { name: "a" }, [DEPRECATED])]],
  [
    "in a catalog of lower priority",
    [stocked({ x: { "1.0.0": [] } }, { name: "high", priority: 5 }), stocked(CONTENT, { name: "low" })],
  ],
])("one that is %s is not preferred, but can be the target", (_, catalogs) => {
  const problem = problemOf(catalogs, "1.0.0");
  expect(summaryLines(planned(problem))).toEqual([]);
  expect(summaryLines(planned(problem, { to: target("x@2.0.0") }))).toEqual(["1: x 1.0.0 → 2.0.0"]);
});

test("an older one cannot, unless the range excludes what is installed", () => {
  const problem = problemOf([stocked(CONTENT, { name: "a" })], "2.0.0", "SelfCertified");
  expect(summaryLines(planned(problem, { to: target("x@1.0.0") }))).toEqual([]);
});
