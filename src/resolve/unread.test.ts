// An operator stays although there is something newer, and what is missing may be what was not read.

import { describe, expect, test } from "vitest";
import { bundle } from "../../test/catalog/lantern-catalog.ts";
import { explainedAnswer as resolve } from "../../test/explanations/explained-answer.ts";
import { explanationText } from "../../test/explanations/explanation-text.ts";
import { needs, needsPackage, provides, request, running, scene, stocked } from "../../test/worlds/scene.ts";
import type { Catalog, Property } from "../model/catalog.ts";
import type { JsonObject } from "../model/json.ts";
import type { Problem } from "../model/problem.ts";
import { fixText } from "../render/sentence/fix.ts";
import { reasonText } from "../render/sentence/reason.ts";
import { readVersion } from "../semver/version.ts";
import { explain } from "./explain/subject.ts";

/** A package of two versions that are both heads of its channel: it is refused. */
const REFUSED: readonly JsonObject[] = [
  { schema: "olm.package", name: "kelp", defaultChannel: "stable" },
  {
    schema: "olm.channel",
    package: "kelp",
    name: "stable",
    entries: [{ name: "kelp.v1.0.0" }, { name: "kelp.v1.2.0" }],
  },
  bundle("kelp", "1.0.0", []),
  bundle("kelp", "1.2.0", [{ type: "olm.gvk", value: { group: "example.com", version: "v1", kind: "Kelp" } }]),
];

const LOST =
  "This is not certain: a package of catalog main was left out: package kelp is refused, because its default channel stable is broken.";
const REPAIR_CHANNEL = "fix catalog main: repair the channel; what a new user gets would be a guess without it";

const MOSS = request("moss", { installed: "moss.v1.0.0", channel: "stable" });

/** moss 1.0.0 runs, and 1.1.0 needs something. */
function moss(need: Property, documents: readonly JsonObject[], more: Partial<Problem> = {}): Problem {
  return scene({
    catalogs: [stocked({ moss: { "1.0.0": [], "1.1.0": [need] } }, {}, documents)],
    installed: [running("moss.v1.0.0")],
    requests: [MOSS],
    ...more,
  });
}

function summary(problem: Problem) {
  const { outcome, unsatisfied, heldBack, operators } = resolve(problem);
  return {
    outcome,
    heldBack: heldBack.map(({ name }) => name),
    stays: operators.map(reasonText),
    open: unsatisfied.map(({ undecided, kept, explanation }) => ({
      undecided,
      kept,
      text: explanationText(explanation).split("\n"),
      fixes: explanation.fixes.map(fixText),
    })),
  };
}

function open(text: readonly string[], fixes: readonly string[]) {
  return {
    outcome: "Undecided",
    heldBack: [],
    stays: ["stays: whether something newer is possible is not known"],
    open: [{ undecided: true, kept: "moss.v1.0.0", text: ["moss cannot be updated to 1.1.0.", ...text], fixes }],
  };
}

