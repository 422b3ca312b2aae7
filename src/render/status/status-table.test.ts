// Does the table fit into a terminal, and say everything without colours?

import { describe, expect, test } from "vitest";
import type { ResolutionAdvice } from "../../model/resolution-advice.ts";
import { displayWidth } from "../kit/display-width.ts";
import { makeStyle } from "../kit/style.ts";
import { renderStatus, watchText } from "./render-status.ts";

const STATUS = { heldBack: [], unsatisfied: [], pendingApproval: [], warnings: [], cut: [], conditions: [] };
const NONE = { operators: 2, updates: 0, heldBack: 0, unsatisfied: 0, pendingApproval: 0 };

/** A Resolution of a namespace. */
function advice(namespace: string, status: object = {}, more: Partial<ResolutionAdvice> = {}): ResolutionAdvice {
  return {
    place: { source: `cluster/${namespace}/Resolution/plimsoll`, line: 0, column: 0 },
    ...{ namespace, name: "plimsoll", generation: 1, mode: "Advise", unread: [] },
    status: {
      ...STATUS,
      observedGeneration: 1,
      outcome: "Resolved",
      counts: NONE,
      ...status,
    } as ResolutionAdvice["status"],
    ...more,
  };
}

const LANTERN = "lantern cannot be updated to 2.1.0: its OperatorCondition has Upgradeable=False";
const BRIDGE = advice("bridge");
const DRYDOCK = advice("drydock", { outcome: "Unsatisfiable", reason: LANTERN, counts: { ...NONE, unsatisfied: 3 } });
const ALL = [BRIDGE, DRYDOCK, advice("灯台", { reason: "港口の灯台 ".repeat(20) }, { generation: 2 })];

function look(output: string, width?: number, colour = false) {
  return { output, width, style: makeStyle(colour) };
}

function printed(width: number | undefined, output = "text", resolutions = ALL): string {
  return renderStatus({ resolutions, more: [], inputFindings: [] }, look(output, width));
}

describe("the reason", () => {
  test("is whole without a terminal, and in wide", () => {
    expect(printed(undefined)).toContain(LANTERN);
    expect(printed(100, "wide")).toContain(LANTERN);
    expect(printed(100, "wide")).toContain("港口の灯台 ".repeat(20).trim());
  });

  test("is cut where the terminal ends", () => {
    expect(printed(130)).toMatchInlineSnapshot(`
      "NAMESPACE  MODE    OUTCOME        OPERATORS  UPDATES  HELD-BACK  REFUSED  WAITING  WHY
      bridge     Advise  Resolved               2        0          0        0        0
      drydock    Advise  Unsatisfiable          2        0          0        3        0  lantern cannot be updated to 2.1.0: its Operat…
      灯台       Advise  Resolved               2        0          0        0        0  stale: advice for generation 1 of the spec, wh…

      3 namespaces: 2 resolved, 1 not resolved; 3 requests refused; the advice of 1 is in doubt
      "
    `);
  });

  test("has a line of its own on a narrow terminal", () => {
    expect(printed(100)).toMatchInlineSnapshot(`
      "NAMESPACE  MODE    OUTCOME        OPERATORS  UPDATES  HELD-BACK  REFUSED  WAITING
      bridge     Advise  Resolved               2        0          0        0        0
      drydock    Advise  Unsatisfiable          2        0          0        3        0
        lantern cannot be updated to 2.1.0: its OperatorCondition has Upgradeable=False
      灯台       Advise  Resolved               2        0          0        0        0
        stale: advice for generation 1 of the spec, which is now 2; 港口の灯台 港口の灯台 港口の灯台 港口…

      3 namespaces: 2 resolved, 1 not resolved; 3 requests refused; the advice of 1 is in doubt
      "
    `);
  });

  test("stays within any width that is not tiny", () => {
    for (let width = 80; width < 200; width++)
      for (const line of printed(width).split("\n")) expect(displayWidth(line)).toBeLessThanOrEqual(width);
  });
});

test("on 80 columns the mode goes, and names wrap", () => {
  expect(printed(80, "text", [advice("a-namespace-with-a-long-name", { reason: LANTERN })])).toMatchInlineSnapshot(`
    "NAMESPACE              OUTCOME   OPERATORS  UPDATES  HELD-BACK  REFUSED  WAITING
    a-namespace-with-a-    Resolved          2        0          0        0        0
    long-name
      lantern cannot be updated to 2.1.0: its OperatorCondition has Upgradeable=Fal…
    "
  `);
});

