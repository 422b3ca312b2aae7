import { expect, test } from "vitest";
import type { Action } from "../plan.ts";
import { patchCommand, removalCommand, rewriteCommand, withKubectl } from "./actions-of.ts";
import { pinCommand } from "./extension-actions.ts";

test("Kubernetes names are used in commands unquoted", () => {
  expect(rewriteCommand("winches.example.com")).toBe(
    "kubectl get winches.example.com -A -o json | kubectl replace -f -",
  );
  expect(patchCommand("winches.example.com", ["v1", "v2"])).toBe(
    `kubectl patch customresourcedefinitions.apiextensions.k8s.io winches.example.com --subresource=status --type=merge -p '{"status":{"storedVersions":["v1","v2"]}}'`,
  );
  expect(removalCommand("Subscription", "a", "quay")).toBe(
    "kubectl delete subscriptions.operators.coreos.com a -n quay",
  );
  expect(removalCommand("ClusterServiceVersion", "a.v1", "quay")).toBe(
    "kubectl delete clusterserviceversions.operators.coreos.com a.v1 -n quay",
  );
  expect(pinCommand("beacon", "1.2.0-rc.1+Build.5")).toBe(
    `kubectl patch clusterextensions.olm.operatorframework.io beacon --type=merge -p '{"spec":{"source":{"catalog":{"version":"1.2.0-rc.1+Build.5"}}}}'`,
  );
});

test.each(["", "-A", "a-", "a b", "a;b", "a\n", "a'b", "$(x)", "A", "a/b", "ä", "a".repeat(254)])(
  "with the name %j there is no command",
  (name) => {
    expect(rewriteCommand(name)).toBeUndefined();
    expect(patchCommand(name, ["v1"])).toBeUndefined();
    expect(patchCommand("a", ["v1", name])).toBeUndefined();
    expect(removalCommand("Subscription", name, "quay")).toBeUndefined();
    expect(removalCommand("Subscription", "a", name)).toBeUndefined();
    expect(pinCommand(name, "1.0.0")).toBeUndefined();
  },
);

test.each(["", "1.0 0", "1.0.0'", "1.0.0\n", "$(x)", "1".repeat(254)])(
  "with the version %j there is no command",
  (version) => {
    expect(pinCommand("beacon", version)).toBeUndefined();
  },
);

test("a command is for the cluster of the plan, in each part of a pipe", () => {
  const action = {
    verb: "rewrite",
    kind: "CustomResourceDefinition",
    name: "a",
    command: "kubectl get a | kubectl replace -f -",
  };
  expect(withKubectl(action as Action, "kubectl --context x").command).toBe(
    "kubectl --context x get a | kubectl --context x replace -f -",
  );
});