describe("a package that was left out may be what an update needs", () => {
  const PACKAGE = "moss 1.1.0 requires kelp >=1.2.0, and no catalog has it, as far as the catalogs could be read.";

  test("by its name", () => {
    expect(summary(moss(needsPackage("kelp", ">=1.2.0"), REFUSED))).toEqual(open([PACKAGE, LOST], [REPAIR_CHANNEL]));
  });

  test("also with OLM's reading", () => {
    const problem = moss(needsPackage("kelp", ">=1.2.0"), REFUSED);
    expect(summary({ ...problem, options: { ...problem.options, compat: true } })).toEqual(
      open([PACKAGE, LOST], [REPAIR_CHANNEL]),
    );
  });

  test("by an API", () => {
    const { open: found, outcome } = summary(moss(needs("Kelp"), REFUSED));
    expect(outcome).toBe("Undecided");
    expect(found[0]?.text).toContain(LOST);
    expect(found[0]?.text[1]).toContain(
      "no operator in the catalogs provides it, as far as the catalogs could be read",
    );
    expect(found[0]?.fixes[0]).toBe(REPAIR_CHANNEL);
  });

  test("next to an older installed one", () => {
    const installed = [running("moss.v1.0.0"), running("kelp.v1.0.0")];
    const [found] = summary(moss(needsPackage("kelp", ">=1.2.0"), REFUSED, { installed })).open;
    expect(found?.text[1]).toContain("there is only 1.0.0 (running), as far as the catalogs could be read");
    expect(found?.fixes).toEqual([REPAIR_CHANNEL]);
  });

  test("a bundle of the package that was left out", () => {
    const documents = [
      { schema: "olm.package", name: "kelp", defaultChannel: "stable" },
      {
        schema: "olm.channel",
        package: "kelp",
        name: "stable",
        entries: [{ name: "kelp.v1.0.0" }, { name: "kelp.v1.2.0", replaces: "kelp.v1.0.0" }],
      },
      bundle("kelp", "1.0.0", []),
      { ...bundle("kelp", "1.2.0", []), image: "not an image" },
    ];
    const [found] = summary(moss(needsPackage("kelp", ">=1.2.0"), documents)).open;
    expect(found?.undecided).toBe(true);
    expect(found?.text.at(-1)).toContain("This is not certain: a bundle of catalog main was left out: kelp.v1.2.0");
  });

  test("explain reports the same for the package and the version, and does not advise another version", () => {
    const problem = moss(needsPackage("kelp", ">=1.2.0"), REFUSED);
    const version = readVersion("1.1.0");
    for (const topic of [{ package: "moss" }, { package: "moss", version }]) {
      const { undecided, explanation, instead } = explain(problem, topic);
      expect([undecided, explanationText(explanation).split("\n").at(-1), instead]).toEqual([true, LOST, []]);
      expect(explanation.fixes.map(fixText)).toEqual([REPAIR_CHANNEL]);
    }
  });

  test("a new request that gets an older version is held back, with what was lost", () => {
    const { outcome, heldBack } = resolve(
      moss(needsPackage("kelp", ">=1.2.0"), REFUSED, { installed: [], requests: [request("moss")] }),
    );
    expect(outcome).toBe("Resolved");
    expect(explanationText(heldBack[0]?.explanation)).toContain(LOST);
    expect(heldBack[0]?.explanation.fixes.map(fixText)).toEqual([REPAIR_CHANNEL]);
  });
});

describe("what was left out is unrelated", () => {
  const certain = (problem: Problem) => {
    const { outcome, heldBack, open: found, stays } = summary(problem);
    expect({ outcome, heldBack, found, stays }).toEqual({
      outcome: "Resolved",
      heldBack: ["moss.v1.0.0"],
      found: [],
      stays: ["stays: nothing newer is possible"],
    });
  };

  test("another package is needed", () => {
    certain(moss(needsPackage("alga", ">=1.0.0"), REFUSED));
  });

  test("a version of the cluster is needed", () => {
    const rule = 'properties.exists(p, p.type == "kubernetes.version" && semver_compare(p.value, "1.30.0") >= 0)';
    const value = { failureMessage: "too old", cel: { rule } };
    certain(moss({ type: "olm.constraint", value } as Property, REFUSED));
  });
});

describe("a catalog that is not available may have what an update needs", () => {
  const unavailable = [{ name: "x", priority: 0, reason: "it could not be loaded" }];
  const problem = moss(needsPackage("kelp", ">=1.2.0"), [], { unavailable });

  test("it is to be given", () => {
    expect(summary(problem)).toEqual(
      open(
        [
          "moss 1.1.0 requires kelp >=1.2.0, and no catalog has it, as far as the catalogs could be read.",
          "This is not certain: catalog x is not available (it could not be loaded).",
        ],
        ["fix catalog x, or give it from another path: --catalog x=PATH"],
      ),
    );
  });

  test("unless it is ignored", () => {
    const ignored = { ...problem, options: { ...problem.options, ignoreUnavailable: true } };
    expect(summary(ignored)).toMatchObject({ outcome: "Resolved", heldBack: ["moss.v1.0.0"], open: [] });
  });

  test("an operator that another one holds back stays so", () => {
    const catalogs: readonly Catalog[] = [stocked({ moss: { "1.0.0": [], "1.1.0": [provides("Kelp")] } })];
    const installed = [running("moss.v1.0.0"), running("kelp.v1.0.0", [provides("Kelp")])];
    const held = scene({ catalogs, installed, requests: [MOSS], unavailable });
    expect(summary(held)).toMatchObject({ outcome: "Resolved", heldBack: ["moss.v1.0.0"], open: [] });
  });
});

test("a package that no given catalog has may be in one that was not given", () => {
  const asked = scene({ catalogs: [], requests: [request("moss")], notGiven: [{ name: "main", namespace: "olm" }] });
  const { outcome, unsatisfied } = resolve(asked);
  expect([outcome, unsatisfied.map(({ undecided }) => undecided)]).toEqual(["Undecided", [true]]);
  const known = scene({ catalogs: [], requests: [request("moss")] });
  expect(resolve(known).outcome).toBe("Unsatisfiable");
});
