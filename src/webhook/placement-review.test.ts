import { describe, expect, test } from "vitest";
import { bodyOf, expressions, placement, type ReviewParts, review } from "../../test/webhook/review-body.ts";
import type { JsonObject } from "../model/json.ts";
import { type AdmissionRequest, readReview, type Verdict } from "./admission-review.ts";
import { reviewPlacement } from "./placement-review.ts";

const ALLOWED = { warnings: [] };

function verdictOn(parts: ReviewParts, compat = false): Verdict {
  const request = readReview(bodyOf(review({ kind: "Placement", ...parts })));
  return reviewPlacement(request as AdmissionRequest, compat);
}

/** The verdict on a new Placement. */
function created(spec: JsonObject, compat = false): Verdict {
  return verdictOn({ object: placement(spec) }, compat);
}

/** The verdict on a change of a spec. */
function updated(before: JsonObject, after: JsonObject): Verdict {
  return verdictOn({ operation: "UPDATE", oldObject: placement(before), object: placement(after) });
}

/** The lines of a denial without the first. */
function mistakesIn({ denial = "" }: Verdict): readonly string[] {
  return denial.split("\n  ").slice(1);
}

const CEL = "requiredClusterSelector.celSelector.celExpressions";
const selector = (requirement: JsonObject): JsonObject => ({
  predicates: [{ requiredClusterSelector: { labelSelector: { matchExpressions: [requirement] } } }],
});

describe("a new Placement with a mistake is denied, at its path", () => {
  test.each<readonly [string, JsonObject, string]>([
    [
      "an expression that does not compile",
      { predicates: [expressions("true", "managedCluster.metadata.name ==")] },
      `spec.predicates[0].${CEL}[1]:1:32: the expression ends too early (a value is missing here)`,
    ],
    [
      "an expression of several lines",
      { predicates: [expressions("true"), expressions("true &&\n  nope")] },
      `spec.predicates[1].${CEL}[0]:2:3: no such variable \`nope\``,
    ],
    [
      "an expression that is no condition",
      { predicates: [expressions("1 + 1")] },
      `spec.predicates[0].${CEL}[0]:1:1: the expression must give bool and gives int`,
    ],
    [
      "an operator of a selector",
      selector({ key: "a", operator: "Inn", values: ["x"] }),
      'spec.predicates[0].requiredClusterSelector.labelSelector.matchExpressions[0]: the operator "Inn" is not known (did you mean In?)',
    ],
    [
      "no values",
      selector({ key: "a", operator: "In" }),
      "spec.predicates[0].requiredClusterSelector.labelSelector.matchExpressions[0]: In needs",
    ],
    ["a toleration", { tolerations: [{ operator: "Exists", value: "x" }] }, "spec.tolerations[0].value: "],
    [
      "a number of clusters",
      { numberOfClusters: -1 },
      "spec.numberOfClusters: numberOfClusters is -1, and cannot be negative",
    ],
    [
      "a type",
      { numberOfClusters: "3" },
      "spec.numberOfClusters: spec.numberOfClusters must be a whole number, but is text",
    ],
    [
      "a prioritizer",
      { prioritizerPolicy: { configurations: [{ scoreCoordinate: { builtIn: "Stedy" } }] } },
      "spec.prioritizerPolicy.configurations[0].scoreCoordinate.builtIn: incorrect builtin prioritizer: Stedy (did you mean Steady?)",
    ],
    [
      "a weight",
      { prioritizerPolicy: { configurations: [{ scoreCoordinate: { builtIn: "Steady" }, weight: 20 }] } },
      "spec.prioritizerPolicy.configurations[0].weight: ",
    ],
    [
      "a spread constraint",
      { spreadPolicy: { spreadConstraints: [{ topologyKey: "zone", topologyKeyType: "Label", maxSkew: 0 }] } },
      "spec.spreadPolicy.spreadConstraints[0].maxSkew: maxSkew is 0, and must be at least 1",
    ],
    [
      "the size of groups",
      { decisionStrategy: { groupStrategy: { clustersPerDecisionGroup: "0%" } } },
      "spec.decisionStrategy.groupStrategy.clustersPerDecisionGroup: ",
    ],
    [
      "a field that there is not",
      { labelSelector: {} },
      'spec.labelSelector: unknown field "spec.labelSelector" (write it in predicates',
    ],
  ])("%s", (_, spec, line) => {
    const mistakes = mistakesIn(created(spec));
    expect(mistakes).toHaveLength(1);
    expect(mistakes[0]).toContain(line);
  });

  test("with all of them", () => {
    const { denial } = created({
      numberOfClusters: -1,
      predicates: [expressions("a", "b")],
      tolerations: [{ value: "x" }],
    });
    expect(denial).toMatch(/^the Placement has 4 mistakes; it would not be evaluated:\n {2}spec\./);
  });

  test("a name that is too long for a PlacementDecision, also if it is still to be made", () => {
    const name = "n".repeat(64);
    const line = expect.stringContaining("metadata.name: the name has 64 characters");
    expect(mistakesIn(verdictOn({ name, object: placement({}, { name }) }))).toEqual([line]);
    const generated = (length: number): Verdict => {
      const { name: _, ...metadata } = placement({}).metadata as JsonObject;
      return verdictOn({
        name: "",
        object: { ...placement({}), metadata: { ...metadata, generateName: "n".repeat(length) } },
      });
    };
    expect(mistakesIn(generated(59))).toEqual([line]);
    expect(generated(58)).toEqual(ALLOWED);
  });
});