test("colours add nothing but colours", () => {
  const colourful = renderStatus({ resolutions: ALL, more: ["kubectl"], inputFindings: [] }, look("text", 120, true));
  const plain = renderStatus({ resolutions: ALL, more: ["kubectl"], inputFindings: [] }, look("text", 120));
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken away
  expect(colourful.replace(/\u001b\[[0-9]+m/g, "")).toBe(plain);
  expect(colourful).not.toBe(plain);
});

describe("wide lists items and conditions below the table, and says nothing twice", () => {
  const held = { package: "lantern", bundle: "lantern.v2.0.0", available: ["lantern.v2.1.0"], summary: LANTERN };
  const condition = (type: string, status: string, reason: string, message: string) => ({
    type,
    status,
    reason,
    message,
  });
  const count = (text: string, part: string): number => text.split(part).length - 1;

  test("a reason that is that of an item", () => {
    const wide = printed(undefined, "wide", [advice("drydock", { reason: LANTERN, heldBack: [held] })]);
    expect(count(wide, LANTERN)).toBe(1);
    expect(wide).not.toContain("also available");
    const more = { ...held, available: ["lantern.v2.1.0", "lantern.v2.0.1"] };
    expect(printed(undefined, "wide", [advice("drydock", { reason: LANTERN, heldBack: [more] })])).toContain(
      `${LANTERN} (also available: lantern.v2.0.1)`,
    );
  });

  test("a condition, and one that refers to it", () => {
    const conditions = [
      condition("Degraded", "True", "CatalogsNotRead", "See the condition CatalogsReady."),
      condition("CatalogsReady", "False", "NotRead", "olm/harbour: refused"),
    ];
    for (const output of ["text", "wide"]) {
      const text = printed(undefined, output, [advice("drydock", { conditions })]);
      expect([count(text, "refused"), count(text, "See the")]).toEqual([1, 0]);
    }
    const [degraded] = conditions;
    expect(printed(undefined, "text", [advice("drydock", { conditions: [degraded] })])).toContain("degraded: See the");
  });
});

describe("a watch", () => {
  test("prints the table, and the row of what changes, in its columns", () => {
    const { first, change } = watchText([BRIDGE, DRYDOCK], look("text"));
    const row = change("changed", advice("bridge", { outcome: "Partial", counts: { ...NONE, updates: 1 } }));
    expect(`${first}${row}`).toMatchInlineSnapshot(`
      "NAMESPACE  MODE     OUTCOME        OPERATORS  UPDATES  HELD-BACK  REFUSED  WAITING  WHY
      bridge     Advise   Resolved               2        0          0        0        0
      drydock    Advise   Unsatisfiable          2        0          0        3        0  lantern cannot be updated to 2.1.0: its OperatorCondition has Upgradeable=False
      bridge     Advise   Partial                2        1          0        0        0
      "
    `);
  });

  test("prints nothing if the row is the same", () => {
    const { change } = watchText([BRIDGE], look("text"));
    expect(change("changed", advice("bridge", { summary: "new", observedGeneration: 1 }))).toBe("");
    expect(change("changed", DRYDOCK)).not.toBe("");
    expect(change("changed", DRYDOCK)).toBe("");
  });

  test("says what is deleted, and prints it again when it is back", () => {
    const { change } = watchText([BRIDGE], look("text"));
    expect(change("deleted", BRIDGE)).toMatch(/^bridge +Advise +Deleted( +-){5} {2}the Resolution was deleted\n$/);
    expect(change("added", BRIDGE)).toMatch(/^bridge +Advise +Resolved/);
  });

  test("has a header before there is anything", () => {
    const { first, change } = watchText([], look("wide"));
    expect(`${first}${change("added", DRYDOCK)}`).toMatchInlineSnapshot(`
      "NAMESPACE  MODE     OUTCOME        OPERATORS  UPDATES  HELD-BACK  REFUSED  WAITING  WHY
      drydock    Advise   Unsatisfiable          2        0          0        3        0  lantern cannot be updated to 2.1.0: its OperatorCondition has Upgradeable=False
      "
    `);
  });

  test("prints one JSON document per line, also of changes that no row shows", () => {
    const { first, change } = watchText([BRIDGE], look("json"));
    const documents = [
      first,
      change("changed", advice("bridge", { summary: "new", cut: ["x"] })),
      change("deleted", BRIDGE),
    ];
    expect(documents.map((text) => text.split("\n").length)).toEqual([2, 2, 2]);
    expect(documents.map((text) => JSON.parse(text))).toMatchObject([
      { kind: "StatusChange", change: "added", item: { namespace: "bridge", cut: [] } },
      { kind: "StatusChange", change: "changed", item: { namespace: "bridge", cut: ["x"] } },
      { kind: "StatusChange", change: "deleted", item: { namespace: "bridge" } },
    ]);
    expect(change("added", BRIDGE)).not.toBe("");
    expect(change("changed", BRIDGE)).toBe("");
  });

  test("prints documents of YAML, and names", () => {
    expect(watchText([BRIDGE], look("yaml")).first).toMatch(
      /^---\napiVersion: plimsoll\.dev\/v1alpha1\nkind: StatusChange\n/,
    );
    expect(watchText([BRIDGE, DRYDOCK], look("name")).first).toBe("bridge/plimsoll\ndrydock/plimsoll\n");
  });
});
