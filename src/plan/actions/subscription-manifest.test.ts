import { describe, expect, test } from "vitest";
import {
  actionLines,
  actionSentence,
  catalogWith,
  comes,
  csv,
  goes,
  packageOf,
  quay,
  runs,
} from "../../../test/plan/plan-step.ts";
import { request } from "../../../test/resolve/sample-resolution.ts";
import type { Problem } from "../../model/problem.ts";
import type { PlannedChange } from "../plan-draft.ts";
import { actionsOf } from "./actions-of.ts";

const CATALOG = catalogWith(packageOf("winch", { "1.0.0": [csv("winch.v1.0.0")], "2.0.0": [csv("winch.v2.0.0")] }));

describe("Subscriptions", () => {
  const generatedSubscription = {
    name: "winch-stable-harbour-olm",
    namespace: "quay",
    package: "winch",
    channel: "stable",
    source: "harbour",
    sourceNamespace: "olm",
    startingCSV: "winch.v1.0.0",
  };
  const named = request("winch", { place: undefined });
  const subscriptions = (change: PlannedChange, more: Partial<Problem> = {}) =>
    actionsOf([change], quay([CATALOG], more)).filter(({ kind }) => kind === "Subscription");

  test("are generated for dependencies, as the last action (OLM cases E07, E08)", () => {
    const change = comes(CATALOG, "winch.v1.0.0", { generatedSubscription });
    const actions = actionsOf([change], quay([CATALOG]));
    expect(actionLines(actions).at(-1)).toBe("create Subscription winch-stable-harbour-olm");
    // A Subscription of another channel does not keep it up to date.
    expect(subscriptions(change, { requests: [request("winch", { channel: "fast" })] })).toHaveLength(1);
    expect(actionSentence(subscriptions(change)[0])).toBe(
      "create Subscription winch-stable-harbour-olm for package winch, channel stable of catalog harbour",
    );
    expect(subscriptions(change)).toEqual([
      {
        verb: "create",
        kind: "Subscription",
        name: "winch-stable-harbour-olm",
        namespace: "quay",
        bundle: "winch.v1.0.0",
        detail: { kind: "subscription", package: "winch", channel: "stable", source: "harbour" },
        manifest: {
          apiVersion: "operators.coreos.com/v1alpha1",
          kind: "Subscription",
          metadata: {
            name: "winch-stable-harbour-olm",
            namespace: "quay",
            annotations: { "olm.generated-by": "plimsoll" },
          },
          spec: {
            channel: "stable",
            name: "winch",
            source: "harbour",
            sourceNamespace: "olm",
            startingCSV: "winch.v1.0.0",
            installPlanApproval: "Automatic",
          },
        },
      },
    ]);
  });

  test("are made for packages of the command line, without an origin", () => {
    const [made, ...others] = subscriptions(comes(CATALOG, "winch.v1.0.0", { request: named }), { requests: [named] });
    expect(others).toEqual([]);
    expect(made).toMatchObject({ name: "winch", manifest: { metadata: { name: "winch", namespace: "quay" } } });
    expect(made?.manifest?.metadata).not.toHaveProperty("annotations");
    expect(made?.manifest?.spec).toMatchObject({ sourceNamespace: "quay" });
    const catalog = { ...CATALOG, namespace: "olm" };
    const [there] = subscriptions(comes(catalog, "winch.v1.0.0", { request: named }), { requests: [named] });
    expect(there?.manifest?.spec).toMatchObject({ sourceNamespace: "olm" });
  });

  test("are not made where one is there, or came with an earlier step of the plan", () => {
    const change = comes(CATALOG, "winch.v2.0.0", { request: named, from: runs("winch.v1.0.0") });
    expect(subscriptions(change, { requests: [named] })).toHaveLength(1);
    expect(subscriptions(change, { requests: [named, request("winch")] })).toEqual([]);
    expect(
      subscriptions(change, { requests: [named, request("winch", { place: undefined, isGenerated: true })] }),
    ).toEqual([]);
    expect(subscriptions(change, { requests: [named, request("buoy")] })).toHaveLength(1);
    expect(subscriptions(change, { requests: [{ ...named, isPlanned: true }] })).toEqual([]);
    expect(subscriptions(comes(CATALOG, "winch.v1.0.0", { request: request("winch") }))).toEqual([]);
    expect(subscriptions(comes(CATALOG, "winch.v1.0.0"))).toEqual([]);
  });

  test("are removed before the operator that they would reinstall", () => {
    const installed = "winch.v1.0.0";
    const requests = [
      request("z", { installed, isGenerated: true, place: undefined }),
      request("a", { installed }),
      request("other", { installed: "other.v1" }),
      request("winch", { installed, place: undefined }),
    ];
    const actions = actionsOf([goes(runs(installed))], quay([CATALOG], { requests }));
    expect(actionLines(actions)).toEqual([
      "delete Subscription a",
      "delete Subscription z",
      "delete ClusterServiceVersion winch.v1.0.0",
    ]);
    expect(actions.map(({ bundle, namespace }) => [bundle, namespace])).toEqual(actions.map(() => [undefined, "quay"]));
    expect(actionSentence(actions[0])).toBe("delete Subscription quay/a of winch.v1.0.0");
    expect(actions[0]?.command).toBe("kubectl delete subscriptions.operators.coreos.com a -n quay");
    expect(actionSentence(actions[2])).toBe(
      "delete ClusterServiceVersion quay/winch.v1.0.0; its CustomResourceDefinitions and their objects stay",
    );
    expect(actions[2]?.command).toBe("kubectl delete clusterserviceversions.operators.coreos.com winch.v1.0.0 -n quay");
  });
});