describe("a new Placement without mistakes is allowed", () => {
  test.each<readonly [string, JsonObject]>([
    ["empty", {}],
    [
      "of many parts",
      { clusterSets: ["a"], numberOfClusters: 3, predicates: [expressions("managedCluster.metadata.name != ''")] },
    ],
  ])("%s", (_, spec) => {
    expect(created(spec)).toEqual(ALLOWED);
  });

  test("with warnings about what is probably a mistake", () => {
    const misspelt = 'managedCluster.metadata.label["a"] == "b"';
    const vacuous = 'managedCluster.spec.taints.filter(t, t.key == "a").all(t, t.value == "x")';
    expect(created({ predicates: [expressions(misspelt, vacuous)] })).toEqual({
      warnings: [
        `spec.predicates[0].${CEL}[0]:1:25: managedCluster.metadata has no field \`label\` (did you mean \`labels\`?)`,
        expect.stringContaining(`spec.predicates[0].${CEL}[1]:1:52: \`all\` is true when the filter leaves nothing`),
      ],
    });
  });
});

describe("an update", () => {
  const broken = { predicates: [expressions("nope"), expressions("true")] };
  const brokenLine = `spec.predicates[0].${CEL}[0]:1:1: no such variable \`nope\` (the variables here are \`managedCluster\`)`;

  test("that does not change the spec is never denied, whatever is in it", () => {
    const oldObject = placement(broken);
    for (const [metadata, status] of [
      [{ labels: { a: "b" } }, {}],
      [{ finalizers: [], deletionTimestamp: "2026-03-01T12:00:00Z" }, {}],
      [{ annotations: { "a.example.com/b": "c" } }, {}],
      [{}, { numberOfSelectedClusters: 3, conditions: [] }],
    ] as const)
      expect(verdictOn({ operation: "UPDATE", oldObject, object: placement(broken, metadata, status) })).toEqual(
        ALLOWED,
      );
    const { predicates, ...rest } = { ...broken, clusterSets: ["a"] };
    expect(updated({ ...rest, predicates }, { predicates, ...rest })).toEqual(ALLOWED);
  });

  test("that brings a mistake in is denied", () => {
    expect(mistakesIn(updated({}, broken))).toEqual([brokenLine]);
    expect(
      mistakesIn(updated({ predicates: [expressions("true")] }, { predicates: [expressions("nope")] })),
    ).toHaveLength(1);
  });

  test("that leaves a mistake where it is only warns of it", () => {
    expect(updated(broken, { ...broken, numberOfClusters: 3 })).toEqual({ warnings: [brokenLine] });
  });

  test("that moves a mistake only warns of it", () => {
    const moved = { predicates: [expressions("true"), expressions("true", "nope")] };
    expect(updated(broken, moved)).toEqual({
      warnings: [expect.stringContaining(`spec.predicates[1].${CEL}[1]:1:1: no such`)],
    });
  });

  test("that removes one of several mistakes is allowed", () => {
    const two = { ...broken, numberOfClusters: -1 };
    expect(updated(two, broken)).toEqual({ warnings: [brokenLine] });
    expect(updated(broken, { predicates: [expressions("true")] })).toEqual(ALLOWED);
  });

  test("that changes a faulty field, and leaves it faulty, is denied", () => {
    expect(mistakesIn(updated(broken, { predicates: [expressions("nope && true")] }))).toHaveLength(1);
    expect(mistakesIn(updated({ numberOfClusters: -1 }, { numberOfClusters: -2 }))).toHaveLength(1);
  });

  test("that repeats a mistake is denied for the second one", () => {
    const verdict = updated(broken, { predicates: [expressions("nope"), expressions("nope")] });
    expect(mistakesIn(verdict)).toEqual([brokenLine.replace("[0]", "[1]")]);
    expect(verdict.warnings).toEqual([brokenLine]);
  });

  test("that adds another mistake is denied for that one, and warns of the old one", () => {
    const verdict = updated(broken, { ...broken, numberOfClusters: -1 });
    expect(mistakesIn(verdict)).toEqual([expect.stringContaining("spec.numberOfClusters: ")]);
    expect(verdict.warnings).toEqual([brokenLine]);
  });

  test("of a Placement with more mistakes than are counted is not denied for the rest", () => {
    const many = Array.from({ length: 150 }, (_, index) => `nope${index}`);
    const before = { predicates: [expressions(...many)] };
    const after = { predicates: [expressions(...many.slice(0, -1))] };
    const { denial, warnings } = updated(before, after);
    expect([denial, warnings.length]).toEqual([undefined, 101]);
  });
});

