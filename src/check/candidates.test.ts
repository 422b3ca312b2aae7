import { describe, expect, test } from "vitest";
import { LANTERN } from "../../test/catalog/lantern-catalog.ts";
import { request, running, scene, stocked } from "../../test/worlds/scene.ts";
import type { Catalog } from "../model/catalog.ts";
import type { Installed, Request } from "../model/problem.ts";
import { parseRange, type Range } from "../semver/blang-range.ts";
import { candidatesOf, compareCatalogs } from "./candidates.ts";

const LANTERNS = stocked({}, {}, LANTERN);

/** The names of the candidates of a request for lanterns, the operator that it has in brackets. */
function ladder(
  more: Partial<Request>,
  installed: readonly Installed[] = [],
  catalogs: readonly Catalog[] = [LANTERNS],
) {
  const wanted = request("lantern", more);
  const { bundles, installed: own } = candidatesOf(scene({ catalogs, installed, requests: [wanted] }), wanted);
  const names = bundles.map(({ catalog, bundle }) => `${catalog.name}/${bundle.name.replace("lantern.v", "")}`);
  return [...names, ...(own === undefined ? [] : [`(${own.name})`])];
}

function range(text: string): Range {
  return parseRange(text) as Range;
}

describe("nothing installed", () => {
  test("the default channel, then the others; the chain without what is skipped or has no bundle", () => {
    expect(ladder({})).toEqual(["main/2.0.0", "main/1.2.0", "main/1.0.0"]);
    expect(ladder({ channel: "fast" })).toEqual(["main/2.0.0"]);
    expect(ladder({ channel: "slow" })).toEqual([]);
  });

  test("the default channel comes before one whose name is smaller", () => {
    const [one, , ...rest] = LANTERN;
    const documents = [
      one as (typeof LANTERN)[number],
      { schema: "olm.channel", package: "lantern", name: "stable", entries: [{ name: "lantern.v1.0.0" }] },
      ...rest,
    ];
    expect(ladder({}, [], [stocked({}, {}, documents)])).toEqual(["main/1.0.0", "main/2.0.0"]);
  });

  test("startingCSV names the only one, skipped or not", () => {
    expect(ladder({ startingCSV: "lantern.v1.9.0" })).toEqual(["main/1.9.0"]);
    expect(ladder({ startingCSV: "lantern.v1.9.0", channel: "fast" })).toEqual([]);
    expect(ladder({ startingCSV: "lantern.v1.1.0" })).toEqual([]);
  });

  test("a range keeps what is inside; an exact version finds skipped ones", () => {
    expect(ladder({ range: range("<2.0.0") })).toEqual(["main/1.2.0", "main/1.0.0"]);
    expect(ladder({ range: range("1.9.0") })).toEqual(["main/1.9.0"]);
    expect(ladder({ range: range(">=1.9.0 <2.0.0") })).toEqual([]);
  });
});

describe("something installed", () => {
  const from = (name: string, more: Partial<Request> = {}, facts: Partial<Installed> = {}) =>
    ladder({ installed: name, ...more }, [running(name, [], facts)]);

  test("what replaces it, skips it, or has its version in the range of skips; itself last", () => {
    expect(from("lantern.v1.2.0")).toEqual(["main/2.0.0", "(lantern.v1.2.0)"]);
    expect(from("lantern.v1.9.0")).toEqual(["main/2.0.0", "(lantern.v1.9.0)"]);
    expect(from("lantern.v0.1.0")).toEqual(["main/2.0.0", "(lantern.v0.1.0)"]);
    expect(from("lantern.v1.0.0")).toEqual(["main/1.2.0", "(lantern.v1.0.0)"]);
    expect(from("lamp.v9.9.9")).toEqual(["main/1.0.0", "(lamp.v9.9.9)"]);
    expect(from("lantern.v2.0.0")).toEqual(["(lantern.v2.0.0)"]);
  });

  test("startingCSV no longer counts, a range does", () => {
    expect(from("lantern.v1.2.0", { startingCSV: "lantern.v1.0.0" })).toEqual(["main/2.0.0", "(lantern.v1.2.0)"]);
    expect(from("lantern.v1.2.0", { range: range("<2.0.0") })).toEqual(["(lantern.v1.2.0)"]);
  });

  test("without a version no range of skips leads from it", () => {
    expect(from("lantern.v1.0.5")).toEqual(["main/1.2.0", "(lantern.v1.0.5)"]);
    expect(from("lantern.v1.0.5", {}, { version: undefined })).toEqual(["(lantern.v1.0.5)"]);
  });

  test("never towards the tail", () => {
    const entries = [
      { name: "lantern.v2.0.0", replaces: "lantern.v1.0.0" },
      { name: "lantern.v1.0.0", skipRange: "<=2.0.0" },
    ];
    const documents = [
      { schema: "olm.package", name: "lantern", defaultChannel: "stable" },
      { schema: "olm.channel", package: "lantern", name: "stable", entries },
      ...LANTERN.filter(({ name }) => name === "lantern.v1.0.0" || name === "lantern.v2.0.0"),
    ];
    const catalog = stocked({}, {}, documents);
    expect(ladder({ installed: "lantern.v2.0.0" }, [running("lantern.v2.0.0")], [catalog])).toEqual([
      "(lantern.v2.0.0)",
    ]);
  });

  test("an operator that does not run is not there", () => {
    expect(ladder({ installed: "lantern.v1.2.0" })).toEqual(["main/2.0.0", "main/1.2.0", "main/1.0.0"]);
  });
});

describe("several catalogs", () => {
  const shelf = (name: string, priority: number, namespace?: string): Catalog =>
    stocked({ lantern: { "1.0.0": [] } }, { name, priority, ...(namespace !== undefined && { namespace }) });

  test("by priority, then those of this namespace, then by name", () => {
    const catalogs = [shelf("b", 0), shelf("a", 0), shelf("z", 0, "here"), shelf("y", 5, "olm")];
    expect(ladder({}, [], catalogs)).toEqual(["y/1.0.0", "z/1.0.0", "a/1.0.0", "b/1.0.0"]);
  });

  test("a request that names one uses only that one", () => {
    const catalogs = [shelf("a", 0, "x"), shelf("a", 0, "y"), shelf("b", 0, "x"), shelf("d", 0)];
    expect(ladder({ catalog: { name: "b" } }, [], catalogs)).toEqual(["b/1.0.0"]);
    expect(ladder({ catalog: { name: "b", namespace: "elsewhere" } }, [], catalogs)).toEqual([]);
    expect(ladder({ catalog: { name: "a", namespace: "y" } }, [], catalogs)).toHaveLength(1);
    expect(ladder({ catalog: { name: "a", namespace: "elsewhere" } }, [], catalogs)).toEqual([]);
    expect(ladder({ catalog: { name: "c" } }, [], catalogs)).toEqual([]);
    expect(ladder({ catalog: { name: "d", namespace: "elsewhere" } }, [], catalogs)).toEqual(["d/1.0.0"]);
  });

  test("the order is total", () => {
    const one = { name: "a", namespace: "x", priority: 0 };
    expect(compareCatalogs(one, { ...one, namespace: "y" }, "here")).toBeLessThan(0);
    expect(compareCatalogs(one, one, "here")).toBe(0);
  });
});
