// Are versions named unambiguously?

import { describe, expect, test } from "vitest";
import { running, stocked } from "../../../test/worlds/scene.ts";
import { DEFAULT_OPTIONS } from "../../model/problem.ts";
import type { Candidate } from "../../resolve/catalog-index.ts";
import { type CatalogWorld, catalogWorld } from "../../resolve/catalog-world.ts";
import type { OperatorId } from "../../resolve/explain/fact.ts";
import { Mentions } from "../../resolve/explain/facts.ts";
import type { Operator } from "../../resolve/member.ts";
import { enumerated } from "../../text/words.ts";
import { OperatorWords, type Style } from "./operators.ts";

const VERSIONS = ["0.1.0", "0.2.0", "0.9.0", "0.10.0", "0.10.1-rc1", "0.10.1", "1.0.0"];

const main = stocked({ kiln: Object.fromEntries(VERSIONS.map((version) => [version, []])), bell: { "1.0.0": [] } });
const other = stocked({ kiln: { "1.0.0": [] } }, { name: "other" });
const universe = catalogWorld({ catalogs: [main], options: DEFAULT_OPTIONS });
const both = catalogWorld({ catalogs: [main, other], options: DEFAULT_OPTIONS });

/** The bundles of the main catalog by version. */
function kilns(...versions: readonly string[]): readonly Candidate[] {
  return kilnsIn(universe, versions);
}

function kilnsIn(offered: CatalogWorld, versions: readonly string[]): readonly Candidate[] {
  const nodes = offered.indexOf(main).chainOf("kiln");
  return versions.map((version) => nodes.find(({ bundle }) => bundle.name === `kiln.v${version}`) as Candidate);
}

/** A text about members, as in an explanation of these and a few others. */
function textOf<Result>(
  members: readonly Operator[],
  render: (words: OperatorWords, ids: readonly OperatorId[]) => Result,
  ...others: readonly Operator[]
): Result {
  const mentions = new Mentions();
  for (const one of others) mentions.idOf(one);
  const ids = members.map(mentions.idOf);
  return render(new OperatorWords(mentions.list()), ids);
}

function membersText(members: readonly Operator[], style: Style = {}): string {
  return textOf(members, (words, ids) => words.several(ids, style));
}

function versionsText(members: readonly Operator[], owner: string | undefined, style: Style = {}): string {
  return textOf(members, (words, ids) => words.versions(ids, owner, style));
}

function isPlural(members: readonly Operator[]): boolean {
  return textOf(members, (words, ids) => words.isPlural(ids));
}

describe("versions of a package", () => {
  test.each<[string, readonly Operator[]]>([
    ["kiln 0.9.0", kilns("0.9.0")],
    ["kiln 0.1.0 and 0.2.0", kilns("0.2.0", "0.1.0")],
    ["kiln 0.1.0 to 0.9.0", kilns("0.9.0", "0.1.0", "0.2.0")],
    ["kiln 0.1.0, 0.9.0 and 0.10.1-rc1 to 1.0.0", kilns("0.1.0", "0.9.0", "0.10.1-rc1", "0.10.1", "1.0.0")],
    ["every version of kiln", kilns(...VERSIONS)],
    ["kiln 0.8.0 (running)", [running("kiln.v0.8.0")]],
    ["kiln 0.8.0 (running), 0.9.0 and 0.10.0", [running("kiln.v0.8.0"), ...kilns("0.9.0", "0.10.0")]],
    ["bell 1.0.0 and kiln 0.1.0", [...kilns("0.1.0"), ...universe.indexOf(main).chainOf("bell")]],
    ["old-thing (running)", [running("old-thing", [], { package: undefined, version: undefined })]],
    ["", []],
  ])("%s", (text, members) => {
    expect(membersText(members)).toBe(text);
  });

  test("one of two bundles of the same version is named with its catalog", () => {
    const some = [...kilnsIn(both, ["0.1.0"]), ...both.indexOf(other).chainOf("kiln")];
    expect(membersText(some)).toBe("kiln 0.1.0 and 1.0.0 (from catalog other)");
    expect(membersText([...kilnsIn(both, ["1.0.0"]), ...some])).toBe("kiln 0.1.0 and 1.0.0");
  });

  test("all of them are written as the sentence needs it", () => {
    const all = kilns(...VERSIONS);
    expect(membersText(all, { whole: "no" })).toBe("no version of kiln");
    expect(membersText(all, { whole: "name" })).toBe("kiln");
    expect(membersText(all, { whole: "runs" })).toBe("kiln 0.1.0 to 1.0.0");
  });

  test("one version, and every version, is one; several are many", () => {
    expect(isPlural(kilns("0.1.0"))).toBe(false);
    expect(isPlural([running("kiln.v0.1.0"), ...kilns("0.1.0")])).toBe(false);
    expect(isPlural(kilns(...VERSIONS))).toBe(false);
    expect(isPlural(kilns("0.1.0", "0.2.0", "0.9.0"))).toBe(true);
    expect(isPlural([...kilns("0.1.0"), ...universe.indexOf(main).chainOf("bell")])).toBe(true);
  });

  test("the name of the package is left out where it is known", () => {
    expect(versionsText(kilns("0.1.0", "0.9.0"), "kiln", { word: "or" })).toBe("0.1.0 or 0.9.0");
    expect(versionsText(kilns(...VERSIONS), "kiln")).toBe("0.1.0 to 1.0.0");
    expect(versionsText(kilns("0.1.0"), "bell")).toBe("kiln 0.1.0");
    expect(versionsText(kilns("0.1.0"), undefined)).toBe("kiln 0.1.0");
  });

  test("many runs are cut, with how many versions there are", () => {
    const versions = Array.from({ length: 30 }, (_, index) => `1.${index}.0`);
    const catalog = stocked({ saw: Object.fromEntries(versions.map((version) => [version, []])) });
    const nodes = catalogWorld({ catalogs: [catalog], options: DEFAULT_OPTIONS })
      .indexOf(catalog)
      .chainOf("saw");
    const every = nodes.filter((_, index) => index % 2 === 0);
    expect(membersText(every)).toBe("saw 1.1.0, 1.3.0, 1.5.0 and others up to 1.29.0 (15 versions)");
  });

  test("other members that are mentioned do not matter", () => {
    const all = kilns(...VERSIONS);
    for (let mask = 1; mask < 1 << VERSIONS.length; mask++) {
      const meant = all.filter((_, index) => (mask & (1 << index)) !== 0);
      for (const other of all) {
        const text = textOf(meant, (words, ids) => words.several(ids), other, running("kiln.v0.8.0"));
        expect(text).toBe(membersText(meant));
      }
    }
  });

  test("no text covers a version that is not meant", () => {
    for (let mask = 1; mask < 1 << VERSIONS.length; mask++) {
      const meant = VERSIONS.filter((_, index) => (mask & (1 << index)) !== 0);
      const text = membersText(kilns(...meant), { whole: "runs" }).replace("kiln ", "");
      const covered = text.split(/, | and /).flatMap((run) => {
        const [first = "", last = first] = run.split(" to ");
        return VERSIONS.slice(VERSIONS.indexOf(first), VERSIONS.indexOf(last) + 1);
      });
      expect(covered).toEqual(meant);
    }
  });
});

test("several things in a row", () => {
  expect([[], ["a"], ["a", "b"], ["a", "b", "c"]].map((texts) => enumerated(texts))).toEqual([
    "",
    "a",
    "a and b",
    "a, b and c",
  ]);
  expect(enumerated(["a", "b"], "or")).toBe("a or b");
});
