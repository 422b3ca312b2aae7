import { describe, expect, test } from "vitest";
import type { ManagedCluster } from "../model/managed-cluster.ts";
import type { Placement } from "../model/placement.ts";
import { namesText, noChoiceText } from "../render/placement/choice-text.ts";
import { choosePlacements, type NamedObjects } from "./choose-placements.ts";
import { placementKey } from "./placement-name.ts";

const PLACEMENTS = ["apps/lamp", "apps/mast", "default/lamp", "default/oar"].map((key) => {
  const [namespace, name] = key.split("/");
  return { namespace, name } as Placement;
});

function objectsOf(managedClusters: readonly ManagedCluster[]): NamedObjects {
  return { placements: PLACEMENTS, managedClusters, rejected: [], lost: { words: new Map(), unseen: undefined } };
}

function chosen(words: readonly string[], namespace?: string): readonly string[] | string {
  const found = choosePlacements({ names: words, namespace }, objectsOf([]), [], false);
  return found.kind === "chosen" ? found.placements.map(placementKey) : noChoiceText(found);
}

describe("the Placements that are meant", () => {
  test.each<[readonly string[], string | undefined, readonly string[]]>([
    [[], undefined, ["apps/lamp", "apps/mast", "default/lamp", "default/oar"]],
    [[], "apps", ["apps/lamp", "apps/mast"]],
    [["mast"], undefined, ["apps/mast"]],
    [["default/lamp"], undefined, ["default/lamp"]],
    [["lamp"], "apps", ["apps/lamp"]],
    [["oar", "apps/mast", "default/oar"], undefined, ["apps/mast", "default/oar"]],
  ])("%j in %s", (words, namespace, expected) => {
    expect(chosen(words, namespace)).toEqual(expected);
  });

  test.each<[readonly string[], string | undefined, string]>([
    [["lamp"], undefined, 'there are several Placements "lamp": apps/lamp, default/lamp; write NAMESPACE/NAME.'],
    [
      ["mastt"],
      undefined,
      'there is no Placement "mastt"; did you mean apps/mast? There are apps/lamp, apps/mast, default/lamp, default/oar.',
    ],
    [
      ["defualt/oar"],
      undefined,
      'there is no Placement "defualt/oar"; did you mean default/oar? There are apps/lamp, apps/mast, default/lamp, default/oar.',
    ],
    [
      ["apps/oar"],
      undefined,
      'there is no Placement "apps/oar"; did you mean default/oar? There are apps/lamp, apps/mast, default/lamp, default/oar.',
    ],
    [["oar"], "apps", 'there is no Placement "oar" in namespace "apps". There are apps/lamp, apps/mast.'],
    [[], "ap", 'namespace "ap" has no Placements. There are some in apps, default.'],
    [[], "app", 'namespace "app" has no Placements. Did you mean apps? There are some in apps, default.'],
  ])("%j in %s are not clear", (words, namespace, message) => {
    expect(chosen(words, namespace)).toBe(message);
  });

  test("a name as long as a book is not repeated", () => {
    expect(chosen(["x".repeat(10_000)])).toHaveLength(
      `there is no Placement "${"x".repeat(79)}…". There are apps/lamp, apps/mast, default/lamp, default/oar.`.length,
    );
  });
});

describe("the cluster that is meant", () => {
  const clusters = ["bergen", "lisbon"].map((name) => ({ name }) as ManagedCluster);

  function unknownCluster(cluster: string, given: readonly ManagedCluster[]): string | undefined {
    const found = choosePlacements({ names: [], cluster }, objectsOf(given), [], false);
    return found.kind === "chosen" ? undefined : noChoiceText(found);
  }

  test("is there", () => {
    expect(unknownCluster("lisbon", clusters)).toBeUndefined();
  });

  test.each([
    ["lisbom", 'there is no cluster "lisbom"; did you mean lisbon?'],
    ["quebec", 'there is no cluster "quebec". There are bergen, lisbon.'],
  ])("is not there: %s", (word, message) => {
    expect(unknownCluster(word, clusters)).toBe(message);
  });

  test("nothing is there", () => {
    expect(unknownCluster("lisbon", [])).toBe('there is no cluster "lisbon": there is no ManagedCluster at all.');
  });
});

test("of many names the first eight are listed", () => {
  expect(namesText([..."abcdefgh"])).toBe("a, b, c, d, e, f, g, h");
  expect(namesText([..."abcdefghij"])).toBe("a, b, c, d, e, f, g, h and 2 more");
});
