// Do versions give the order of a channel if its bundles do not? The expectations are what operator-registry v1.73.0
// builds in its modes semver and semver-skippatch (AddBundleToGraph).

import { describe, expect, it } from "vitest";
import { readVersion } from "../../semver/version.ts";
import { type GraphMember, modeOf, readUpdateGraph, versionEntries } from "./update-graph.ts";

function members(...versions: readonly string[]): readonly GraphMember[] {
  return versions.map((version) => ({ version: readVersion(version), entry: { name: `winch.v${version}` } }));
}

describe("semver", () => {
  it("each version replaces the next lower one", () => {
    expect(versionEntries(members("2.0.0", "1.1.0", "1.1.0-rc.1", "1.0.9"), "semver")).toEqual([
      { name: "winch.v2.0.0", replaces: "winch.v1.1.0" },
      { name: "winch.v1.1.0", replaces: "winch.v1.1.0-rc.1" },
      { name: "winch.v1.1.0-rc.1", replaces: "winch.v1.0.9" },
      { name: "winch.v1.0.9" },
    ]);
  });

  it("replaces and skips of the bundles do not count, a skipRange does", () => {
    const [newest, oldest] = members("1.1.0", "1.0.0") as [GraphMember, GraphMember];
    const declared = { ...newest.entry, replaces: "winch.v0.1.0", skips: ["winch.v0.2.0"], skipRange: "<1.1.0" };
    expect(versionEntries([{ ...newest, entry: declared }, oldest], "semver")[0]).toEqual({
      name: "winch.v1.1.0",
      skipRange: "<1.1.0",
      replaces: "winch.v1.0.0",
    });
  });

  it("a bundle without a version has no place, and one that is given twice has one", () => {
    const broken = { version: undefined, entry: { name: "winch.vX" } };
    const given = [...members("1.1.0", "1.1.0", "1.0.0"), broken];
    expect(versionEntries(given, "semver").map(({ name }) => name)).toEqual(["winch.v1.1.0", "winch.v1.0.0"]);
  });
});

it("semver-skippatch: the highest patch skips the lower ones and replaces the minor version before", () => {
  expect(versionEntries(members("1.1.2", "1.1.1", "1.1.0", "1.0.1", "1.0.0"), "semver-skippatch")).toEqual([
    { name: "winch.v1.1.2", replaces: "winch.v1.0.1", skips: ["winch.v1.1.1", "winch.v1.1.0"] },
    { name: "winch.v1.1.1" },
    { name: "winch.v1.1.0" },
    { name: "winch.v1.0.1", skips: ["winch.v1.0.0"] },
    { name: "winch.v1.0.0" },
  ]);
});

it("without a ci.yaml a package is ordered by versions only where no bundle names another", () => {
  const [first, second] = members("1.1.0", "1.0.0") as [GraphMember, GraphMember];
  expect(modeOf([first, second])).toBe("semver");
  expect(modeOf([{ ...first, entry: { ...first.entry, skips: ["winch.v1.0.0"] } }, second])).toBe("replaces");
});

describe("ci.yaml", () => {
  const place = { source: "ci.yaml", line: 1, column: 1 };
  const read = (updateGraph: string | number) => {
    const messages: string[] = [];
    return [readUpdateGraph({ updateGraph }, place, ({ message }) => messages.push(message)), messages];
  };

  it.each([
    ["semver-mode", "semver"],
    ["semver", "semver"],
    ["semver-skippatch-mode", "semver-skippatch"],
    ["replaces-mode", "replaces"],
  ])("%s", (declared, mode) => {
    expect(read(declared)).toEqual([mode, []]);
  });

  it("an unknown mode is reported and not obeyed", () => {
    expect(read("semver-fast")).toEqual([undefined, ['updateGraph "semver-fast" is not a known mode']]);
    expect(read(3)).toEqual([undefined, ["updateGraph a number is not a known mode"]]);
  });
});
