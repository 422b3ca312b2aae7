// A cluster did not return its CatalogSources or ClusterCatalogs: what no given catalog has may still be in one of them.

import { expect, test } from "vitest";
import { explainedAnswer } from "../../../test/explanations/explained-answer.ts";
import { explanationText } from "../../../test/explanations/explanation-text.ts";
import { given, packageDocuments, subscription } from "../../../test/resolve/prepare-given.ts";
import { CatalogBuilder } from "../../input/catalog/catalog-builder.ts";
import { readProblem } from "../../input/read-problem.ts";
import type { Catalog } from "../../model/catalog.ts";
import type { ClusterExtension } from "../../model/cluster-extension.ts";
import { CLUSTER_SCOPE, type Problem } from "../../model/problem.ts";
import { fixText } from "../../render/sentence/fix.ts";
import { resolve } from "../resolve.ts";
import { prepareProblems } from "./prepare-problems.ts";
import { saveProblem } from "./save-problem.ts";
import { unknownNames } from "./unknown-names.ts";

const PLACE = { source: "cluster", line: 0, column: 0 };

function catalogOf(owner: string): Catalog {
  const builder = new CatalogBuilder({ name: "main", priority: 0 });
  for (const document of packageDocuments(owner, "1.0.0")) builder.add(document, PLACE);
  return builder.finish();
}

const X: ClusterExtension = {
  place: PLACE,
  name: "x",
  priority: 0,
  packageName: "x",
  channels: [],
  upgradeConstraintPolicy: "CatalogProvided",
  crdUpgradeSafety: "Strict",
  terminating: false,
};
const SELECTING = { ...X, catalogSelector: { matchLabels: { tier: "own" }, matchExpressions: [] } };

function problemWith(lostKind: string, extension: ClusterExtension | undefined, owner = "y"): Problem {
  const { problems } = prepareProblems(
    given(
      {
        subscriptions: extension === undefined ? [subscription("x", { source: "gone" })] : [],
        clusterExtensions: extension === undefined ? [] : [extension],
        lost: { words: new Map(), unseen: undefined, kinds: new Map([[lostKind, PLACE]]) },
      },
      { catalogs: [catalogOf(owner)], namespaces: [extension === undefined ? "ns" : CLUSTER_SCOPE] },
    ),
  );
  return problems[0] as Problem;
}

/** For each open request, whether it is undecided, why, and what would help. */
function open(problem: Problem): readonly (readonly unknown[])[] {
  return explainedAnswer(problem).unsatisfied.map(({ undecided, explanation }) => [
    undecided,
    explanationText(explanation),
    ...explanation.fixes.map(fixText),
  ]);
}

const UNKNOWN = "the ClusterCatalogs of the cluster could not be read, so which catalogs it has is not known";

test.each([
  ["of a ClusterExtension", X, "y"],
  ["of a ClusterExtension with a selector, which may match the given catalog", SELECTING, "x"],
])("the package %s", (_, extension, owner) => {
  const problem = problemWith("ClusterCatalog", extension, owner);
  expect(open(problem)[0]?.slice(0, 2)).toEqual([true, UNKNOWN]);
  expect(unknownNames(problem)).toEqual([]);
  expect(open(problemWith("Placement", extension, owner))[0]?.[0]).toBe(false);
  const { problem: read } = readProblem(saveProblem(problem), "problem.json");
  expect(read?.areCatalogsUnread).toBe(true);
});

test("with --compat olmv1", () => {
  const problem = problemWith("ClusterCatalog", X);
  const { unsatisfied } = resolve({ ...problem, options: { ...problem.options, olmv1: true } });
  expect(
    unsatisfied.map(({ undecided, explanation }) => [undecided, explanation && explanationText(explanation)]),
  ).toEqual([
    [true, 'OLM v1: no bundles found for package "x"; but the ClusterCatalogs of the cluster could not be read.'],
  ]);
});

test("the catalog of a Subscription", () => {
  const problem = problemWith("CatalogSource", undefined);
  expect(open(problem)).toEqual([
    [
      true,
      "the CatalogSources of the cluster could not be read, so whether it has catalog gone is not known",
      "give the content of catalog gone, if the cluster has it: --catalog gone=PATH",
    ],
  ]);
  expect(unknownNames(problem)).toEqual([]);
  expect(open(problemWith("ClusterCatalog", undefined))[0]?.[0]).toBe(false);
});

test("a package that a given catalog has is chosen", () => {
  expect(open(problemWith("ClusterCatalog", X, "x"))).toEqual([]);
});

test("a catalog that the selector does not match is not asked for", () => {
  const byName = { "olm.operatorframework.io/metadata.name": "main" };
  const selecting = { ...X, catalogSelector: { matchLabels: byName, matchExpressions: [] } };
  const unavailable = [{ name: "other", priority: 0, reason: "no answer" }];
  expect(open({ ...problemWith("Placement", selecting), unavailable })).toEqual([
    [false, "catalog main has no package x"],
  ]);
  const malformed = problemWith("Placement", { ...X, upgradeConstraintPolicy: "Any" });
  expect(open({ ...malformed, unavailable })[0]?.[0]).toBe(false);
});