describe("nothing is denied", () => {
  const spec = { numberOfClusters: -1 };

  test("of a Placement that is not scheduled: its mistakes have no effect yet", () => {
    const annotations = { "cluster.open-cluster-management.io/experimental-scheduling-disable": "true" };
    for (const metadata of [{ annotations }, { deletionTimestamp: "2026-03-01T12:00:00Z" }]) {
      const verdict = verdictOn({ object: placement(spec, metadata) });
      expect(verdict).toEqual({ warnings: [expect.stringContaining("spec.numberOfClusters: ")] });
    }
  });

  test("in a deletion", () => {
    expect(verdictOn({ operation: "DELETE", oldObject: placement(spec) })).toEqual(ALLOWED);
    expect(verdictOn({ operation: "CONNECT" })).toEqual(ALLOWED);
  });

  test("because of the status", () => {
    expect(verdictOn({ object: placement({}, {}, { lastScoreUpdateTime: 7 }) })).toEqual(ALLOWED);
    expect(verdictOn({ object: placement({}, {}, { lastScoreUpdateTime: "yesterday" }) })).toEqual(ALLOWED);
  });
});

test("what OCM decides on is not denied where Placements are decided as OCM does it", () => {
  const spec = { predicates: [expressions("1 + 1")], labelSelector: {} };
  expect(mistakesIn(created(spec))).toHaveLength(2);
  const { denial, warnings } = created(spec, true);
  expect([denial, warnings.length]).toEqual([undefined, 2]);
  expect(mistakesIn(created({ predicates: [expressions("nope")] }, true))).toHaveLength(1);
});

test("objects that no API server sends are no surprise", () => {
  for (const object of [
    {},
    { kind: 7 },
    { kind: "List", apiVersion: "v1", items: [] },
    { kind: "Placement" },
    placement([] as never),
    placement(null as never),
  ])
    expect(() => verdictOn({ object })).not.toThrow();
  expect(() => verdictOn({})).not.toThrow();
  const oldObject = { kind: "Foo", spec: 7 } as JsonObject;
  expect(
    mistakesIn(verdictOn({ operation: "UPDATE", oldObject, object: placement({ numberOfClusters: -1 }) })),
  ).toHaveLength(1);
});
