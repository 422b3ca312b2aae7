import { describe, expect, test } from "vitest";
import {
  action,
  change,
  generationsOf,
  plan,
  requires,
  run,
  runs,
  shownPlans,
  step,
  VOYAGE,
  versions,
} from "../../../test/plan/sample-plan.ts";
import { kept, ran } from "../../../test/plan/summary-lines.ts";
import { requires as lacks, PLAIN, RICH, ref, request, warned } from "../../../test/resolve/sample-resolution.ts";
import { needsPackage, scene, stocked } from "../../../test/worlds/scene.ts";
import type { Outline } from "../../constraint/outline.ts";
import type { Problem } from "../../model/problem.ts";
import { makePlan } from "../../plan/make-plan.ts";
import { DEFAULT_PLAN_OPTIONS, type Orphan, type Plan } from "../../plan/plan.ts";
import { requestRef } from "../../resolve/member.ts";
import { displayWidth } from "../kit/display-width.ts";
import { makeStyle } from "../kit/style.ts";
import { renderPlans } from "./render-plan.ts";
import type { ShownPlans } from "./shown.ts";

function rendered(what: ShownPlans, output: string, width?: number): string {
  return renderPlans(what, { output, style: makeStyle(false), width });
}

function made(problem: Problem): Plan {
  return makePlan([problem], DEFAULT_PLAN_OPTIONS)[0] as Plan;
}

function text(one: Plan): string {
  return rendered(shownPlans([one]), "text");
}

