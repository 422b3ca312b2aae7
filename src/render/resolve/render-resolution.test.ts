import { load } from "js-yaml";
import { describe, expect, test } from "vitest";
import { explanationWith } from "../../../test/explanations/explanation-text.ts";
import {
  operator,
  PLAIN,
  PROBLEM,
  RICH,
  ref,
  request,
  requires,
  shown,
  warned,
} from "../../../test/resolve/sample-resolution.ts";
import type { Installed } from "../../model/problem.ts";
import type { Explanation, Resolution, ResolvedOperator, Unsatisfied } from "../../resolve/resolution.ts";
import { displayWidth } from "../kit/display-width.ts";
import { makeStyle } from "../kit/style.ts";
import { FORMATS } from "../output-formats.ts";
import { renderResolution } from "./render-resolution.ts";
import type { ShownResolutions } from "./shown.ts";

function rendered(what: ShownResolutions, output: string, width?: number): string {
  return renderResolution(what, { output, style: makeStyle(false), width });
}

function text(resolution: Resolution): string {
  return rendered(shown([resolution]), "text");
}

describe("text", () => {
  test("a plain answer is a headline and a table", () => {
    expect(text(PLAIN)).toBe(`Resolved in namespace bridge: nothing to change, 1 kept

ACTION  PACKAGE  VERSION  WHY
keep    buoy     1.0.0    stays: no update is available
`);
  });

  test("an operator whose package is renamed by an update has both names", () => {
    const operators = RICH.operators.map((one) =>
      one.action === "update" && one.installed !== undefined
        ? { ...one, installed: { ...one.installed, package: "oil-lamp" } }
        : one,
    );
    for (const form of ["text", "tree", "mermaid"])
      expect(rendered(shown([{ ...RICH, operators }]), form)).toContain("oil-lamp 1.2.0");
  });

  test("what needs attention has a section each", () => {
    expect(
      text(RICH),
    ).toBe(`Partly resolved in namespace bridge, but 1 requirement breaks: 1 to install, 1 to update, 1 kept; 1 of 3 requests refused; 1 of 3 requests undecided; 1 held back; 2 changes wait for approval

ACTION   PACKAGE   VERSION        WHY
install  lamp-oil  0.3.0          needed by lantern 2.0.0 for API Fuel
update   lantern   1.2.0 → 2.0.0  newest reachable from 1.2.0 in channel stable
keep     anchor    1.0.0          stays: no Subscription claims it

Not possible
  compass from channel fast (Subscription bridge/compass)
    Nothing can be done here as things are.
    What would help
      take compass from channel old
        plimsoll resolve --instead compass:old

Undecided
  sonar; sonar.v1.0.0 stays
    The time limit was reached before the reason was found.
    What would help
      take compass from channel old
        plimsoll resolve --instead compass:old

Held back
  lantern at 1.2.0; available: 2.0.0, lantern.v9.9.9
    Subscription bridge/keeper requires approval (installPlanApproval: Manual).
    Subscription bridge/shards requires approval (installPlanApproval: Manual).
    What would help
      take compass from channel old
        plimsoll resolve --instead compass:old
  Every command is a dry run; no cluster is changed.

Waiting for approval
  Subscription bridge/crane
    crane: crane.v1.0.0 → crane.v2.0.0
    rope: install rope.v1.0.0
    can only move with it: winch

Broken
  mast 1.0.0 requires sail

Optional requirements not met
  radio 1.0.0 would like an operator with the label weather-fax (radio 1.0.0's author says: "nicer with it")

Warnings
  already-broken: keel 1.0.0 requires caulk; this was broken before, and stays broken
    --> installed.yaml:2:5
  unknown-platform: buoy 1.0.0 needs at least Kubernetes 1.30.0, and the version of the cluster is not known: it is not enforced (--kube-version VERSION)

Valid, but not proven to be the best in: updates, ids (raise --max-conflicts to search further)
`);
  });

  test("what only waits for approval is not called held back as well", () => {
    const changes = [{ package: "lantern", from: ref("lantern", "1.2.0"), to: ref("lantern", "2.0.0") }];
    const answer = text({ ...RICH, pendingApproval: [{ requests: [request("lantern")], changes, awaiting: [] }] });
    expect(answer).toContain("    lantern: 1.2.0 → 2.0.0\n");
    expect(answer.toLowerCase()).not.toContain("held back");
  });

  test("an empty answer is one line", () => {
    expect(text({ ...PLAIN, operators: [] })).toBe("Resolved in namespace bridge: nothing to install\n");
  });

  test("several namespaces are summed up, those that are not resolved by name", () => {
    const list = shown(
      [PLAIN, { ...RICH, namespace: "cargo" }, { ...PLAIN, namespace: "quay", outcome: "Undecided" }],
      {
        isList: true,
        warnings: [warned("the tide is out")],
      },
    );
    const lines = rendered(list, "text").split("\n");
    expect(lines.filter((line) => /^\S/.test(line))).toEqual([
      "Resolved in namespace bridge: nothing to change, 1 kept",
      expect.stringMatching(/^Partly resolved in namespace cargo, but 1 requirement breaks: 1 to install/),
      "Undecided in namespace quay: nothing to change, 1 kept",
      "3 namespaces: 1 resolved, 1 partly resolved (cargo), 1 undecided (quay); 1 requirement breaks (cargo)",
      "In all: 1 to install, 1 to update, 3 kept; 1 of 5 requests refused; 1 of 5 requests undecided; 1 held back; 2 changes wait for approval",
      "Warnings",
    ]);
    expect(lines.at(-2)).toBe("  deprecated: package tide is deprecated: the tide is out");
  });

  test("a list of one namespace has one section of warnings", () => {
    const list = shown([RICH], { isList: true, warnings: [warned("the tide is out")] });
    const lines = rendered(list, "text").split("\n");
    expect(lines.filter((line) => line === "Warnings")).toHaveLength(1);
    expect(lines).toEqual(
      expect.arrayContaining([
        "  deprecated: package tide is deprecated: the tide is out",
        "  already-broken: keel 1.0.0 requires caulk; this was broken before, and stays broken",
      ]),
    );
  });

  test("while runtime constraints cannot be read, it shows what would be installed", () => {
    const answer = text({ ...PLAIN, outcome: "Undecided", withoutRuntimeConstraints: RICH });
    expect(answer).toContain(
      "\nWithout the runtime constraints, which cannot be read, it would be\nPartly resolved in namespace bridge, but ",
    );
    expect(answer).toContain("\n  update   lantern   1.2.0 → 2.0.0");
  });

  test("what was taken away is shown, and that something breaks without it", () => {
    const gone = [PROBLEM.installed[0] as Installed, { ...(PROBLEM.installed[0] as Installed), namespace: "cargo" }];
    const broken = [requires(ref("mast", "1.0.0"), "sail"), requires(ref("mast", "1.0.0"), "rope")];
    const answer: Resolution = { ...PLAIN, operators: [operator("mast", "1.0.0")], broken };
    expect(
      rendered(shown([answer], { gone }), "text"),
    ).toBe(`Resolved in namespace bridge, but 2 requirements break: 1 to remove, 1 kept

ACTION  PACKAGE  VERSION  WHY
keep    mast     1.0.0    stays: no Subscription claims it
remove  buoy     1.0.0    removed by --remove

Broken
  mast 1.0.0 requires sail
  mast 1.0.0 requires rope
`);
    expect(rendered(shown([{ ...answer, outcome: "Unsatisfiable" }], { gone }), "wide")).toContain(
      "remove  buoy     1.0.0    buoy.v1.0.0                                  removed by --remove\n",
    );
    expect(text({ ...answer, outcome: "Undecided" })).toMatch(
      /^Undecided in namespace bridge, and 2 requirements break:/,
    );
  });

  test.each([20, 40, 60, 80, 100])("at a width of %i package, version and reason lose no character", (width) => {
    const long = "a-package-with-a-name-of-36-letters-x";
    const version = "1.0.0-alpha.20261115.1+build.7";
    const operators = [operator(long, version, { reason: { kind: "held", by: "flag", text: "because" } })];
    const whole = rendered(shown([{ ...PLAIN, operators }]), "text", width);
    const [header = "", ...lines] = whole.slice(whole.indexOf("ACTION")).trimEnd().split("\n");
    const starts = [0, ...["PACKAGE", "VERSION", "WHY"].map((name) => header.indexOf(name)), undefined];
    const column = (number: number): string =>
      lines.map((line) => line.slice(starts[number], starts[number + 1]).trim()).join("");
    expect([0, 1, 2].map(column)).toEqual(["keep", long, version]);
    expect(column(3)).toContain("because");
    if (width >= 60) for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(width);
  });

  test("no line of prose is wider than the terminal", () => {
    const long = explanationWith({ kind: "waits", requests: [request("word ".repeat(60))] });
    const answer: Resolution = {
      ...PLAIN,
      operators: [operator("buoy", "1.0.0", { reason: { kind: "held", by: "flag", text: "because ".repeat(40) } })],
      unsatisfied: [{ request: request("compass"), undecided: false, explanation: long }],
      warnings: [warned("word ".repeat(60))],
    };
    for (const isList of [false, true]) {
      const resolutions = isList ? [answer, answer] : [answer];
      const lines = rendered(shown(resolutions, { isList }), "text", 72).split("\n");
      expect(Math.max(...lines.map(displayWidth))).toBeLessThanOrEqual(72);
    }
  });

  test("a command is never broken, and numbered lines hang below their number", () => {
    const fixes = [
      {
        namespace: "here",
        changes: [{ kind: "drop", package: "p".repeat(99) } as const],
        advice: [{ kind: "repair-catalog", catalog: "c", help: "say it shorter ".repeat(8) } as const],
      },
    ];
    const why = { kind: "first", of: 2 } as const;
    const [long, other] = [{ name: "word ".repeat(20) }, { name: "rope" }];
    const need = {
      requirer: long,
      demanded: { kind: "label", label: "bright" },
      isOptional: false,
      provider: other,
      why,
    } as const;
    const explanation = explanationWith(
      { kind: "chosen", root: { operator: long, reason: { kind: "unclaimed" } }, needs: [need] },
      { fixes },
    );
    const unsatisfied = [{ request: request("compass"), undecided: false, explanation }];
    const lines = rendered(shown([{ ...PLAIN, operators: [], unsatisfied }]), "text", 60).split("\n");
    expect(lines.slice(lines.findIndex((line) => line.includes("1. ")))).toEqual([
      expect.stringMatching(/^ {4}1\. word/),
      expect.stringMatching(/^ {7}word/),
      "       runs and stays: no Subscription claims it.",
      expect.stringMatching(/^ {4}2\. word/),
      expect.stringMatching(/^ {7}word/),
      "       requires an operator with the label bright; rope is",
      "       the preferred one of 2 matching bundles.",
      "    What would help",
      expect.stringMatching(/^ {6}fix catalog c: say it/),
      expect.stringMatching(/^ {10}[a-z]/),
      expect.stringMatching(/^ {10}[a-z]/),
      `        plimsoll resolve --drop ${"p".repeat(99)}`,
      "  Every command is a dry run; no cluster is changed.",
      "",
    ]);
  });

  test("all requests, one of them, none", () => {
    const { unsatisfied } = RICH;
    const first = (answer: Partial<Resolution>): string | undefined => text({ ...PLAIN, ...answer }).split("\n")[0];
    const refused = unsatisfied.slice(0, 1);
    const objectives = [{ name: "subscriptions", value: 0, proven: true } as const];
    expect(first({ outcome: "Unsatisfiable", operators: [], unsatisfied: refused, objectives })).toBe(
      "Not resolved in namespace bridge: nothing to install; 1 request refused",
    );
    expect(first({ outcome: "Partial", unsatisfied: refused })).toBe(
      "Partly resolved in namespace bridge: nothing to change, 1 kept; 1 of 2 requests refused",
    );
  });

  test("a deprecated bundle is marked", () => {
    const [anchor, oil, lantern] = RICH.operators as [ResolvedOperator, ResolvedOperator, ResolvedOperator];
    const answer = text({ ...PLAIN, operators: [anchor, oil, { ...lantern, isDeprecated: true }] });
    expect(answer).toContain("  newest reachable from 1.2.0 in channel stable; deprecated, see warnings\n");
    expect(answer.match(/deprecated/g)).toHaveLength(1);
  });

  test("if nothing helps, that is shown, without commands", () => {
    const [refused] = RICH.unsatisfied as [Unsatisfied];
    const unsatisfied = [{ ...refused, explanation: { ...(refused.explanation as Explanation), fixes: [] } }];
    const answer = text({ ...PLAIN, outcome: "Partial", unsatisfied });
    expect(answer).toContain("    What would help\n      Nothing that can be changed here was found to help.\n");
    expect(answer).not.toContain("Every command");
  });

  test("if the reason was not found, nothing is claimed about fixes", () => {
    const [refused] = RICH.unsatisfied as [Unsatisfied];
    const explanation = { ...(refused.explanation as Explanation), facts: [], fixes: [] };
    const answer = text({ ...PLAIN, outcome: "Partial", unsatisfied: [{ ...refused, explanation }] });
    expect(answer).toContain("    What would help\n      What would help is not known, because the reason is not.\n");
    const leftOut = { ...explanation, isLeftOut: true };
    expect(text({ ...PLAIN, outcome: "Partial", unsatisfied: [{ ...refused, explanation: leftOut }] })).not.toContain(
      "What would help",
    );
    const late = { ...explanation, isCutOff: true };
    expect(text({ ...PLAIN, outcome: "Partial", unsatisfied: [{ ...refused, explanation: late }] })).toContain(
      "    What would help\n      Give it more time (--timeout).\n",
    );
  });

  test("the effect of commands is explained once, below the last of them", () => {
    const list = shown([RICH, { ...RICH, namespace: "cargo" }, PLAIN], { isList: true });
    const lines = rendered(list, "text").split("\n");
    const hints = lines.flatMap((line, index) => (line.includes("Every command ") ? [index] : []));
    expect(hints).toHaveLength(1);
    expect(lines.findLastIndex((line) => line.includes("plimsoll resolve"))).toBe((hints[0] as number) - 1);
  });

  test("wide shows the place of each fact", () => {
    expect(rendered(shown([RICH]), "wide")).toContain("    Sources\n      catalog.yaml:9:2  compass\n");
    expect(text(RICH)).not.toContain("Sources");
  });

  test("wide shows the origin of each operator", () => {
    expect(rendered(shown([RICH]), "wide")).toContain(
      "update   lantern   1.2.0 → 2.0.0  lantern.v2.0.0   harbour  stable   bridge/lantern  newest reachable from 1.2.0 in channel stable\n",
    );
  });
});

