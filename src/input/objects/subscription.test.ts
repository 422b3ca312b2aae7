import { expect, test } from "vitest";
import type { ClusterObjects } from "../../model/cluster-objects.ts";
import type { Finding } from "../../model/finding.ts";
import { ObjectsReader } from "./read-objects.ts";

const PLACE = { source: "subscription.yaml", line: 1, column: 1 };

function read(installPlanApproval: string): { readonly objects: ClusterObjects; readonly findings: Finding[] } {
  const findings: Finding[] = [];
  const reader = new ObjectsReader((found) => findings.push(found));
  reader.add(
    {
      apiVersion: "operators.coreos.com/v1alpha1",
      kind: "Subscription",
      metadata: { name: "kettle" },
      spec: { name: "kettle", source: "pantry", sourceNamespace: "olm", installPlanApproval },
    },
    PLACE,
  );
  return { objects: reader.finish(), findings };
}

test.each(["manual", "Manuel", "AUTOMATIC"])("an approval of %s is Automatic, with a warning", (word) => {
  const { objects, findings } = read(word);
  expect(objects.subscriptions).toMatchObject([{ name: "kettle", approval: "Automatic" }]);
  expect(findings).toMatchObject([
    {
      severity: "warning",
      message: expect.stringContaining(JSON.stringify(word)),
      place: { path: ["spec", "installPlanApproval"] },
    },
  ]);
  expect(findings[0]).not.toHaveProperty("dropped");
});

test.each([
  ["Manual", "Manual"],
  ["Automatic", "Automatic"],
  ["", "Automatic"],
])("an approval of %j is %s", (word, approval) => {
  const { objects, findings } = read(word);
  expect(objects.subscriptions).toMatchObject([{ approval }]);
  expect(findings).toEqual([]);
});
