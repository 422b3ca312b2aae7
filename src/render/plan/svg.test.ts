import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  change,
  generationsOf,
  ODD_TEXT,
  plan,
  run,
  shownPlans,
  step,
  VOYAGE,
  versions,
} from "../../../test/plan/sample-plan.ts";
import { PLAIN, RICH } from "../../../test/resolve/sample-resolution.ts";
import type { Generation, Plan } from "../../plan/plan.ts";
import type { StaysFact } from "../../resolve/explain/fact.ts";
import type { Explanation } from "../../resolve/resolution.ts";
import type { RuleName } from "../../rule/rules.ts";
import { pictureOf } from "./lane-picture.ts";
import { escapeXml, planSvg } from "./svg.ts";

const NO_WAY = { kind: "no-way", target: { package: "lantern" }, why: { kind: "unsafe" } } as const;
const TAG = /<(\/?)([a-z]+)(?: [a-zA-Z-]+="[^"<&]*")*(\/?)>([^<]*)/g;

/** The texts between tags; fails where tags do not close each other, or a text would mean something. */
function textsIn(svg: string): readonly string[] {
  const open: string[] = [];
  const texts: string[] = [];
  let length = 0;
  for (const [all, close, name = "", selfClosed, text = ""] of svg.matchAll(TAG)) {
    if (close !== "/" && selfClosed !== "/") open.push(name);
    if (close === "/" && open.pop() !== name) throw new Error(`${all} closes nothing`);
    if (text.trim() !== "") texts.push(text.trim());
    length += all.length;
  }
  expect(texts.filter((text) => /&(?!(?:amp|lt|gt|quot|#39|#10);)/.test(text))).toEqual([]);
  expect([open, length]).toEqual([[], svg.length]);
  return texts;
}

function svgOf(...plans: readonly Plan[]): string {
  return planSvg(shownPlans(plans));
}

describe("SVG", () => {
  test("a lane for each operator, those that move together beside each other", () => {
    const { lanes, joints, heads } = pictureOf(shownPlans([VOYAGE]));
    expect(heads.map(({ text }) => text)).toEqual(["generation", "now", "1", "2", "3", "4", "5", "6"]);
    const labels = lanes.map(({ name, boxes }) => `${name}: ${boxes.map(({ label }) => label).join(" ")}`);
    expect(labels).toEqual([
      "bilge-pump: 0.0.0 0.1.0 0.2.0 0.3.0 0.4.0 0.5.0 0.6.0",
      "chronometer: 1.6.0 2.0.0 2.1.0 2.2.0",
      "sextant: 1.6.0 2.0.0",
      "gaff: 0.4.0 removed",
      "hull-caulk: oakum 1.9.0 hull-caulk 2.0.0",
      "lamp-oil: + 0.3.0",
      "weather-fax: 1.2.0 1.3.0 1.4.0",
      "winch: 1.3.0 2.0.0",
    ]);
    expect(joints.map(({ middles }) => middles)).toEqual([[lanes[1]?.middle, lanes[2]?.middle]]);
    const marks = lanes.flatMap(({ boxes }) => boxes.map(({ mark }) => mark)).filter((mark) => mark !== "");
    expect(marks).toEqual(["joint", "joint", "migration"]);
    expect(lanes.flatMap(({ boxes }) => boxes.map(({ kind }) => kind)).filter((kind) => kind === "added")).toHaveLength(
      1,
    );
  });

  test("boxes stand in columns from left to right, and within the picture", () => {
    const { lanes, width, height } = pictureOf(shownPlans([VOYAGE]));
    for (const { boxes, middle } of lanes) {
      expect(middle).toBeLessThan(height);
      for (const [index, { left, width: wide }] of boxes.entries()) {
        expect(left + wide).toBeLessThan(width);
        const before = boxes[index - 1];
        if (before !== undefined) expect(left).toBeGreaterThan(before.left + before.width);
      }
    }
  });

  test("a long run is one arrow with its number of steps", () => {
    const { lanes, heads } = pictureOf(shownPlans([plan(generationsOf(run("bell", versions(237))))]));
    expect(heads.map(({ text }) => text)).toEqual(["generation", "now", "1–236"]);
    expect(lanes[0]?.boxes.map(({ label, steps }) => [label, steps])).toEqual([
      ["0.0.0", ""],
      ["0.236.0", "236 steps"],
    ]);
  });

  test("a column ends where an operator stops, or begins to move", () => {
    const steps = generationsOf(run("bell", versions(6)), run("gong", versions(3), 2));
    const { lanes, heads } = pictureOf(shownPlans([plan(steps)]));
    expect(heads.map(({ text }) => text)).toEqual(["generation", "now", "1", "2–3", "4–5"]);
    expect(lanes.map(({ boxes }) => boxes.map(({ label, mark }) => `${label}${mark}`))).toEqual([
      ["0.0.0", "0.1.0", "0.3.0", "0.5.0"],
      ["0.0.0", "0.2.0"],
    ]);
  });

  test("versions of another package have its name", () => {
    const steps = generationsOf(
      run("oakum", ["1.8.0", "1.9.0"]),
      new Map([[2, step([change("oakum 1.9.0", "hull-caulk 2.0.0")])]]),
      run("hull-caulk", ["2.0.0", "2.1.0"], 3),
    );
    const [lane] = pictureOf(shownPlans([plan(steps)])).lanes;
    expect(lane?.boxes.map(({ label }) => label)).toEqual(["oakum 1.8.0", "oakum 1.9.0", "hull-caulk 2.0.0", "2.1.0"]);
  });

  test("lanes that go no further are hatched, with a reason", () => {
    const svg = svgOf(plan(generationsOf(run("lantern", ["1.0.0", "1.2.0"])), { last: RICH }));
    const texts = textsIn(svg);
    for (const text of [
      "held back from 2.0.0 by compass",
      "crane.v2.0.0 waits for approval",
      "not possible",
      "undecided",
    ])
      expect(texts).toContain(text);
    expect(texts.filter((text) => text === "lantern")).toHaveLength(1);
    expect(svg.match(/url\(#plimsoll-hatch\)/g)).toHaveLength(5);
    expect(texts).toContain(
      "Subscription bridge/keeper requires approval (installPlanApproval: Manual).&#10;Subscription bridge/shards requires approval (installPlanApproval: Manual).",
    );
  });

  test("an operator that reports itself as not upgradeable is not held by others", () => {
    const stays = (by: "condition" | "flag"): StaysFact => ({
      kind: "stays",
      rule: "held-operator",
      subject: "lantern",
      installed: 0,
      hold: { by, text: "wait" },
      why: "held",
      targets: [],
    });
    const text = (by: "condition" | "flag"): readonly string[] => {
      const heldBack = RICH.heldBack.map((item) => ({
        ...item,
        explanation: {
          ...(item.explanation as Explanation),
          operators: [{ name: "lantern.v1.2.0", package: "lantern", version: "1.2.0", namespace: "here" }],
          facts: [stays(by)],
        },
      }));
      return textsIn(svgOf(plan([], { last: { ...PLAIN, heldBack } })));
    };
    expect(text("condition")).toContain("held back from 2.0.0 by itself (not upgradeable)");
    expect(text("flag")).toContain("held back from 2.0.0 by a hold");
  });

  test("an orphan is drawn", () => {
    const orphans = [{ package: "gaff", name: "gaff.v0.4.0", requests: [], inUse: [], neededBy: undefined }];
    expect(textsIn(svgOf(plan([], { orphans })))).toEqual(expect.arrayContaining(["gaff", "orphan: nothing needs it"]));
  });

  test.each<[RuleName, readonly string[], string]>([
    ["runtime-constraint", ["mate"], "held back from 2.0.0 by the administrator"],
    ["dependency", ["mate"], "held back from 2.0.0 by mate"],
    ["dependency", ["mate", "cook"], "held back from 2.0.0 by 2 others"],
    ["dependency", ["lantern"], "held back from 2.0.0"],
    ["crd-upgrade", ["lantern"], "held back from 2.0.0 by a CRD"],
    ["held-operator", ["lantern"], "held back from 2.0.0 by a hold"],
  ])("a reason in a few words: %s of %s", (rule, subjects, expected) => {
    const heldBack = RICH.heldBack.map((item) => ({
      ...item,
      explanation: {
        ...(item.explanation as Explanation),
        facts: subjects.map((subject) => ({ ...NO_WAY, rule, subject })),
      },
    }));
    expect(textsIn(svgOf(plan([], { last: { ...PLAIN, heldBack } })))).toContain(expected);
  });

  test("it is self-contained, has a title, and supports dark mode", () => {
    const svg = svgOf(VOYAGE);
    const [title, description] = textsIn(svg);
    expect(title).toBe("Plan for namespace bridge");
    expect(description).toContain("A lane for each operator that moves, would move or goes;");
    expect(description).toContain("Lanes: 8. Joint steps, framed: 1. Lanes that go no further, hatched: 0.");
    expect(svg).toContain("@media (prefers-color-scheme:dark)");
    expect(svg.replace('xmlns="http://www.w3.org/2000/svg"', "")).not.toMatch(
      /https?:|<script|@import|href|\bon[a-z]+=/,
    );
  });

  test("several namespaces, and none that moves", () => {
    const texts = textsIn(svgOf(VOYAGE, plan(generationsOf(run("bell", versions(3))), { namespace: "cargo" })));
    expect(texts.filter((text) => text === "cargo" || text === "bridge")).toEqual(["bridge", "cargo"]);
    expect(textsIn(svgOf(plan([])))).toContain("nothing to do");
  });

  test("a joint step of lanes that do not stand beside each other is framed in parts", () => {
    const both = (...owners: readonly string[]): ReturnType<typeof step> =>
      step(owners.map((owner) => change(`${owner} 1.0.0`, `${owner} 2.0.0`)));
    const steps = new Map([
      [1, both("a", "b")],
      [2, step(["b", "c"].map((owner) => change(`${owner} ${owner === "b" ? 2 : 1}.0.0`, `${owner} 3.0.0`)))],
      [3, step(["a", "c"].map((owner) => change(`${owner} ${owner === "a" ? 2 : 3}.0.0`, `${owner} 4.0.0`)))],
    ]);
    const svg = svgOf(plan(generationsOf(steps)));
    expect(svg.match(/<rect class="joint"/g)).toHaveLength(4);
    expect(svg.match(/<path class="tie"/g)).toHaveLength(1);
  });

  test("untrusted text is inert", () => {
    fc.assert(
      fc.property(ODD_TEXT, (name) => {
        const odd = change(undefined, "bell 1.0.0", { package: name });
        const last = {
          ...PLAIN,
          heldBack: RICH.heldBack.map((item) => ({ ...item, package: name, available: [{ name }] })),
        };
        textsIn(svgOf(plan(generationsOf(new Map([[1, step([odd])]])), { namespace: name, last })));
      }),
      { numRuns: process.env.PLIMSOLL_LONG ? 2_000 : 100 },
    );
    expect(escapeXml(`<a b="c">&'\uFFFE\u0000\uD800`, 400)).toBe(
      "&lt;a b=&quot;c&quot;&gt;&amp;&#39;\uFFFD\\u{0}\\u{d800}",
    );
    expect(escapeXml("x".repeat(500), 10)).toBe("xxxxxxxxxx…");
  });
});

describe("large plans", () => {
  /** Every generation moves all operators, two of them together every so often. */
  function large(generations: number, operators: number, every: number): readonly Generation[] {
    return Array.from({ length: generations }, (_, index) => {
      const move = (owner: number): ReturnType<typeof change> =>
        change(`op${owner} 1.${index}.0`, `op${owner} 1.${index + 1}.0`);
      const isJoint = index % every === 0;
      const alone = Array.from({ length: isJoint ? operators - 2 : operators }, (_, owner) => step([move(owner)]));
      const joint = isJoint ? [step([move(operators - 2), move(operators - 1)])] : [];
      return { number: index + 1, steps: [...joint, ...alone] };
    });
  }

  test("many generations are drawn in few columns", () => {
    for (const every of [1, 7, 1_000]) {
      const { width, heads } = pictureOf(shownPlans([plan(large(200, 4, every))]));
      expect(width).toBeLessThan(4_000);
      expect(heads.length).toBeLessThanOrEqual(25);
      expect(heads.at(-1)?.text).toMatch(/200$/);
    }
    const { lanes, joints } = pictureOf(shownPlans([plan(large(200, 4, 1))]));
    expect(joints).toHaveLength(22);
    expect(lanes.map(({ boxes }) => boxes.at(-1)).map((box) => [box?.label, box?.steps, box?.mark])).toEqual([
      ["1.200.0", "178 steps", ""],
      ["1.200.0", "178 steps", ""],
      ["1.200.0", "178 steps", "178 joint"],
      ["1.200.0", "178 steps", "178 joint"],
    ]);
  });

  test("without room for columns, a box has its generation", () => {
    const some = Array.from({ length: 30 }, (_, index) => run(`op${index + 10}`, versions(2), 2 * index + 1));
    const { heads, lanes } = pictureOf(shownPlans([plan(generationsOf(...some, run("zebec", versions(60))))]));
    expect(heads.map(({ text }) => text)).toEqual(["generation", "now", "1–59"]);
    expect(lanes.map(({ boxes }) => boxes.at(-1)?.mark).slice(-3)).toEqual(["at 57", "", ""]);
  });

  test("many operators are counted, not drawn", () => {
    const { lanes, left } = pictureOf(shownPlans([plan(large(1, 450, 1))]));
    expect([lanes.length, left]).toEqual([400, 50]);
    expect(textsIn(svgOf(plan(large(1, 450, 1))))).toContain("and 50 more operators");
  });
});