test("the tree has operators without dependents as roots", () => {
  const operators = [
    operator("boiler", "1.0.0", { request: request("boiler"), requiredBy: ["plant.v1.0.0"] }),
    operator("bell", "1.0.0", { requiredBy: ["bell.v1.0.0", "stranger.v1.0.0"] }),
    operator("plant", "1.0.0", { request: request("plant") }),
  ];
  expect(rendered(shown([{ ...PLAIN, operators }]), "tree")).toBe(`bridge
├─ bell 1.0.0 (keep)
└─ plant 1.0.0 (keep)
   └─ boiler 1.0.0 (keep)
`);
});

test("the tree begins a circle with what was asked for, and ends where it closes", () => {
  expect(rendered(shown([RICH]), "tree")).toBe(`bridge
└─ lantern 2.0.0 (update from 1.2.0)
   ├─ anchor 1.0.0 (keep)
   └─ lamp-oil 0.3.0 (install)
      └─ lantern 2.0.0 (see above)
`);
});

test("a cycle without a request is in the tree once", () => {
  const operators = [
    operator("hen", "1.0.0", { requiredBy: ["egg.v1.0.0"] }),
    operator("egg", "1.0.0", { requiredBy: ["hen.v1.0.0"] }),
  ];
  expect(rendered(shown([{ ...PLAIN, operators }]), "tree")).toBe(`bridge
└─ hen 1.0.0 (keep)
   └─ egg 1.0.0 (keep)
      └─ hen 1.0.0 (see above)
`);
});

