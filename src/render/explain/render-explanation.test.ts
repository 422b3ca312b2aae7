import { load } from "js-yaml";
import { describe, expect, test } from "vitest";
import { warned } from "../../../test/resolve/sample-resolution.ts";
import { needs, needsPackage, provides, request, running, scene, stocked } from "../../../test/worlds/scene.ts";
import type { Package } from "../../model/catalog.ts";
import type { Problem } from "../../model/problem.ts";
import { explain } from "../../resolve/explain/subject.ts";
import { printNamedRequest } from "../../resolve/prepare/named-request.ts";
import { parseRange, type Range } from "../../semver/blang-range.ts";
import { readVersion } from "../../semver/version.ts";
import { displayWidth } from "../kit/display-width.ts";
import { makeStyle } from "../kit/style.ts";
import { FORMATS } from "../output-formats.ts";
import { flagsOf } from "../sentence/flags.ts";
import { renderExplanation } from "./render-explanation.ts";
import { declarationsOf } from "./shown.ts";

interface Asked {
  readonly version?: string;
  readonly withLoss?: boolean;
  readonly output?: string;
  readonly width?: number;
}

function rendered(problem: Problem, name: string, { version, withLoss, output = "text", width }: Asked = {}): string {
  const subject = { package: name, version: version === undefined ? undefined : readVersion(version) };
  const answer = explain(problem, subject, { withLoss: withLoss === true });
  return renderExplanation(
    {
      answer,
      declarations: declarationsOf(answer),
      warnings: [warned("the tide is out")],
      at: ({ source, line, column }) => `${source}:${line}:${column}`,
      command: ({ changes }) => `plimsoll resolve ${changes.flatMap(flagsOf).join(" ")}`,
      tryCommand: ({ how, request }) =>
        `plimsoll resolve ${how === "add" ? "" : "--instead "}${printNamedRequest(request)}`,
    },
    { output, style: makeStyle(false), width },
  );
}

const CATALOG = stocked({
  lantern: { "1.0.0": [needs("Fuel")], "1.1.0": [needs("Fuel")] },
  oil: { "1.0.0": [provides("Fuel")], "2.0.0": [provides("Fuel"), needs("Barrel")] },
  keeper: { "1.0.0": [needsPackage("lantern")] },
  cart: { "1.0.0": [needs("Horse")] },
});
const PROBLEM = scene({ catalogs: [CATALOG], requests: [request("keeper"), request("cart")] });

