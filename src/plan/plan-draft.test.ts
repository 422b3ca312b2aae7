import { describe, expect, test } from "vitest";
import { catalogWith, comes, csv, object, packageOf, planOf, quay, runs, stepOf } from "../../test/plan/plan-step.ts";
import { request } from "../../test/resolve/sample-resolution.ts";
import type { Request } from "../model/problem.ts";
import { planValues } from "./plan-draft.ts";

const CATALOG = catalogWith(
  packageOf("winch", { "1.0.0": [csv("winch.v1.0.0"), object("Service", "api")] }),
  packageOf("buoy", { "1.0.0": [] }),
);

describe("a bundle in a plan", () => {
  const sourceNamespace = (...requests: readonly Request[]): string | undefined => {
    const problem = quay([CATALOG], { requests });
    return planOf(problem, [stepOf(problem, [comes(CATALOG, "winch.v1.0.0")])]).generations[0]?.steps[0]?.changes[0]?.to
      ?.sourceNamespace;
  };

  test("has the namespace of its CatalogSource if the catalog or a Subscription states it", () => {
    expect(sourceNamespace()).toBeUndefined();
    expect(sourceNamespace(request("oar", { catalog: { name: "harbour", namespace: "olm" } }))).toBe("olm");
    expect(sourceNamespace(request("oar", { catalog: { name: "other", namespace: "olm" } }))).toBeUndefined();
  });
});

describe("actions", () => {
  const problem = quay([CATALOG]);
  const steps = [stepOf(problem, [comes(CATALOG, "winch.v1.0.0"), comes(CATALOG, "buoy.v1.0.0")])];
  const way = { namespace: "quay", generations: [{ number: 1, steps }], before: problem, after: problem };
  const made = (actions?: "short" | "whole") =>
    planValues([way as unknown as Parameters<typeof planValues>[0][number]], { actions })[0]?.generations[0]?.steps[0]
      ?.actions;

  test("are present only if requested, and manifests only if all of them were", () => {
    expect(made()).toBeUndefined();
    expect(made("short")?.map(({ verb, kind, name }) => `${verb} ${kind} ${name}`)).toEqual([
      "unpack Bundle buoy.v1.0.0",
      "create ClusterServiceVersion buoy.v1.0.0",
      "create ClusterServiceVersion winch.v1.0.0",
      "create Service api",
    ]);
    expect(JSON.stringify(made("short"))).not.toMatch(/"(manifest|properties)":/);
    expect(made("whole")?.map(({ manifest }) => manifest?.kind)).toEqual([
      undefined,
      undefined,
      "ClusterServiceVersion",
      "Service",
    ]);
    expect(made("whole")?.[0]?.detail).toMatchObject({ kind: "content", properties: expect.any(String) });
  });
});

test("an operator that runs is named without what is known of it", () => {
  const plan = planOf(
    quay([CATALOG], { installed: [runs("winch.v1.0.0", { properties: [{ type: "x", value: 1 }] })] }),
  );
  expect(plan.before).toEqual([{ name: "winch.v1.0.0", package: "winch", namespace: "quay" }]);
});
