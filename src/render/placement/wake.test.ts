import { expect, test } from "vitest";
import { chosen, cluster, placed, placement, shown, taint, WAKE } from "../../../test/placement/sample-placement.ts";
import type { AddOnPlacementScore } from "../../model/placement-score.ts";
import { makeStyle } from "../kit/style.ts";
import { listed, type ShownPlacement } from "./shown.ts";
import { wakeLines } from "./wake.ts";

function wakeText(run: ShownPlacement, scores: readonly AddOnPlacementScore[] = [], all = false): string {
  return wakeLines(listed(run), shown([run], { scores }), { style: makeStyle(false), width: undefined, all }).join(
    "\n",
  );
}

test("a toleration that ends is shown with its taint and its clusters", () => {
  const thick = (until: string) =>
    taint({
      taint: { key: "fog", value: "thick", effect: "NoSelect" },
      tolerance: { kind: "tolerated", by: 0, until },
    });
  const clusters = [
    cluster("dakar", "selected", { checks: [thick(WAKE)] }),
    cluster("genoa", "selected", { checks: [thick("2030-01-01T00:00:00Z")] }),
    cluster("lagos", "selected", { checks: [taint({ outcome: "skipped" })] }),
  ];
  expect(wakeText(placed(clusters, { wakeAt: WAKE }))).toBe(
    "At 2026-11-03T03:12:00Z dakar is no longer tolerated (taint fog=thick).",
  );
  const both = [...clusters, cluster("oslo", "selected", { checks: [thick(WAKE)] })];
  expect(wakeText(placed(both, { wakeAt: WAKE }))).toContain("dakar, oslo are no longer tolerated");
});

test("scores that expire are shown, if the Placement reads them and the clusters are members", () => {
  const score = (namespace: string, name: string, validUntil = "2026-11-03T04:12:00+01:00"): AddOnPlacementScore => ({
    place: { source: "", line: 1, column: 1 },
    ...{ namespace, name, validUntil, scores: [] },
  });
  const scoreCoordinate = { type: "AddOn", addOn: { resourceName: "sea", scoreName: "calm" } };
  const place = { source: "", line: 1, column: 1 };
  const configurations = [{ place, weight: 1, scoreCoordinate }];
  const celExpressions = ["managedCluster.score('air', \"x\") > 1"];
  const reading = placement({
    prioritizerPolicy: { mode: "Exact", configurations },
    predicates: [{ place, requiredClusterSelector: { claimRequirements: [], celExpressions } }],
  });
  const run = placed([chosen("a", 1, 1), chosen("b", 2, 1)], {
    wakeAt: "2026-11-03T03:12:00.000000001Z",
    placement: reading,
  });
  const moment = "At 2026-11-03T03:12:00Z";
  expect(wakeText(run, [score("a", "sea")])).toBe(`${moment} the AddOnPlacementScore sea of a expires.`);
  expect(wakeText(run, [score("a", "air"), score("b", "air")])).toBe(
    `${moment} the AddOnPlacementScores air of a, b expire.`,
  );
  const others = [
    score("a", "land"),
    score("far", "sea"),
    score("b", "sea", "2026-11-03T03:12:01Z"),
    score("b", "air", "?"),
  ];
  expect(wakeText(run, others)).toBe("May change by itself at 2026-11-03T03:12:00Z.");
});

test("a time more than a year away is shown only with -o wide, without nanoseconds", () => {
  const run = placed([], { wakeAt: "2099-01-01T00:00:00.000000001Z" });
  expect(wakeText(run)).toBe("");
  expect(wakeText(run, [], true)).toBe("May change by itself at 2099-01-01T00:00:00Z.");
  expect(wakeText(placed([]))).toBe("");
});