describe("text", () => {
  test("a dependency: the way there, why not newer, its dependents, its sources", () => {
    const lines = rendered(PROBLEM, "oil").split("\n");
    expect(lines[0]).toBe("oil 1.0.0 is to be installed in namespace here: needed by lantern 1.1.0 for API Fuel");
    for (const heading of ["Why not newer", "Who needs oil", "Sources", "Warnings"]) expect(lines).toContain(heading);
    expect(lines.some((line) => /^ {2}└─ lantern 1\.1\.0 requires .*Fuel \(example\.com\/v1\)$/.test(line))).toBe(true);
    expect(lines.some((line) => /^ {5}└─ keeper 1\.0\.0 requires .*lantern.* \(you asked for it\)$/.test(line))).toBe(
      true,
    );
    expect(lines.some((line) => /^ {2}main\.yaml:\d+:1 {2,}lantern 1\.1\.0 in catalog main$/.test(line))).toBe(true);
    expect(lines).toContain("  deprecated: package tide is deprecated: the tide is out");
    expect(lines).not.toContain("Without oil");
  });

  test("what would be lost is shown on request", () => {
    const lines = rendered(PROBLEM, "oil", { withLoss: true }).split("\n");
    const at = lines.indexOf("Without oil");
    expect(lines.slice(at + 1, at + 4)).toEqual([
      "  keeper, which you asked for, would have no operator",
      "  keeper 1.0.0 would go",
      "  lantern 1.1.0 would go",
    ]);
    expect(rendered(PROBLEM, "keeper", { withLoss: true })).toContain("Who needs keeper\n  └─ you asked for it\n");
  });

  test("another version: what is better, and the command that gets it all the same", () => {
    const lines = rendered(PROBLEM, "lantern", { version: "1.0.0" });
    expect(lines).toContain("lantern 1.0.0 is possible in namespace here, but 1.1.0 is chosen\n");
    expect(lines).toContain(
      "To have it\n  ask for lantern 1.0.0\n    plimsoll resolve lantern@1.0.0\n  Every command is a dry run; no cluster is changed.\n",
    );
  });

  test("not possible, not asked for, waiting, undecided", () => {
    const manual = scene({ catalogs: [CATALOG], requests: [request("lantern", { approval: "Manual" })] });
    const unavailable = [{ name: "far", priority: 9, reason: "no route" }];
    const first = (problem: Problem, name: string): string => rendered(problem, name).split("\n")[0] as string;
    expect(first(PROBLEM, "cart")).toBe("cart cannot be installed in namespace here");
    expect(first(scene({ catalogs: [CATALOG] }), "lantern")).toBe("lantern could be installed in namespace here");
    expect(first(scene({ catalogs: [CATALOG], requests: [request("cart")] }), "lantern")).toBe(
      "lantern is not requested in namespace here, but could be installed",
    );
    expect(first(scene({ catalogs: [CATALOG] }), "cart")).toBe(
      "cart is not requested in namespace here, and it could not be installed",
    );
    expect(first(manual, "lantern")).toBe("lantern waits for approval in namespace here: 1.1.0");
    expect(rendered(manual, "lantern", { version: "1.0.0" }).split("\n")[0]).toBe(
      "lantern 1.0.0 is possible in namespace here, but 1.1.0 is preferred and waits for approval",
    );
    expect(first({ ...PROBLEM, unavailable }, "cart")).toBe(
      "whether cart can be installed in namespace here is undecided",
    );
    expect(first(scene({ catalogs: [CATALOG], unavailable }), "cart")).toBe(
      "cart is not requested in namespace here; whether it could be installed is undecided",
    );
  });

  test("of catalogs alone, it does not speak of Subscriptions", () => {
    const alone = rendered(scene({ catalogs: [CATALOG] }), "lantern");
    expect(alone).toContain("\n  Nothing is requested in this namespace, and no operator is installed in it.\n");
    const beside = rendered(scene({ catalogs: [CATALOG], requests: [request("cart")] }), "lantern");
    expect(beside).toContain(
      "\n  No Subscription in this namespace requests it, and no installed operator requires it.\n",
    );
  });

  test("possible, but not what is asked for", () => {
    const range = parseRange(">=7.0.0") as Range;
    const problem = scene({ catalogs: [CATALOG], requests: [request("lantern", { range })] });
    expect(rendered(problem, "lantern", { version: "1.0.0" })).toMatch(
      /^lantern 1\.0\.0 is possible in namespace here, but it is not what is requested\n/,
    );
  });

  test("held back, and held back by a missing approval", () => {
    const installed = [running("lantern.v1.0.0", [needs("Fuel")]), running("oil.v1.0.0", [provides("Fuel")])];
    const pin = running("pin.v1.0.0", [needsPackage("lantern", "1.0.0")]);
    const asked = (approval: "Automatic" | "Manual"): Problem["requests"] => [
      request("lantern", { installed: "lantern.v1.0.0", approval }),
    ];
    expect(
      rendered(scene({ catalogs: [CATALOG], installed: [...installed, pin], requests: asked("Automatic") }), "lantern"),
    ).toMatch(/^lantern is held back at 1\.0\.0 in namespace here, though 1\.1\.0 is available\n/);
    expect(rendered(scene({ catalogs: [CATALOG], installed, requests: asked("Manual") }), "lantern")).toMatch(
      /^lantern stays at 1\.0\.0 in namespace here until 1\.1\.0 is approved\n/,
    );
  });

  test("what runs and what is to come are distinguished", () => {
    const steps = stocked({ bell: { "1.0.0": [], "1.1.0": [], "1.2.0": [] }, clock: { "1.0.0": [] } });
    const first = (problem: Problem, version?: string): string | undefined =>
      rendered(problem, "bell", version === undefined ? {} : { version }).split("\n")[0];
    const requests = [request("bell", { installed: "bell.v1.0.0" })];
    const moving = scene({ catalogs: [steps], installed: [running("bell.v1.0.0")], requests });
    expect(first(moving)).toMatch(
      /^bell goes from 1\.0\.0 to 1\.1\.0 in namespace here: newest reachable from 1\.0\.0/,
    );
    expect(first(moving, "1.2.0")).toBe("bell 1.2.0 cannot be reached: 1.0.0 runs in namespace here and goes to 1.1.0");
    const still = scene({ catalogs: [steps], installed: [running("bell.v1.0.0")] });
    expect(first(still)).toBe("bell 1.0.0 runs in namespace here and stays: no Subscription claims it");
    expect(first(still, "1.2.0")).toBe("bell 1.2.0 cannot be reached: 1.0.0 runs in namespace here and stays");
    const pin = stocked({ bell: { "1.0.0": [], "1.1.0": [] }, clock: { "1.0.0": [needsPackage("bell", "1.0.0")] } });
    const both = scene({ catalogs: [pin], requests: [request("bell"), request("clock")] });
    expect(first(both)).toBe(
      "bell is held back in namespace here: 1.0.0 is to be installed, though 1.1.0 is available",
    );
    expect(first(both, "1.1.0")).toBe("bell 1.1.0 cannot be installed in namespace here; 1.0.0 is installed instead");
  });

  test("the explanation does not repeat the line before it", () => {
    const still = scene({ catalogs: [CATALOG], installed: [running("bell.v1.0.0")] });
    expect(rendered(still, "bell")).toBe(
      "bell 1.0.0 runs in namespace here and stays: no Subscription claims it\n\nWarnings\n  deprecated: package tide is deprecated: the tide is out\n",
    );
    const [, , second] = rendered(PROBLEM, "cart").split("\n");
    expect(second).toMatch(/^ {2}cart 1\.0\.0 requires /);
  });

  test("if nothing helps, that is shown, with who could change it", () => {
    const catalogs = [stocked({ bell: { "1.0.0": [], "1.1.0": [] }, cart: { "1.0.0": [needsPackage("horse")] } })];
    const hold = { by: "condition", text: "busy" } as const;
    const busy = scene({
      catalogs,
      installed: [running("bell.v1.0.0", [], { hold })],
      requests: [request("bell", { installed: "bell.v1.0.0" }), request("cart")],
    });
    expect(rendered(busy, "bell")).toContain(
      "What would help\n  Wait until bell 1.0.0 reports Upgradeable=True, or override the condition (spec.overrides of its OperatorCondition).\n",
    );
    expect(rendered(busy, "cart")).toContain("What would help\n  Give a catalog that has horse (--catalog).\n");
  });

  test("what gives another version does not give what was asked about", () => {
    const catalogs = [
      stocked({ bell: { "1.0.0": [], "2.0.0": [needsPackage("tower", ">=2.0.0")] }, tower: { "1.0.0": [] } }),
    ];
    const lines = rendered(scene({ catalogs }), "bell", { version: "2.0.0" });
    expect(lines).toContain("To have it\n  Give a catalog that has tower >=2.0.0 (--catalog).\n\nInstead\n  ");
  });

  test("what others lose is shown beside what it brings", () => {
    const catalogs = [
      stocked({
        alpha: { "1.0.0": [], "2.0.0": [needsPackage("q", "1.0.0"), needsPackage("rope")] },
        q: { "1.0.0": [], "2.0.0": [] },
        rope: { "1.0.0": [] },
        zeta: { "1.0.0": [], "2.0.0": [needsPackage("q", "2.0.0")] },
      }),
    ];
    const lines = rendered(scene({ catalogs, requests: [request("zeta")] }), "alpha");
    expect(lines).toMatch(/^alpha is not requested in namespace here, but could be installed\n/);
    expect(lines).toContain(
      "  ask for alpha; that brings alpha 2.0.0, rope 1.0.0; then q 2.0.0 would be 1.0.0 instead, zeta 2.0.0 would be 1.0.0 instead\n",
    );
  });

  test("what can only be had instead of something else is not possible beside it", () => {
    const catalogs = [stocked({ bell: { "1.0.0": [provides("Sound")] }, horn: { "1.0.0": [provides("Sound")] } })];
    const lines = rendered(scene({ catalogs, requests: [request("horn")] }), "bell");
    expect(lines).toMatch(
      /^bell is not requested in namespace here, and it could not be installed beside what is requested\n/,
    );
    expect(lines).toContain("To have it\n  drop the request for horn, and ask for bell\n");
    expect(lines).toMatch(
      /\nSources\n {2}main\.yaml:3:1 {2}bell 1\.0\.0 in catalog main\n {2}main\.yaml:6:1 {2}horn 1\.0\.0 in catalog main\n/,
    );
    expect(rendered(scene({ catalogs, requests: [request("horn")] }), "bell", { output: "tree" })).toMatch(/^✗ /);
  });

  test("an operator that came for another reason than its request shows both", () => {
    const catalogs = [
      stocked({ bell: { "1.0.0": [], "2.0.0": [needs("Tower")] }, cart: { "1.0.0": [needsPackage("bell")] } }),
    ];
    const problem = scene({
      catalogs,
      requests: [request("bell", { range: parseRange(">=2.0.0") as Range }), request("cart")],
    });
    const lines = rendered(problem, "bell");
    expect(lines).toMatch(
      /^bell 1\.0\.0 is to be installed in namespace here: needed by cart 1\.0\.0 at any version; your request for bell cannot be met\n/,
    );
    expect(lines).toContain(
      "\nWhy your request for bell cannot be met\n  bell 2.0.0 cannot be installed.\n  bell 2.0.0 requires the API Tower",
    );
    expect(lines).toContain("  What would help\n    ask for bell 1.0.0\n      plimsoll resolve");
    expect(rendered(problem, "bell", { output: "tree" })).toMatch(
      /^✗ bell 1\.0\.0 [^✗]*\n\n✗ your request for bell cannot be met\n├─ bell 2[\s\S]*\nhint: ask for bell 1\.0\.0 /,
    );
    expect(JSON.parse(rendered(problem, "bell", { output: "json" }))).toMatchObject({
      verdict: "chosen",
      unsatisfied: [{ subscription: "here/bell", undecided: false, explanation: { fixes: [{}, {}] } }],
    });
    expect(JSON.parse(rendered(problem, "cart", { output: "json" })).unsatisfied).toEqual([]);
  });

  test("a deprecation of the catalog is shown with it", () => {
    const [owner] = [...CATALOG.packages.values()].filter(({ name }) => name === "lantern");
    const deprecations = { channels: new Map(), bundles: new Map([["lantern.v1.1.0", " it smokes\n"]]) };
    const packages = new Map([...CATALOG.packages, ["lantern", { ...(owner as Package), deprecations }]]);
    const problem = scene({ catalogs: [{ ...CATALOG, packages }], requests: [request("lantern")] });
    expect(rendered(problem, "lantern")).toContain("\nDeprecated\n  lantern 1.1.0: it smokes\n");
    expect(rendered(problem, "oil")).not.toContain("Deprecated");
  });

  test("no line but a command or a tree is wider than the terminal", () => {
    const lines = rendered(PROBLEM, "cart", { width: 60 }).split("\n");
    const prose = lines.filter((line) => !/plimsoll|[└├]|main\.yaml/.test(line));
    expect(Math.max(...prose.map(displayWidth))).toBeLessThanOrEqual(60);
  });
});