test("names are of one namespace and bundle a line", () => {
  expect(rendered(shown([RICH]), "name")).toBe("bridge/anchor.v1.0.0\nbridge/lamp-oil.v0.3.0\nbridge/lantern.v2.0.0\n");
});

test("subscriptions are those that are missing: generated ones, and one for a named package", () => {
  const operators = RICH.operators.map((item) =>
    item.package === "lantern" ? { ...item, request: request("lantern", { place: undefined }) } : item,
  );
  const [oil, lantern, ...more] = rendered(shown([{ ...RICH, operators }]), "subscriptions").split("---\n");
  expect(more).toEqual([]);
  expect(load(oil as string)).toEqual({
    apiVersion: "operators.coreos.com/v1alpha1",
    kind: "Subscription",
    metadata: { name: "lamp-oil-alpha-harbour-olm", namespace: "bridge" },
    spec: {
      channel: "alpha",
      name: "lamp-oil",
      source: "harbour",
      sourceNamespace: "olm",
      startingCSV: "lamp-oil.v0.3.0",
    },
  });
  expect(load(lantern as string)).toMatchObject({ metadata: { name: "lantern" }, spec: { channel: "stable" } });
  expect(rendered(shown([PLAIN]), "subscriptions")).toBe("");
});

test("a picture has an arrow to everything that is needed", () => {
  const mermaid = rendered(shown([RICH, { ...PLAIN, namespace: "cargo" }], { isList: true }), "mermaid");
  expect(mermaid).toContain('subgraph g0["bridge"]');
  expect(mermaid).toContain('subgraph g1["cargo"]');
  expect(mermaid.match(/-->/g)).toHaveLength(3);
  expect(mermaid).toContain('o2 -->|"needs"| o1');
  expect(rendered(shown([RICH]), "dot")).toContain('o2 -> o1 [label="needs"];');
});

