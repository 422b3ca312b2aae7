import { describe, expect, test } from "vitest";
import { stocked } from "../../../test/worlds/scene.ts";
import type { Catalog } from "../../model/catalog.ts";
import { plainNames } from "./plain-names.ts";

const CATALOG = stocked({ lantern: { "1.5.0": [] }, there: { "2.0.0": [] } });
const NAMES = plainNames([CATALOG], [{ package: "buoy", name: "buoy.v0.9.0", version: "0.9.0" }]);

describe("names of bundles", () => {
  test.each([
    ["lantern.v1.5.0 requires buoy.v0.9.0.", "lantern 1.5.0 requires buoy 0.9.0."],
    ["(lantern.v1.5.0), lantern.v1.5.0; lantern.v1.5.0: on", "(lantern 1.5.0), lantern 1.5.0; lantern 1.5.0: on"],
    ['"lantern.v1.5.0" is what somebody wrote', '"lantern.v1.5.0" is what somebody wrote'],
    [
      'lantern.v1.5.0 is not wanted ("no lantern.v1.5.0 here, says buoy.v0.9.0"; rule p == "a lantern.v1.5.0 b").',
      'lantern 1.5.0 is not wanted ("no lantern.v1.5.0 here, says buoy.v0.9.0"; rule p == "a lantern.v1.5.0 b").',
    ],
    ["harbour/lantern.v1.5.0 and ./lantern.v1.5.0/x.yaml", "harbour/lantern.v1.5.0 and ./lantern.v1.5.0/x.yaml"],
    ["lantern.v1.5.1 is not known", "lantern.v1.5.1 is not known"],
  ])("%s", (text, expected) => {
    expect(NAMES.text(text)).toBe(expected);
  });

  test("a name that means two things is left as it is", () => {
    const bundle = CATALOG.packages.get("lantern")?.bundles.get("lantern.v1.5.0");
    const other = { package: "lamp", name: "lantern.v1.5.0", version: "1.5.0" };
    expect(bundle).toBeDefined();
    expect(plainNames([CATALOG], [other]).name("lantern.v1.5.0")).toBe("lantern.v1.5.0");
    expect(plainNames([CATALOG, CATALOG], []).name("lantern.v1.5.0")).toBe("lantern 1.5.0");
  });

  test("a word is no name, whatever bundles are called", () => {
    const owner = CATALOG.packages.get("lantern");
    const bundle = owner?.bundles.get("lantern.v1.5.0");
    const bundles = new Map(["requires", "1.5.0"].map((name) => [name, { ...bundle, name }]));
    const odd = { ...CATALOG, packages: new Map([["lantern", { ...owner, bundles }]]) } as unknown as Catalog;
    expect(plainNames([odd], []).text("it requires lamp 1.5.0")).toBe("it requires lamp 1.5.0");
  });

  test("the operators are gone through once, however many sentences there are", () => {
    let looks = 0;
    const operators = Array.from({ length: 100 }, (_, index) => ({
      get package(): string {
        looks++;
        return `lamp-${index}`;
      },
      name: `lamp-${index}.v1.0.0`,
      version: "1.0.0",
    }));
    const names = plainNames([], operators);
    for (let round = 0; round < 50; round++) names.sentence("nothing of the kind runs");
    expect(looks).toBe(operators.length);
  });

  test("a long text without blanks takes no longer than others", () => {
    const long = "lantern.v1.5.0,".repeat(20_000);
    expect(NAMES.text(long)).toBe(long);
    expect(NAMES.text("(".repeat(200_000))).toHaveLength(200_000);
    expect(NAMES.text(".".repeat(200_000))).toHaveLength(200_000);
    expect(NAMES.text(' "a'.repeat(200_000))).toHaveLength(600_000);
  });
});

describe("sentences", () => {
  test.each([
    ["all or nothing was asked for", "All or nothing was asked for."],
    ["it is so.", "It is so."],
    ["lantern has no version", "lantern has no version."],
    ["there 2.0.0 requires it", "there 2.0.0 requires it."],
    ["gantry 3.0.0 needs more", "gantry 3.0.0 needs more."],
    ["strange-thing is missing (says the author)", "strange-thing is missing (says the author)."],
    ["the cause is:", "The cause is:"],
    ["", ""],
  ])("%s", (text, expected) => {
    expect(NAMES.sentence(text)).toBe(expected);
  });
});
