import { describe, expect, test } from "vitest";
import {
  actionSentence,
  bundleIn,
  catalogWith,
  comes,
  csv,
  object,
  packageOf,
  quay,
} from "../../../test/plan/plan-step.ts";
import { wholeSource } from "../../model/place.ts";
import { CLUSTER_SCOPE, type Problem, type Request } from "../../model/problem.ts";
import { runningAs, stateAfter } from "../../resolve/state-after.ts";
import { actionsOf } from "./actions-of.ts";

const CATALOG = catalogWith(
  packageOf("winch", { "1.0.0": [csv("winch.v1.0.0"), object("Service", "api")], "2.0.0": [csv("winch.v2.0.0")] }),
  packageOf("buoy", { "1.0.0": [], "2.0.0": [] }),
);

function extension(name: string, more: Partial<Request> = {}): Request {
  return {
    id: name,
    name,
    priority: 0,
    package: "winch",
    approval: "Automatic",
    extension: { channels: [], policy: "CatalogProvided", crdUpgradeSafety: "Strict" },
    place: wholeSource("extensions.yaml"),
    ...more,
  };
}

function scope(requests: readonly Request[], ...installed: readonly string[]): Problem {
  return quay([CATALOG], {
    namespace: CLUSTER_SCOPE,
    scope: "cluster",
    requests,
    installed: installed.map((name) => runningAs(bundleIn(CATALOG, name), CLUSTER_SCOPE)),
  });
}

describe("a bundle of the cluster scope", () => {
  const update = (problem: Problem) => comes(CATALOG, "winch.v2.0.0", { from: problem.installed[0] });

  test("comes by setting the version of its ClusterExtension, whose name need not be that of the package", () => {
    const problem = scope([extension("hoist", { installed: "winch.v1.0.0" })], "winch.v1.0.0");
    const actions = actionsOf([update(problem)], problem);
    expect(actions).toEqual([
      {
        verb: "patch",
        kind: "ClusterExtension",
        name: "hoist",
        bundle: "winch.v2.0.0",
        detail: { kind: "extension", package: "winch", version: "2.0.0" },
        manifest: { spec: { source: { catalog: { version: "2.0.0" } } } },
        command: `kubectl patch clusterextensions.olm.operatorframework.io hoist --type=merge -p '{"spec":{"source":{"catalog":{"version":"2.0.0"}}}}'`,
      },
    ]);
    expect(actionSentence(actions[0])).toBe("set spec.source.catalog.version of ClusterExtension hoist to 2.0.0");
  });

  test("comes for every ClusterExtension that has the same bundle, and without a command for an odd name", () => {
    const both = ["hoist", "odd name"].map((name) => extension(name, { installed: "winch.v1.0.0" }));
    const problem = scope(both, "winch.v1.0.0");
    expect(actionsOf([update(problem)], problem).map(({ name, command }) => [name, command !== undefined])).toEqual([
      ["hoist", true],
      ["odd name", false],
    ]);
  });

  test("needs a ClusterExtension that is created once, if it is a dependency or only named", () => {
    const named = extension("winch", { place: undefined });
    for (const requests of [[], [named]]) {
      const problem = scope(requests);
      const [action] = actionsOf([comes(CATALOG, "winch.v1.0.0")], problem);
      expect(action).toMatchObject({ verb: "create", name: "winch" });
      expect(action?.manifest ?? action?.command).toBeUndefined();
      expect(actionSentence(action)).toBe(
        "create a ClusterExtension for package winch with version 1.0.0 (its namespace and service account are yours to choose)",
      );
    }
    const then = stateAfter(scope([named]), [comes(CATALOG, "winch.v1.0.0")]);
    expect(then.requests).toEqual([{ ...named, installed: "winch.v1.0.0", left: undefined, isPlanned: true }]);
    const [action] = actionsOf([update(then)], then);
    expect(action).toMatchObject({ verb: "patch", detail: { isCreated: true } });
    expect(action?.command).toBeUndefined();
    expect(actionSentence(action)).toBe(
      "set spec.source.catalog.version of the ClusterExtension for package winch to 2.0.0",
    );
  });

  test("that is a dependency runs without a request afterwards", () => {
    const asking = extension("buoy", { package: "buoy", installed: "buoy.v1.0.0" });
    const problem = scope([asking], "buoy.v1.0.0");
    const after = stateAfter(problem, [comes(CATALOG, "winch.v1.0.0")]);
    expect(after.requests).toEqual([asking]);
    expect(after.installed.map(({ name, namespace }) => [name, namespace])).toEqual([
      ["buoy.v1.0.0", ""],
      ["winch.v1.0.0", ""],
    ]);
  });
});
