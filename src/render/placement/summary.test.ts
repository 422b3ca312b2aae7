import { expect, test } from "vitest";
import { FLEET, placed, placement, shown, WRONG } from "../../../test/placement/sample-placement.ts";
import type { PlacementResult } from "../../placement/placement-result.ts";
import { makeStyle } from "../kit/style.ts";
import { renderPlacements } from "./render-placement.ts";
import type { ShownPlacement } from "./shown.ts";

const LOOK = { output: "text", style: makeStyle(false), width: undefined };

function summary(...placements: readonly ShownPlacement[]): string {
  const text = renderPlacements(shown(placements), LOOK);
  return text.slice(text.lastIndexOf(`\n${placements.length} Placements`) + 1);
}

function one(name: string, more: Partial<PlacementResult> = {}, clusters = FLEET.slice(0, 1)): ShownPlacement {
  return placed(clusters, { placement: placement({ name }), ...more });
}

test("how many have what they ask for, and which have not", () => {
  expect(
    summary(
      one("good"),
      one("half", {}, FLEET.slice(3, 5)),
      one("broken", { state: "kept", mistakes: [WRONG] }),
      one("dear", { state: "kept", mistakes: [{ ...WRONG, isLimit: true }] }),
      one("taken", { state: "emptied", mistakes: [WRONG] }),
      one("few", { unscheduled: 1, warnings: [WRONG] }),
      one("none", { brokenSets: [WRONG] }, []),
      one("left", { state: "ignored" }),
    ),
  ).toBe(`\
8 Placements: 2 have what they ask for (1 of them with clusters that could not be evaluated); 2 warnings
  ✗ misconfigured     apps/broken, apps/taken
  ✗ undecided         apps/dear
  ✗ too few clusters  apps/few
  – no cluster        apps/none
  · ignored           apps/left
`);
});

test("one is named, of many some are; a single Placement and none have no summary", () => {
  expect(summary(one("good"), one("few", { unscheduled: 1, warnings: [WRONG] }))).toMatch(
    /^2 Placements: 1 has what it asks for; 1 warning\n/,
  );
  const many = Array.from({ length: 30 }, (_, index) => one(`p${index}`, { unscheduled: 1 }));
  expect(summary(...many)).toMatch(/ {2}✗ too few clusters {2}apps\/p0, .*apps\/p11 and 18 more\n$/);
  expect(renderPlacements(shown([one("good")]), LOOK)).not.toContain("Placements:");
  expect(renderPlacements(shown([]), LOOK)).toBe("");
});
