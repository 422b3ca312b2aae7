// The costs and values of OCM's functions were made with cel-go v0.29.2 and k8s.io/apiserver v0.37.2
// (bench/peers/cel-go, environment `placement`).
import { describe, expect, test } from "vitest";
import { compile } from "../../cel/compile.ts";
import { dependenciesOf } from "../../cel/dependencies.ts";
import type { Program } from "../../cel/program.ts";
import { Timestamp } from "../../cel/value/timestamp.ts";
import { CelError } from "../../cel/value/value.ts";
import type { JsonObject } from "../../model/json.ts";
import { type AddOnScoreOptions, AddOnScores } from "../score/add-on-scores.ts";
import {
  clusterBindings,
  evaluateOnCluster,
  placementEnvironment,
  placementExpression,
} from "./placement-environment.ts";

/** 2026-01-01T00:00:00Z */
const NOW = new Timestamp(1_767_225_600, 0);

const CLUSTER: JsonObject = {
  apiVersion: "cluster.open-cluster-management.io/v1",
  kind: "ManagedCluster",
  metadata: {
    name: "c1",
    labels: { env: "prod", version: "1.14.3", v: "1.30.0" },
    creationTimestamp: "2025-01-01T00:00:00Z",
  },
  spec: { hubAcceptsClient: true, leaseDurationSeconds: 60 },
  status: {
    version: { kubernetes: "v1.31.2-gke.100" },
    allocatable: { cpu: 8, memory: "32Gi" },
    clusterClaims: [
      { name: "cloud", value: "Amazon" },
      { name: "sku", value: '{"H100":[{"a":10},{"b":2}]}' },
    ],
    conditions: [],
  },
};

function scores(options: Partial<AddOnScoreOptions> = {}): AddOnScores {
  const addOnScores = new AddOnScores({ now: NOW, ...options });
  addOnScores.add("c1", "test-score", {
    scores: [
      { name: "cpu", value: 3 },
      { name: "memory", value: 4 },
    ],
    validUntil: "2026-01-01T00:00:00Z",
  });
  addOnScores.add("c1", "old", { scores: [{ name: "cpu", value: 90 }], validUntil: "2025-12-31T23:59:30Z" });
  addOnScores.add("c1", "empty", { scores: [] });
  addOnScores.add("c1", "odd", { scores: [], validUntil: "tomorrow" });
  addOnScores.add("c2", "test-score", { scores: [{ name: "cpu", value: -5 }] });
  return addOnScores;
}

function evaluate(text: string, cluster: JsonObject = CLUSTER, addOnScores: AddOnScores | undefined = scores()) {
  const compilation = compile(text, placementEnvironment);
  expect(compilation.errors).toEqual([]);
  const result = compilation.program?.evaluate(clusterBindings(cluster, addOnScores));
  return {
    result: result instanceof CelError ? result.message : result,
    cost: compilation.program?.cost,
    warnings: compilation.warnings,
  };
}