describe("generations", () => {
  test("an independent operator has one line, everything else is listed in its generation", () => {
    expect(
      text(VOYAGE),
    ).toBe(`Plan for namespace bridge, 6 generations, 9 operators: 1 to install, 6 to update, 1 to remove, 1 stays

Independent of everything else
    bilge-pump   0.0.0 → 0.1.0 → 0.2.0 → 0.3.0 → 0.4.0 → 0.5.0 → 0.6.0  generations 1–6
    weather-fax  1.2.0 → 1.3.0 → 1.4.0     generations 1–2

Generation 1
  + lamp-oil     0.3.0                     new, needed by lantern 2.0.0
  ┌ chronometer  1.6.0 → 2.0.0             joint
  └ sextant      1.6.0 → 2.0.0
      chronometer cannot go first: sextant 1.6.0 requires time
      sextant cannot go first: chronometer 1.6.0 requires fix

Generation 2
    chronometer  2.0.0 → 2.1.0

Generation 3
    winch        1.3.0 → 2.0.0
      ! first, by hand:
        1. write every object of winches.example.com again before winch 2.0.0 comes, unchanged, so that it is stored in v1 and no longer in v1alpha1
        2. set status.storedVersions of winches.example.com to [v1] before winch 2.0.0 comes
             kubectl patch crd winches.example.com
    chronometer  2.1.0 → 2.2.0

Generation 4
    oakum        1.9.0 → hull-caulk 2.0.0

Generation 6
  - gaff         0.4.0                     removed, it came as a dependency, and nothing needs it any more
`);
  });

  test("a long run is taken out of its generations, unless the operator also moves with others", () => {
    const lines = (first: readonly ReturnType<typeof change>[]): readonly string[] =>
      text(
        plan(
          generationsOf(
            new Map([[1, step(first)]]),
            run("bell", ["2.0.0", "2.1.0", "2.2.0", "2.3.0", "2.4.0"], 2),
            run("clapper", ["2.0.0", "2.1.0", "2.2.0"], 2),
          ),
        ),
      )
        .split("\n")
        .slice(2, -1);
    const added = [change(undefined, "bell 2.0.0")];
    expect(lines(added)).toEqual([
      "Independent of everything else",
      "    bell     2.0.0 → 2.1.0 → 2.2.0 → 2.3.0 → 2.4.0  generations 2–5",
      "    clapper  2.0.0 → 2.1.0 → 2.2.0                  generations 2–3",
      "",
      "Generation 1",
      "  + bell     2.0.0                                  new, the path is not safe without it",
    ]);
    expect(lines([change("bell 1.0.0", "bell 2.0.0"), change("clapper 1.0.0", "clapper 2.0.0")])).toEqual([
      "Generation 1",
      "  ┌ bell     1.0.0 → 2.0.0                          joint",
      "  └ clapper  1.0.0 → 2.0.0",
      "",
      "Generations 2–5",
      "    bell     2.0.0 → 2.1.0 → 2.2.0 → 2.3.0 → 2.4.0",
      "    clapper  2.0.0 → 2.1.0 → 2.2.0                  generations 2–3",
    ]);
  });

  test("up to eight steps are listed one by one; for more there is one hint how to list all", () => {
    const all = text(plan(generationsOf(run("bell", versions(9)))));
    expect(all).toContain(`  bell  ${versions(9).join(" → ")}  generations 1–8\n`);
    expect(all).not.toContain("wide");
    const short = text(plan(generationsOf(run("bell", versions(10)), run("gong", versions(12)))));
    expect(short).toContain(
      `  bell  0.0.0 → … → 0.9.0, 9 steps    generations 1–9; -o wide lists all versions
  gong  0.0.0 → … → 0.11.0, 11 steps  generations 1–11\n`,
    );
  });

  test("versions that do not fit go on below each other", () => {
    expect(rendered(shownPlans([plan(generationsOf(run("bell", versions(8))))]), "text", 50)).toContain(
      `
  bell  0.0.0 → 0.1.0 → 0.2.0 → 0.3.0 → 0.4.0 →
        0.5.0 → 0.6.0 → 0.7.0  generations 1–7
`,
    );
  });

  test("those that need each other are listed in the order of generations and steps", () => {
    const catalogs = [
      stocked({
        lamp: { "1.0.0": [], "2.0.0": [needsPackage("oil", ">=3.0.0")] },
        oil: { "1.0.0": [], "2.0.0": [], "3.0.0": [] },
      }),
    ];
    const operators = ["lamp.v1.0.0", "oil.v1.0.0"].map((name) => ran({ catalogs }, name));
    const answer = text(made(scene({ catalogs, ...kept(operators) })));
    expect(answer).not.toContain("Independent");
    expect(answer).toContain("Generation 1\n  oil   1.0.0 → 2.0.0\n");
    expect(answer).toContain("Generation 2\n  oil   2.0.0 → 3.0.0\n  lamp  1.0.0 → 2.0.0\n");
    expect(answer.split("\n").slice(0, 2)).toEqual([
      "Plan for namespace here, 2 generations: 2 operators to update",
      "Carry out from top to bottom: within a generation, too, the order of the steps counts.",
    ]);
  });

  test("a single joint step has no order", () => {
    const lamp = { "1.0.0": [needsPackage("oil", "1.0.0")], "2.0.0": [needsPackage("oil", "2.0.0")] };
    const catalogs = [stocked({ lamp, oil: { "1.0.0": [], "2.0.0": [] } })];
    const operators = ["lamp.v1.0.0", "oil.v1.0.0"].map((name) => ran({ catalogs }, name));
    expect(
      text(made(scene({ catalogs, ...kept(operators) }))),
    ).toBe(`Plan for namespace here, 1 generation: 2 operators to update

Generation 1
  ┌ lamp  1.0.0 → 2.0.0  joint
  └ oil   1.0.0 → 2.0.0
      lamp cannot go first: lamp 2.0.0 requires oil 2.0.0
      oil cannot go first: lamp 1.0.0 requires oil 1.0.0
`);
  });

  test("a joint step with an installation and one that makes room for another", () => {
    const changes = [
      change(undefined, "bell 1.0.0", { reason: { kind: "first-choice", rank: "newest", channel: "stable" } }),
      change("gong 1.0.0", "gong 2.0.0", { alsoFrom: [runs("cymbal 0.9.0")] }),
    ];
    const before = ["cymbal 0.9.0", "drum 1.0.0", "gong 1.0.0"].map((one) => runs(one));
    const answer = text(plan(generationsOf(new Map([[1, step(changes)]])), { before }));
    expect(answer).toMatch(
      /^Plan for namespace bridge, 1 generation, 3 operators: 1 to install, 1 to update, 1 stays\n/,
    );
    expect(answer).toContain(`Generation 1
  ┌ + bell  1.0.0          joint; new, requested; the newest in channel stable
  └   gong  1.0.0 → 2.0.0  also takes the place of cymbal 0.9.0
`);
  });

  test("a very long name does not push the others away", () => {
    const long = "l".repeat(60);
    const answer = text(plan(generationsOf(run("bell", ["1.0.0", "2.0.0"]), run(long, ["1.0.0", "2.0.0"]))));
    expect(answer).toContain(`\n  ${"bell".padEnd(40)}  1.0.0 → 2.0.0  generation 1\n`);
    expect(answer).toContain(`\n  ${long}  1.0.0 → 2.0.0  generation 1\n`);
  });

  test("an operator without a version is called by its name", () => {
    const from = runs("bell 1.0.0", { version: undefined, name: "bell-of-old" });
    const answer = text(plan(generationsOf(new Map([[1, step([change("x 1.0.0", "bell 2.0.0", { from })])]]))));
    expect(answer).toContain("  bell  bell-of-old → 2.0.0  generation 1\n");
  });

  test("what --remove removes comes first", () => {
    const gone = [runs("gaff 0.4.0")];
    const last = { ...PLAIN, broken: [lacks(ref("mast", "1.0.0"), "gaff")] };
    const lines = text(plan(generationsOf(run("bell", ["1.0.0", "2.0.0"])), { gone, last })).split("\n");
    expect(lines).toContain("  mast 1.0.0 requires gaff");
    expect(lines.slice(0, 5)).toEqual([
      "Plan for namespace bridge, 1 generation, 2 operators, but 1 requirement breaks: 1 to update, 1 to remove",
      "",
      "Taken away by --remove",
      "  - gaff  0.4.0",
      "",
    ]);
  });

  test("wide: nothing is merged, steps are numbered, and each has its actions", () => {
    const lines = rendered(shownPlans([VOYAGE]), "wide").split("\n");
    expect(lines).not.toContain("Independent of everything else");
    expect(lines.filter((line) => line.startsWith("Generation "))).toHaveLength(6);
    expect(lines.filter((line) => line.includes("bilge-pump  "))).toHaveLength(6);
    expect(lines.filter((line) => /^ {2}\S/.test(line)).map((line) => line.trim().split(" ")[0])).toEqual(
      ["1.1 1.2 1.3 1.4", "2.1 2.2 2.3", "3.1 3.2 3.3", "4.1 4.2", "5.1", "6.1 6.2"].flatMap((ids) => ids.split(" ")),
    );
    const at = lines.indexOf("  3.2    winch        1.3.0 → 2.0.0             the path is not safe without it");
    expect(lines.slice(at + 1, at + 6)).toEqual([
      "           winch.v2.0.0 from channel stable of catalog harbour",
      "           1. write every object of winches.example.com again before winch.v2.0.0 comes, unchanged, so that it is stored in v1 and no longer in v1alpha1 (by hand)",
      "           2. set status.storedVersions of winches.example.com to [v1] before winch.v2.0.0 comes (by hand)",
      "                kubectl patch crd winches.example.com",
      "           3. update CustomResourceDefinition winches.example.com to what winch.v2.0.0 has",
    ]);
    expect(lines).toContain("       │   chronometer.v2.0.0 from channel stable of catalog harbour");
  });

  test("wide: actions have their names on the cluster, with their namespace", () => {
    const about = { kind: "ClusterServiceVersion", name: "lantern.v2.0.0", namespace: "bridge" };
    const actions = [
      action("replace", { kind: "operator", replaced: ["lantern.v1.0.0"] }, about),
      action(
        "delete",
        { kind: "removal", operator: "gaff.v0.4.0" },
        { ...about, kind: "Subscription", name: "gaff", command: "kubectl delete subscription gaff" },
      ),
    ];
    const steps = new Map([[1, step([change("lantern 1.0.0", "lantern 2.0.0")], { actions })]]);
    expect(rendered(shownPlans([plan(generationsOf(steps))]), "wide")).toContain(
      `         1. replace ClusterServiceVersion bridge/lantern.v1.0.0 by lantern.v2.0.0
         2. delete Subscription bridge/gaff of gaff.v0.4.0
              kubectl delete subscription gaff
`,
    );
    expect(text(plan(generationsOf(steps)))).not.toContain("kubectl");
  });

  test.each([60, 80, 120])("nothing is wider than a terminal of %i", (width) => {
    for (const line of rendered(shownPlans([VOYAGE]), "text", width).split("\n"))
      expect(displayWidth(line), line).toBeLessThanOrEqual(width);
  });

  test("a note that does not fit is below", () => {
    const line = "  + lamp-oil     0.3.0                     new, needed by lantern 2.0.0";
    const width = displayWidth(line);
    expect(rendered(shownPlans([VOYAGE]), "text", width)).toContain(`${line}\n`);
    expect(rendered(shownPlans([VOYAGE]), "text", width - 1)).toContain(
      "  + lamp-oil     0.3.0\n      new, needed by lantern 2.0.0\n",
    );
  });

  test("names are safe for a terminal", () => {
    const control = "\u001b[2J";
    const bad = step(
      [change(`be${control}ll 1.0.0`, undefined, { reason: { kind: "held", by: "flag", text: control } })],
      {
        because: [{ package: control, breach: requires(control, "oil") }],
        actions: [action("patch", { kind: "stored-versions", versions: [control] }, { command: control })],
      },
    );
    for (const form of ["text", "wide", "name", "mermaid", "svg", "json", "yaml"])
      expect(rendered(shownPlans([plan(generationsOf(new Map([[1, bad]])))]), form)).not.toContain("\u001b");
  });
});

