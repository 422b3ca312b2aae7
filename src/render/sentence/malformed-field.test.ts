// A field of a ClusterExtension that cannot be read is plain data, survives a saved problem, and has a sentence.

import { expect, test } from "vitest";
import { scene } from "../../../test/worlds/scene.ts";
import { readProblem } from "../../input/read-problem.ts";
import { CLUSTER_SCOPE, type MalformedField } from "../../model/problem.ts";
import { saveProblem } from "../../resolve/prepare/save-problem.ts";
import { malformedReason, malformedText } from "./malformed-field.ts";

test.each<[MalformedField, string]>([
  [{ field: "version", text: "foobar", reason: "no range" }, 'version "foobar": no range'],
  [
    { field: "upgradeConstraintPolicy", text: "Any" },
    'upgradeConstraintPolicy "Any": "Any" is neither CatalogProvided nor SelfCertified',
  ],
  [{ field: "selector", fault: { kind: "no-key", operator: "In" } }, "selector: an expression has no key"],
  [{ field: "selector", fault: { kind: "needs-values", operator: "In" } }, "selector: In needs values"],
  [{ field: "selector", fault: { kind: "has-values", operator: "Exists" } }, "selector: Exists has no values"],
  [
    { field: "selector", fault: { kind: "unknown-operator", operator: "Near" } },
    'selector: "Near" is not an operator; use In, NotIn, Exists, DoesNotExist',
  ],
])("%j", (malformed, text) => {
  expect(`${malformedText(malformed)}: ${malformedReason(malformed)}`).toBe(text);
  const extension = { channels: [], policy: "CatalogProvided", crdUpgradeSafety: "Strict", malformed } as const;
  const request = { id: "x", name: "x", priority: 0, package: "x", approval: "Automatic", extension } as const;
  const problem = { ...scene({ requests: [request] }), namespace: CLUSTER_SCOPE, scope: "cluster" } as const;
  const { problem: read, findings } = readProblem(saveProblem(problem), "problem.json");
  expect(findings).toEqual([]);
  expect(read?.requests[0]?.extension?.malformed).toEqual(malformed);
});