describe("expressions on a cluster", () => {
  test.each<[string, unknown, number]>([
    ['managedCluster.metadata.labels["env"] == "prod"', true, 5],
    ['managedCluster.metadata.labels["x"] == "prod"', "no such key: x", 5],
    ['!(managedCluster.metadata.labels["x"] == "prod")', "no such key: x", 6],
    [
      'managedCluster.metadata.labels[?managedCluster.metadata.annotations["tier-label"]].orValue("low") == "low"',
      "no such key: annotations",
      6,
    ],
    ['semver(managedCluster.metadata.labels["v"]).isLessThan(semver("1.31.0"))', true, 7],
    ['managedCluster.scores("fake")', 'failed to get score: the cluster has no AddOnPlacementScore "fake"', 11],
    ['managedCluster.scores("test-score").size()', 2, 74],
    ['managedCluster.scores("test-score").filter(s, s.name=="cpu").all(e, e.value == 3)', true, 110],
    ['managedCluster.scores("test-score").filter(s, s.name=="cpu").all(e, e.value > 3)', false, 110],
    ['managedCluster.scores("empty").all(e, e.value > 80)', true, 12],
    ['managedCluster.scores("test-score")[0].value + 1 > 0', true, 78],
    ['{"metadata":{"name":"c2"}}.scores("test-score").size()', 1, 102],
    ['{"a":1}.scores("x")', "failed to get cluster metadata", 40],
    ['\'{"key":"value"}\'.parseJSON().key', "value", 34],
    ['\'{"nested": {"key": "value"}}\'.parseJSON().nested.key', "value", 66],
    ["'[1, 2, 3]'.parseJSON()[0] == 1", true, 14],
    ["type('[1]'.parseJSON()[0]) == double", true, 15],
    ['\'[{"id": 1}, {"id": 2}]\'.parseJSON().size()', 2, 74],
    ["'5'.parseJSON() == 5", true, 2],
    ["'null'.parseJSON() == null", true, 2],
    ['managedCluster.status.clusterClaims.exists(c, c.name == "cloud" && c.value == "Amazon")', true, 17],
    ["managedCluster.status.clusterClaims.exists(c, c.value.parseJSON().H100.exists(e, e.b == 2))", true, 138],
    ['managedCluster.metadata.?labels.?env.orValue("") == "prod"', true, 5],
    ['managedCluster.metadata.?labels.?nothing.orValue("") == "prod"', false, 3],
    ['quantity(managedCluster.status.allocatable.cpu).isGreaterThan(quantity("4"))', true, 7],
    ["managedCluster.status.allocatable.cpu > 4", "no such overload: >(string, int)", 5],
    ['timestamp(managedCluster.metadata.creationTimestamp) < timestamp("2030-01-01T00:00:00Z")', true, 6],
    ['managedCluster.metadata.labels["x"] == "y" || true', true, 5],
    ["dyn(1) < 2.0", true, 2],
  ])("%s", (text, result, cost) => {
    expect(evaluate(text)).toMatchObject({ result, cost });
  });

  test.each<[string, unknown]>([
    ['managedCluster.score("test-score", "cpu")', 3],
    ['score(managedCluster, "test-score", "memory")', 4],
    ['managedCluster.score("test-score", "disk")', 'failed to get score: "test-score" has no score "disk"'],
    ['managedCluster.score("old", "cpu")', 'failed to get score: "old" expired at 2025-12-31T23:59:30Z'],
    ['managedCluster.scores("old").all(e, e.value > 80)', 'failed to get score: "old" expired at 2025-12-31T23:59:30Z'],
    [
      'managedCluster.scores("odd")',
      'failed to get score: validUntil of "odd" cannot be read: "tomorrow" is not a timestamp: write it like 2024-01-31T12:00:00Z',
    ],
    ['managedCluster.hasScore("test-score", "cpu")', true],
    ['hasScore(managedCluster, "test-score", "disk")', false],
    ['managedCluster.hasScore("old", "cpu") && managedCluster.score("old", "cpu") > 80', false],
    ['managedCluster.status.version.kubernetes.versionIsGreaterThan("1.31.2")', false],
    ['managedCluster.status.version.kubernetes.versionIsLessThan("1.31.2")', false],
    ['managedCluster.status.version.kubernetes.versionIsGreaterThan("1.31")', true],
    ['managedCluster.metadata.labels.v.versionIsLessThan("v1.31.0-rc.1")', true],
    [
      'managedCluster.metadata.labels.env.versionIsLessThan("1")',
      '"prod" is not a version: it has to begin with a number',
    ],
    ["'[1'.parseJSON()", "failed to parse json: Expected ',' or ']' after array element at position 2"],
    ["'[1e999]'.parseJSON()", "failed to parse json: a number is too large"],
  ])("%s", (text, result) => {
    expect(evaluate(text).result).toEqual(result);
  });

  test("deep JSON is refused, not followed", () => {
    expect(evaluate("managedCluster.text.parseJSON()", { ...CLUSTER, text: "[".repeat(100_000) }).result).toMatch(
      /nests more than/,
    );
  });

  test("OCM does not look at the time", () => {
    const addOnScores = scores({ ignoreExpiry: true });
    expect(evaluate('managedCluster.score("old", "cpu")', CLUSTER, addOnScores).result).toBe(90);
  });

  test("without scores there are none", () => {
    const bindings = clusterBindings(CLUSTER);
    const result = compile('managedCluster.scores("x")', placementEnvironment).program?.evaluate(bindings) as CelError;
    expect(result.message).toBe("failed to get score: no scores were given");
  });

  test.each([
    ['managedCluster.staus.version.kubernetes == "x"', "managedCluster has no field `staus`", "did you mean `status`?"],
    [
      "managedCluster.status.clusterClaims.exists(c, c.nam == 'x')",
      "an element of managedCluster.status.clusterClaims has no field `nam`",
      "did you mean `name`?",
    ],
    [
      'managedCluster.Status.version.kubernetes.startsWith("v1")',
      "the field `Status` is called `status`",
      "write `status`",
    ],
    ['managedCluster.ObjectMeta.name == "c1"', "the field `ObjectMeta` is called `metadata`", "write `metadata`"],
    ["has(managedCluster.Spec.hubAcceptsClient)", "the field `Spec` is called `spec`", "write `spec`"],
  ])("%s: a warning", (text, message, hint) => {
    const { warnings } = placementExpression(text);
    expect(warnings).toMatchObject([{ message, hint }]);
  });

  test("names in capitals mean the same", () => {
    for (const text of [
      'managedCluster.Status.version.kubernetes == "v1.31.2-gke.100"',
      'managedCluster.ObjectMeta.name == "c1" && managedCluster.Metadata.labels.env == "prod"',
      "has(managedCluster.Spec.hubAcceptsClient) && managedCluster.?Spec.hasValue()",
    ]) {
      expect(evaluate(text).result).toBe(true);
    }
    expect(evaluate("managedCluster.staus").result).toBe("no such key: staus");
    const { checked } = placementExpression("managedCluster.Status.version.kubernetes == 'x'").program as Program;
    expect(dependenciesOf(checked).paths).toEqual([
      { variable: "managedCluster", path: ["status", "version", "kubernetes"] },
    ]);
  });

  test.each([
    ["invalid.expression", "no such variable `invalid`"],
    ['managedCluster.metadata.labels["v"].matchessssss("x")', "no such function `matchessssss`"],
    ["123.parseJSON()", "no such form of `parseJSON`: int.parseJSON()"],
    ["1 < 2.0", "`<` does not work on int and double"],
    ["1 + 1", "the expression must give bool and gives int"],
    ['managedCluster.metadata.name.versionIsLessThan("x")', '"x" is not a version: it has to begin with a number'],
  ])("%s does not compile", (text, message) => {
    expect(placementExpression(text).errors.map((error) => error.message)).toContain(message);
  });

  test("a broken regular expression is reported before it runs", () => {
    expect(placementExpression('"a".matches("[")').errors).toHaveLength(1);
  });

  test("the typo of the first draft shows the corrected call", () => {
    const [error] = placementExpression('managedCluster.score("default, "cpuAvailable") < 2').errors;
    expect(error?.hint).toContain('managedCluster.score("default", "cpuAvailable") < 2');
  });

  test("an expression about scores depends on the cluster's name and on the scores, not on the whole cluster", () => {
    const text = 'managedCluster.scores("a").all(s, s.value > 1) || score(managedCluster, "b", "x") > 1';
    const { program } = placementExpression(text);
    const { paths, calls } = dependenciesOf((program as Program).checked);
    expect(paths).toEqual([{ variable: "managedCluster", path: ["metadata", "name"] }]);
    expect(calls.map(({ name, arguments: args }) => [name, ...args])).toEqual([
      ["score", undefined, "b", "x"],
      ["scores", undefined, "a"],
    ]);
  });

  test("only a bool counts", () => {
    const bindings = clusterBindings(CLUSTER, scores());
    const judge = (text: string) => {
      const { program } = placementExpression(text);
      return program === undefined ? undefined : evaluateOnCluster(program, bindings);
    };
    expect(judge('managedCluster.metadata.name == "c1"')).toBe(true);
    expect(judge("managedCluster.metadata.name")).toMatchObject({
      message: "the expression must give bool and gave string",
    });
    expect(judge("managedCluster.nothing")).toMatchObject({ message: "no such key: nothing" });
  });
});