describe("the headline", () => {
  test.each<readonly [string, Partial<Plan>, string]>([
    ["nothing to do", {}, "Nothing to do in namespace bridge"],
    ["held back", { last: { ...PLAIN, heldBack: RICH.heldBack } }, "Nothing to do in namespace bridge: 1 held back"],
    [
      "refused",
      { last: { ...RICH, outcome: "Unsatisfiable", heldBack: [], broken: [], pendingApproval: [] } },
      "Nothing can be done in namespace bridge: 1 of 3 requests refused; 1 of 3 requests undecided",
    ],
    [
      "everything",
      { last: RICH },
      "Nothing to do in namespace bridge, but 1 requirement breaks: 1 of 3 requests refused; 1 of 3 requests undecided; 1 held back; 2 changes wait for approval",
    ],
    [
      "undecided",
      { last: { ...PLAIN, outcome: "Undecided", unsatisfied: RICH.unsatisfied.slice(1) } },
      "Nothing planned in namespace bridge: 1 request undecided",
    ],
    ["not complete", { end: "generations" }, "Nothing planned in namespace bridge, not complete"],
  ])("%s", (_, more, expected) => {
    expect(text(plan([], more)).split("\n")[0]).toBe(expected);
  });
});

describe("below the generations", () => {
  test("what needs attention is shown as by resolve", () => {
    const answer = text(plan([], { last: RICH, warnings: RICH.warnings, proven: false }));
    const titles = answer.split("\n").filter((line) => /^[A-Z]/.test(line));
    expect(titles.slice(1)).toEqual([
      "Not possible",
      "Undecided",
      "Held back",
      "Waiting for approval",
      "Broken",
      "Optional requirements not met",
      "Warnings",
      "Valid, but not every generation is proven to be the best (raise --max-conflicts to search further)",
      "Every plimsoll command is a dry run; no cluster is changed.",
    ]);
    expect(answer).toContain("\n\nEvery plimsoll command is a dry run; no cluster is changed.\n");
    expect(answer).toContain("    can only move with it: winch\n");
    expect(text(plan([], { last: { ...PLAIN, outcome: "Undecided" }, proven: false }))).not.toContain("Valid");
  });

  const orphan: Orphan = {
    package: "gaff",
    name: "gaff.v0.4.0",
    version: "0.4.0",
    requests: [requestRef(request("gaff-generated"))],
    inUse: [],
  };

  test("an orphan with given objects of its kinds is marked", () => {
    const used = { ...orphan, requests: [], inUse: [{ group: "example.com", kind: "Gaff", count: 2 }] };
    const answer = text(plan([], { orphans: [used] }));
    expect(answer).toContain(
      "but objects of its kinds were given (Gaff: 2); only --prune=with-objects plans its removal",
    );
    expect(answer).not.toContain("--prune plans");
    expect(text(plan([], { orphans: [used, orphan] }))).toContain("--prune plans the removal of the others.\n");
  });

  test("an orphan that a remaining operator needs is marked, without the hint about --prune", () => {
    const used = { ...orphan, requests: [], inUse: [{ group: "example.com", kind: "Gaff", count: 2 }] };
    const demand: Outline = { kind: "gvk", gvk: { group: "example.com", version: "v1", kind: "Hemp" } };
    const neededBy = { operator: runs("gaff 0.4.0"), demand, isOptional: false };
    const hemp = { package: "hemp", name: "hemp.v1.0.0", version: "1.0.0", requests: [], inUse: [], neededBy };
    for (const prune of [false, true]) {
      const answer = text(plan([], { orphans: [used, hemp], prune }));
      expect(answer).toContain(
        "  hemp 1.0.0 came as a dependency; it stays, because gaff 0.4.0 requires the API Hemp (example.com/v1)\n",
      );
      expect(answer).not.toContain("--prune plans");
    }
  });

  test("an orphan that --prune leaves for another reason has that reason", () => {
    const used = { ...orphan, inUse: [{ group: "example.com", kind: "Gaff", count: 2 }] };
    for (const [one, prune] of [[orphan, true] as const, [used, "with-objects"] as const]) {
      const answer = text(plan([], { orphans: [one], prune }));
      expect(answer).toContain(
        "but without it, it would be installed again, or an operator would lack what it requires",
      );
      expect(answer).not.toContain("--prune");
    }
    expect(text(plan([], { orphans: [orphan], prune: true, end: "generations" }))).not.toContain("installed again");
  });

  test("orphans, and how to remove them", () => {
    const answer = text(plan([], { orphans: [orphan] }));
    expect(answer).toBe(`Nothing to do in namespace bridge: 1 orphan

Orphans
  gaff 0.4.0 came as a dependency, and nothing needs it any more (Subscription bridge/gaff-generated)
  --prune plans its removal.
`);
  });

  test("an orphan that the plan removes is no longer one", () => {
    const removal = new Map([[1, step([change("gaff 0.4.0", undefined)])]]);
    expect(text(plan(generationsOf(removal), { orphans: [orphan] })).toLowerCase()).not.toContain("orphan");
  });

  test.each<readonly [Plan["end"], string]>([
    ["generations", "Stopped at --max-generations 2; more can move."],
    [
      "search",
      "Not complete: the search was stopped by the time or by a limit; raise --timeout or --max-conflicts to search further.",
    ],
  ])("why it is not complete: %s", (end, expected) => {
    const answer = text(plan(generationsOf(run("bell", ["1.0.0", "1.1.0", "1.2.0"])), { end }));
    expect(answer).toContain(`\n\n${expected}\n`);
    expect(answer).toMatch(/^Plan for namespace bridge, 2 generations, not complete: 1 operator to update\n/);
  });
});

test("a list of one namespace has one section of warnings", () => {
  const only = plan([], { warnings: [warned("the tide is in")] });
  const list = shownPlans([only], { isList: true, warnings: [warned("the tide is out")] });
  expect(rendered(list, "text")).toBe(`Nothing to do in namespace bridge

Warnings
  deprecated: package tide is deprecated: the tide is out
  deprecated: package tide is deprecated: the tide is in
`);
});