test("no format lets untrusted text reach the terminal as it is", () => {
  const evil = "\u001b[31m\u202eevil\n";
  const strange = operator(evil, evil, { reason: { kind: "held", by: "flag", text: evil }, requiredBy: [evil] });
  const fixes = [
    {
      namespace: evil,
      changes: [{ kind: "drop", package: evil } as const],
      advice: [{ kind: "drop", package: evil, isLeftAlone: true } as const],
    },
  ];
  const explanation = explanationWith({ kind: "waits", requests: [request(evil)] }, { fixes });
  const answer: Resolution = {
    ...RICH,
    namespace: evil,
    operators: [strange],
    heldBack: [{ package: evil, name: evil, available: [{ name: evil }], explanation }],
    unsatisfied: [{ request: request(evil, { channel: evil }), undecided: false, explanation }],
    pendingApproval: [
      {
        requests: [request(evil)],
        changes: [{ package: evil, from: { name: evil }, to: { name: evil } }],
        awaiting: [evil],
      },
    ],
    broken: [requires({ name: evil }, evil)],
    optionalNotMet: [
      {
        operator: { name: evil },
        detail: { rule: "optional", constraint: { kind: "label", label: evil, message: evil }, action: "require" },
      },
    ],
    warnings: [{ ...warned(evil), place: { source: evil, line: 1, column: 1 } }],
  };
  for (const output of FORMATS.resolve) {
    const answerText = rendered(shown([answer, answer], { isList: true }), output);
    for (const character of ["\u001b", "\u202e"]) expect(answerText, output).not.toContain(character);
  }
});