describe("tree", () => {
  test("facts with their places, and what would help", () => {
    const lines = rendered(PROBLEM, "cart", { output: "tree" }).split("\n");
    expect(lines[0]).toBe("✗ cart cannot be installed in namespace here");
    expect(lines.some((line) => /^[├└]─ .*Horse/.test(line))).toBe(true);
    expect(lines.some((line) => /^[│ ] {4}main\.yaml:\d+:1$/.test(line))).toBe(true);
  });

  test("that nothing helps, and what gives something else", () => {
    const catalogs = [stocked({ bell: { "1.0.0": [], "2.0.0": [needsPackage("tower")] } })];
    for (const requests of [[], [request("bell", { range: parseRange("2.0.0") as Range })]]) {
      const lines = rendered(scene({ catalogs, requests }), "bell", { output: "tree", version: "2.0.0" }).split("\n");
      const hints = lines.filter((line) => line.startsWith("hint:"));
      expect(hints[0]).toContain("hint: Give a catalog that has tower (--catalog).");
      expect(hints[1]).toMatch(/^hint: instead, .*bell 1\.0\.0/);
    }
  });

  test("a good answer has another mark than a bad or an open one", () => {
    const unavailable = [{ name: "far", priority: 9, reason: "no route" }];
    expect(rendered(PROBLEM, "keeper", { output: "tree" })).toMatch(/^✓ /);
    expect(rendered(PROBLEM, "lantern", { output: "tree", version: "1.0.0" })).toMatch(/^✗ /);
    expect(rendered({ ...PROBLEM, unavailable }, "cart", { output: "tree" })).toMatch(/^\? /);
  });

  test("dependents, on request", () => {
    const text = rendered(PROBLEM, "oil", { output: "tree", withLoss: true });
    expect(text).toContain("\noil is needed by\n└─ lantern 1.1.0 requires");
    expect(text).toContain("\nwithout oil\n├─ keeper, which you asked for, would have no operator\n");
    expect(text).toContain("\n✗ oil cannot be newer\n");
  });
});

