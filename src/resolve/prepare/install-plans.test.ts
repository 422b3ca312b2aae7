import { expect, test } from "vitest";
import { PLACE } from "../../../test/resolve/prepare-given.ts";
import { running } from "../../../test/worlds/scene.ts";
import type { InstallPlan } from "../../model/install-plan.ts";
import { byName } from "../../render/sentence/names.ts";
import { warningText } from "../../render/sentence/warning.ts";
import { failedPlan, latestPlan } from "./install-plans.ts";

function plan(name: string, generation: number, more: Partial<InstallPlan> = {}): InstallPlan {
  const spec = { generation, approval: "Automatic", approved: true, clusterServiceVersionNames: ["a.v2"] } as const;
  return { place: PLACE, namespace: "here", name, ...spec, steps: [], ...more };
}

test("the latest InstallPlan is the one with the highest number, in its namespace", () => {
  const plans = [plan("c", 2), plan("a", 10), plan("b", 10), plan("z", 11, { namespace: "there" })];
  expect(latestPlan(plans, "here")?.name).toBe("b");
  expect(latestPlan(plans.toReversed(), "here")?.name).toBe("b");
  expect(latestPlan(plans, "nowhere")).toBeUndefined();
});

test("that it has failed is worth knowing as long as something of it does not run (OLM case P13)", () => {
  const failed = plan("install-1", 1, { phase: "Failed", message: "no space left" });
  expect(failedPlan(failed, [], false).map((one) => warningText(one, byName))).toEqual([
    "InstallPlan here/install-1, which was to bring a.v2, has failed (no space left): OLM does not try it again, and does nothing in the namespace until the InstallPlan is deleted",
  ]);
  expect(failedPlan(failed, [], true).map((one) => warningText(one, byName))[0]).toMatch(
    /it goes on only to an entry that skips what has failed$/,
  );
  expect(failedPlan(failed, [running("a.v2")], false)).toEqual([]);
  expect(failedPlan(plan("install-1", 1, { phase: "Complete" }), [], false)).toEqual([]);
  expect(failedPlan(undefined, [], false)).toEqual([]);
});
