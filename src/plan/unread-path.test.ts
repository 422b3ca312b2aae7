// No way leads to a target as far as is known, and what was not read may have one; or the request for it has no source.

import { describe, expect, test } from "vitest";
import { bundle } from "../../test/catalog/lantern-catalog.ts";
import { explanationText } from "../../test/explanations/explanation-text.ts";
import { planned, target } from "../../test/plan/summary-lines.ts";
import { needsPackage, request, running, scene, stocked } from "../../test/worlds/scene.ts";
import type { JsonObject } from "../model/json.ts";
import type { Problem } from "../model/problem.ts";
import { fixText } from "../render/sentence/fix.ts";
import type { Explanation } from "../resolve/resolution.ts";

function channel(name: string, entries: readonly JsonObject[]): JsonObject {
  return { schema: "olm.channel", package: "kelp", name, entries: [...entries] };
}

const STABLE = channel("stable", [{ name: "kelp.v1.0.0" }, { name: "kelp.v1.1.0", replaces: "kelp.v1.0.0" }]);
/** Two heads: it is left out. */
const BROKEN: readonly JsonObject[] = [
  { name: "kelp.v1.1.0" },
  { name: "kelp.v1.2.0", replaces: "kelp.v1.1.0" },
  { name: "kelp.v1.3.0", replaces: "kelp.v1.1.0" },
];
const BUNDLES = ["1.0.0", "1.1.0", "1.2.0", "1.3.0"].map((version) => bundle("kelp", version, []));
const PACKAGE = { schema: "olm.package", name: "kelp", defaultChannel: "stable" };

/** kelp runs, from a channel of a catalog with these documents beside its package and bundles. */
function kelp(version: string, from: string, documents: readonly JsonObject[], more: Partial<Problem> = {}): Problem {
  const name = `kelp.v${version}`;
  return scene({
    catalogs: [stocked({}, {}, [PACKAGE, ...documents, ...BUNDLES])],
    installed: [running(name)],
    requests: [request("kelp", { installed: name, channel: from, catalog: { name: "main" } })],
    ...more,
  });
}

function texts(explanation: Explanation | undefined) {
  return [explanationText(explanation)?.split("\n"), explanation?.fixes.map(fixText)];
}

function outcome(problem: Problem, to: string) {
  const { end, target: reached, last } = planned(problem, { to: target(to) });
  return {
    end,
    why: texts(reached?.explanation),
    open: last.unsatisfied.flatMap(({ explanation }) => explanation?.fixes.map(fixText) ?? []),
  };
}

const REPLACE_HEADS = "fix catalog main: let the newest one replace or skip the others";
const LOST_CHANNEL =
  "a channel of catalog main was left out: channel beta of package kelp: 2 entries are heads, which nothing replaces or skips: kelp.v1.2.0, kelp.v1.3.0";

describe("what was left out", () => {
  test("the package is there, and was refused", () => {
    const repairChannel = "fix catalog main: repair the channel; what a new user gets would be a guess without it";
    expect(outcome(kelp("1.1.0", "stable", [channel("stable", BROKEN)]), "kelp@1.2.0")).toEqual({
      end: "unread",
      why: [
        [
          "a package of catalog main was left out: package kelp is refused, because its default channel stable is broken",
        ],
        [repairChannel],
      ],
      open: [repairChannel],
    });
  });

  test("the channel of the request: another channel is advised only if it leads there", () => {
    const problem = kelp("1.0.0", "beta", [STABLE, channel("beta", BROKEN)]);
    const lost = [LOST_CHANNEL];
    const stable = "take kelp from channel stable";
    expect(outcome(problem, "kelp@1.3.0")).toEqual({
      end: "unread",
      why: [lost, [REPLACE_HEADS]],
      open: [REPLACE_HEADS],
    });
    expect(outcome(problem, "kelp@1.1.0")).toEqual({
      end: "unread",
      why: [lost, [REPLACE_HEADS, stable]],
      open: [REPLACE_HEADS, stable],
    });
    // The target itself names the channel.
    expect(outcome(problem, "kelp:beta")).toEqual({
      end: "unread",
      why: [lost, [REPLACE_HEADS]],
      open: [REPLACE_HEADS],
    });
  });

  test("another channel, which has the version", () => {
    const { end, why } = outcome(kelp("1.0.0", "stable", [STABLE, channel("beta", BROKEN)]), "kelp@1.3.0");
    expect([end, ...why]).toEqual([
      "unread",
      [
        "No catalog has kelp 1.3.0, as far as the catalogs could be read: the newest is 1.1.0.",
        `This is not certain: ${LOST_CHANNEL}.`,
      ],
      [REPLACE_HEADS],
    ]);
  });

  test("a package that the next update needs", () => {
    const documents = [PACKAGE, channel("stable", BROKEN), ...BUNDLES];
    const catalogs = [stocked({ moss: { "1.0.0": [], "1.1.0": [needsPackage("kelp")] } }, {}, documents)];
    const requests = [request("moss", { installed: "moss.v1.0.0" })];
    const { end, why } = outcome(scene({ catalogs, requests, installed: [running("moss.v1.0.0")] }), "moss@1.1.0");
    expect(end).toBe("unread");
    expect(why[0]?.at(-1)).toContain("This is not certain: a package of catalog main was left out");
  });
});

describe("a catalog that is not available", () => {
  const unavailable = [{ name: "x", priority: 0, reason: "it could not be loaded" }];

  test("may have the package: that is why, and not the time", () => {
    const fix = "fix catalog x, or give it from another path: --catalog x=PATH";
    expect(outcome(scene({ catalogs: [stocked({ moss: { "1.0.0": [] } })], unavailable }), "kelp")).toEqual({
      end: "unread",
      why: [["no catalog that is available has a package kelp"], [fix]],
      open: [fix],
    });
  });

  test("may have the version", () => {
    const catalogs = [stocked({ kelp: { "1.0.0": [], "1.1.0": [] } })];
    const { end, why } = outcome(kelp("1.0.0", "stable", [], { catalogs, unavailable }), "kelp@1.3.0");
    expect([end, why[0]]).toEqual([
      "unread",
      [
        "No catalog has kelp 1.3.0, as far as the catalogs could be read: the newest is 1.1.0.",
        "This is not certain: catalog x is not available (it could not be loaded).",
      ],
    ]);
  });
});

test("a channel that is gone: that is why, and only what leads to the target is advised", () => {
  const problem = kelp("1.0.0", "stabel", [STABLE, channel("fast", [{ name: "kelp.v1.1.0" }])]);
  expect(outcome(problem, "kelp")).toEqual({
    end: "no-way",
    why: [["package kelp has no channel stabel; it has fast and stable"], ["take kelp from channel stable"]],
    open: ["take kelp from channel stable"],
  });
});