describe("for programs", () => {
  test("json and yaml have the same content", () => {
    const json = JSON.parse(rendered(PROBLEM, "oil", { output: "json", withLoss: true }));
    expect(load(rendered(PROBLEM, "oil", { output: "yaml", withLoss: true }))).toEqual(json);
    expect(json).toMatchObject({
      apiVersion: "plimsoll.dev/v1alpha1",
      kind: "Explanation",
      namespace: "here",
      subject: "oil",
      verdict: "chosen",
      undecided: false,
      operators: [{ bundle: "oil.v1.0.0", action: "install", subscription: null }],
      available: ["oil.v2.0.0"],
      explanation: { fixes: [], facts: [{}, { rule: "dependency", at: expect.stringMatching(/^main\.yaml:/) }, {}] },
      whoNeeds: [
        {
          package: "lantern",
          bundle: "lantern.v1.1.0",
          through: expect.stringContaining("Fuel (example.com/v1)"),
          repeated: false,
          neededBy: [{ bundle: "keeper.v1.0.0", subscription: "here/keeper", neededBy: [] }],
        },
      ],
      withoutIt: { broken: [], unsatisfied: ["here/keeper"], changed: [{ from: "keeper.v1.0.0", to: null }, {}] },
    });
  });

  test("advice is a fix with a command", () => {
    const json = JSON.parse(rendered(PROBLEM, "lantern", { output: "json", version: "1.0.0" }));
    expect(json).toMatchObject({
      subject: "lantern@1.0.0",
      verdict: "notRequested",
      preferred: { objective: "providers" },
      explanation: { fixes: [{ command: "plimsoll resolve lantern@1.0.0" }] },
    });
  });
});

