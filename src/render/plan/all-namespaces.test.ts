import { describe, expect, test } from "vitest";
import {
  change,
  generationsOf,
  plan,
  run,
  runs,
  shownPlans,
  step,
  VOYAGE,
  versions,
} from "../../../test/plan/sample-plan.ts";
import { PLAIN, RICH, ref, requires, warned } from "../../../test/resolve/sample-resolution.ts";
import type { Plan } from "../../plan/plan.ts";
import { displayWidth } from "../kit/display-width.ts";
import { makeStyle } from "../kit/style.ts";
import { renderPlans } from "./render-plan.ts";

const LATE = [warned("the tide is out")];

function rendered(plans: readonly Plan[], output = "text", width?: number): string {
  return renderPlans(shownPlans(plans, { isList: true, warnings: LATE }), { output, style: makeStyle(false), width });
}

/** A step of a generation that is no ordinary update. */
function renamed(generation: number, from: string, to: string): ReadonlyMap<number, ReturnType<typeof step>> {
  return new Map([[generation, step([change(from, to)])]]);
}

const held = { last: { ...PLAIN, heldBack: RICH.heldBack } };

describe("several namespaces", () => {
  test("what they come to, the steps of all in the order in which they are carried out, and what needs attention", () => {
    const bridge = plan(
      generationsOf(
        new Map([
          [1, step([change("mast 1.0.0", "mast 2.0.0"), change("boom 1.0.0", "boom 2.0.0")])],
          [2, step([change("rope 1.0.0", "line 2.0.0")])],
        ]),
        renamed(2, "anchor 1.0.0", "hook 2.0.0"),
      ),
      { ...held, before: [runs("mast 1.0.0"), runs("lantern 1.2.0")] },
    );
    const cargo = plan(generationsOf(renamed(1, "bell 1.0.0", "gong 2.0.0"), run("drum", versions(3), 2)), {
      namespace: "cargo",
    });
    const quay = plan([], { namespace: "quay", last: PLAIN });
    const yard = plan(generationsOf(new Map(), renamed(2, "crane 1.0.0", "hoist 2.0.0")), {
      namespace: "yard",
      orphans: [{ package: "gaff", name: "gaff.v0.4.0", requests: [], inUse: [] }],
    });
    expect(
      rendered([bridge, cargo, quay, yard]),
    ).toBe(`4 namespaces: something moves in 3 of them, in 3 generations; nothing in quay
In all 8 operators: 7 to update, 1 stays; 1 held back; 1 orphan
Carry out generation by generation; within a generation, namespace after namespace, from top to bottom.

Independent of everything else
    cargo   drum    0.0.0 → 0.1.0 → 0.2.0  generations 2–3

Generation 1
  ┌ bridge  mast    1.0.0 → 2.0.0          joint
  └ bridge  boom    1.0.0 → 2.0.0
    cargo   bell    1.0.0 → gong 2.0.0

Generation 2
    bridge  rope    1.0.0 → line 2.0.0
    bridge  anchor  1.0.0 → hook 2.0.0
    yard    crane   1.0.0 → hoist 2.0.0

Namespace bridge, generations 1–2, 5 operators: 4 to update, 1 stays; 1 held back

  Held back, at the end of this plan
    lantern at 1.2.0; available: 2.0.0, lantern.v9.9.9
      Subscription bridge/keeper requires approval (installPlanApproval: Manual).
      Subscription bridge/shards requires approval (installPlanApproval: Manual).
      What would help
        take compass from channel old
          plimsoll resolve --instead compass:old

Namespace yard, generation 2: 1 operator to update; 1 orphan

  Orphans
    gaff gaff.v0.4.0 came as a dependency, and nothing needs it any more
    --prune plans its removal.

Warnings
  deprecated: package tide is deprecated: the tide is out

Every plimsoll command is a dry run; no cluster is changed.
`);
  });

  test("the steps of a namespace come before those of the next, in every generation", () => {
    const one = plan(generationsOf(renamed(1, "z 1.0.0", "y 2.0.0")), { namespace: "a" });
    const other = plan(generationsOf(renamed(1, "b 1.0.0", "c 2.0.0")), { namespace: "z" });
    const rows = (plans: readonly Plan[], form: string): readonly string[] =>
      rendered(plans, form)
        .split("\n")
        .flatMap((line) => /^ {2}(?:1\.1 {2})?([az] {2}[bz])/.exec(line)?.[1] ?? []);
    for (const form of ["text", "wide"]) {
      expect(rows([one, other], form)).toEqual(["a  z", "z  b"]);
      expect(rows([other, one], form)).toEqual(["z  b", "a  z"]);
    }
  });

  test("if nothing moves, neither an order nor an end is shown", () => {
    const answer = rendered([plan([], held), plan([], { namespace: "quay" })]);
    expect(answer).toContain("2 namespaces: something moves in 0 of them\nIn all: 1 held back\n\nNothing to do in");
    expect(answer).toContain("\n  Held back\n");
  });

  test("the reason why the plans are incomplete is shown once", () => {
    const cargo = plan(generationsOf(run("drum", versions(3))), { namespace: "cargo", end: "generations" });
    const answer = rendered([plan([], { ...held, end: "generations" }), cargo]);
    expect(answer.split("Stopped at --max-generations 2; more can move.")).toHaveLength(2);
    expect(answer).toContain("\nNothing planned in namespace bridge: 1 held back\n");
  });

  test("what breaks, and what --remove takes away", () => {
    const gone = [runs("gaff 0.4.0")];
    const last = { ...PLAIN, broken: [requires(ref("mast", "1.0.0"), "gaff")] };
    const answer = rendered([plan([], { gone, last }), plan([], { namespace: "quay" })]);
    expect(answer).toContain("\n1 requirement breaks\n");
    expect(answer).toContain("Taken away by --remove\n  - bridge  gaff  0.4.0\n");
  });

  test.each([60, 80, 120])("nothing but commands is wider than a terminal of %i", (width) => {
    const cargo = plan(generationsOf(run("drum", versions(9)), run("horn", versions(99))), {
      ...held,
      namespace: "cargo",
    });
    for (const line of rendered([VOYAGE, cargo], "text", width).split("\n"))
      if (!line.includes("kubectl ")) expect(displayWidth(line), line).toBeLessThanOrEqual(width);
  });

  test("name: everything that comes, generation after generation", () => {
    const cargo = plan(generationsOf(run("bell", versions(3))), { namespace: "cargo" });
    const bridge = plan(generationsOf(run("gong", versions(3))));
    expect(rendered([bridge, cargo], "name")).toBe(
      "bridge/gong.v0.1.0\ncargo/bell.v0.1.0\nbridge/gong.v0.2.0\ncargo/bell.v0.2.0\n",
    );
  });
});

test("generations of one namespace that are not the first are named", () => {
  const [line] = renderPlans(shownPlans([plan(generationsOf(new Map(), run("bell", versions(3), 2)))]), {
    output: "text",
    style: makeStyle(false),
    width: undefined,
  }).split("\n");
  expect(line).toBe("Plan for namespace bridge, generations 2–3: 1 operator to update");
});
