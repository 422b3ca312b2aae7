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
import type { Plan } from "../../plan/plan.ts";
import type { Explanation } from "../../resolve/resolution.ts";
import { planMermaid } from "./mermaid.ts";

const NO_WAY = { kind: "no-way", target: { package: "lantern" }, why: { kind: "unsafe" } } as const;
const TEXT = String.raw`"(?:[\p{L}\p{M}\p{N} ._+/=,()-]|#\d+;)*"`;
const LINE = new RegExp(
  [
    "flowchart LR",
    `  subgraph o\\d+\\[${TEXT}\\]`,
    `    o\\d+v\\d+\\[${TEXT}\\](?::::(?:added|stopped))?`,
    "  end",
    `  o\\d+v\\d+ (?:-->|-\\.->?)(?:\\|${TEXT}\\|)? o\\d+v\\d+`,
    `  (?:more|nothing)\\[".*"\\]:::weak`,
    "  classDef (?:added|weak|stopped) .*",
  ]
    .map((line) => `(?:^${line}$)`)
    .join("|"),
  "u",
);

/** The lines of a flowchart, each of which is one that Mermaid reads. */
function linesOf(...plans: readonly Plan[]): readonly string[] {
  const lines = planMermaid(shownPlans(plans)).split("\n").slice(0, -1);
  expect(lines.filter((line) => !LINE.test(line))).toEqual([]);
  const boxes = new Set(lines.flatMap((line) => /^ +(o\w+)\[/.exec(line)?.[1] ?? []));
  const ends = lines.flatMap((line) => /^ {2}(\w+) -.*[>-](?:\|.*\| )?(\w+)$/.exec(line)?.slice(1) ?? []);
  expect(ends.filter((id) => !boxes.has(id))).toEqual([]);
  return lines;
}

describe("Mermaid", () => {
  test("a frame for each operator with its own arrows, and dotted lines between those that move together", () => {
    const lines = linesOf(VOYAGE);
    const at = lines.indexOf('  subgraph o1["chronometer"]');
    expect(lines.slice(at, at + 15)).toEqual([
      '  subgraph o1["chronometer"]',
      '    o1v0["chronometer 1.6.0"]',
      '    o1v1["chronometer 2.0.0"]',
      '    o1v2["chronometer 2.1.0"]',
      '    o1v3["chronometer 2.2.0"]',
      "  end",
      '  o1v0 -->|"generation 1, joint"| o1v1',
      '  o1v1 -->|"generation 2"| o1v2',
      '  o1v2 -->|"generation 3"| o1v3',
      '  subgraph o2["sextant"]',
      '    o2v0["sextant 1.6.0"]',
      '    o2v1["sextant 2.0.0"]',
      "  end",
      '  o2v0 -->|"generation 1, joint"| o2v1',
      '  o1v1 -.-|"joint"| o2v1',
    ]);
    for (const line of [
      '    o3v1["removed"]:::stopped',
      '    o5v0["lamp-oil 0.3.0, new in generation 1"]:::added',
      '  o7v0 -->|"generation 3, migration"| o7v1',
    ])
      expect(lines).toContain(line);
  });

  test("only of very many steps in a row are the versions left out", () => {
    expect(linesOf(plan(generationsOf(run("bell", versions(9))))).filter((line) => line.includes("-->"))).toHaveLength(
      8,
    );
    expect(linesOf(plan(generationsOf(run("bell", versions(10)))))).toContain(
      '  o0v0 -->|"9 steps, generations 1#8211;9"| o0v1',
    );
  });

  test("a reason that is too long loses its end", () => {
    const available = [{ name: `lantern.v2.0.0-${"x".repeat(25)}` }];
    const heldBack = RICH.heldBack.map((item) => ({
      ...item,
      available,
      explanation: {
        ...(item.explanation as Explanation),
        facts: [{ ...NO_WAY, rule: "runtime-constraint" as const, subject: "mate" }],
      },
    }));
    expect(linesOf(plan([], { last: { ...PLAIN, heldBack } }))).toContain(
      `    o0v0["held back from ${available[0]?.name} by#8230;"]:::stopped`,
    );
  });

  test("those that go no further end in a broken box", () => {
    const lines = linesOf(plan(generationsOf(run("lantern", ["1.0.0", "1.2.0"])), { last: RICH }));
    const end = lines.find((line) => line.includes("held back from 2.0.0"));
    expect(end).toMatch(/:::stopped$/);
    expect(lines.some((line) => line.endsWith(`-.-> ${/\w+/.exec(end ?? "")?.[0]}`))).toBe(true);
  });

  test("several namespaces are named, and an empty plan is marked", () => {
    const cargo = plan(generationsOf(run("bell", versions(2))), { namespace: "cargo" });
    expect(linesOf(VOYAGE, cargo)).toContain('  subgraph o8["cargo/bell"]');
    expect(linesOf(plan([]))).toContain('  nothing["nothing to do"]:::weak');
  });

  test("it stays within what Mermaid draws", () => {
    const many = Array.from({ length: 600 }, (_, index) => run(`operator-${index}`, versions(3)));
    const lines = linesOf(plan(generationsOf(...many)));
    expect(lines.filter((line) => line.includes("-->")).length).toBeLessThanOrEqual(450);
    expect(lines.join("\n").length).toBeLessThan(50_000);
    const drawn = lines.filter((line) => line.startsWith("  subgraph")).length;
    expect(lines).toContain(`  more["and ${600 - drawn} more operators: see -o svg"]:::weak`);
  });

  test("nor does it draw more arrows than that", () => {
    const move = (owner: string, index: number): ReturnType<typeof change> =>
      change(`${owner} 0.${index}.0`, `${owner} 0.${index + 1}.0`);
    const joint = Array.from({ length: 100 }, (_, index) => step(["a", "b", "c"].map((owner) => move(owner, index))));
    const lines = linesOf(plan(generationsOf(new Map(joint.map((one, index) => [index + 1, one])))));
    expect(lines.filter((line) => /-->|-\.-/.test(line))).toHaveLength(300);
    expect(lines).toContain('  more["and 1 more operator: see -o svg"]:::weak');
  });

  test("what comes with others is tied to them", () => {
    const joint = step([change("bell 1.0.0", "bell 2.0.0"), change(undefined, "clapper 1.0.0")]);
    expect(linesOf(plan(generationsOf(new Map([[1, joint]]))))).toEqual(
      expect.arrayContaining([
        '    o1v0["clapper 1.0.0, new in generation 1, joint"]:::added',
        '  o0v1 -.-|"joint"| o1v0',
      ]),
    );
  });

  test("untrusted text is inert", () => {
    fc.assert(
      fc.property(ODD_TEXT, (name) => {
        const odd = change(undefined, "bell 1.0.0", { package: name });
        const last = {
          ...PLAIN,
          heldBack: RICH.heldBack.map((item) => ({ ...item, package: name, available: [{ name }] })),
        };
        linesOf(plan(generationsOf(new Map([[1, step([odd])]])), { namespace: name, last }));
      }),
      { numRuns: process.env.PLIMSOLL_LONG ? 2_000 : 100 },
    );
  });
});