describe("pictures", () => {
  test("arrows lead from facts through what follows to the answer", () => {
    const mermaid = rendered(PROBLEM, "cart", { output: "mermaid" });
    expect(mermaid).toContain('answer["cart cannot be installed in namespace here"]');
    const arrows = [...mermaid.matchAll(/^ {2}(\w+) (?:-->|-\.->) (\w+)$/gm)].map(([, from, to]) => [from, to]);
    const ends = new Set(arrows.map(([, to]) => to));
    expect(ends.has("answer")).toBe(true);
    for (const [box] of mermaid.matchAll(/^ {4}([fs]\d+)(?=\[)/gm))
      expect(arrows.some(([from]) => from === box.trim())).toBe(true);
    expect(rendered(PROBLEM, "cart", { output: "dot" })).toContain("-> answer");
  });

  test("dependents, on request", () => {
    const mermaid = rendered(PROBLEM, "oil", { output: "mermaid", withLoss: true });
    expect(mermaid).toMatch(/o1 -->\|".*Fuel \(example\.com\/v1\)"\| o0/);
    expect(mermaid).toContain("o2 -->");
  });
});

test("no format lets untrusted text reach the terminal as it is", () => {
  const evil = "\u001b[31m\u202eevil";
  const problem = scene({
    namespace: evil,
    catalogs: [CATALOG],
    installed: [running("oil.v1.0.0", [provides("Fuel")], { place: { source: evil, line: 1, column: 1 } })],
    elsewhere: [running("lamp.v1.0.0", [needs("Fuel")], { namespace: evil, name: evil })],
    requests: [request("oil", { id: evil, installed: "oil.v1.0.0" }), request("cart", { id: `${evil}2` })],
  });
  for (const output of FORMATS.explain)
    for (const name of ["oil", "cart", "lantern"])
      for (const withLoss of [false, true]) {
        const text = rendered(problem, name, { output, withLoss });
        for (const character of ["\u001b", "\u202e"]) expect(text, output).not.toContain(character);
      }
});
