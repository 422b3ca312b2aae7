// Are definitions paired by name, and is one that could not be read never taken for new or gone?

import { describe, expect, test } from "vitest";
import type { CustomResourceDefinition } from "../model/custom-resource.ts";
import { definitionOf } from "../model/definition-of.ts";
import { wholeSource } from "../model/place.ts";
import { unpairedText } from "../render/crd/text.ts";
import { type DefinitionSide, pairDefinitions } from "./pair-definitions.ts";

function definition(name: string): CustomResourceDefinition {
  return definitionOf({ metadata: { name } }, "v1", { source: "x.yaml", line: 1, column: 1 });
}

function side(path: string, names: readonly string[], more: Partial<DefinitionSide> = {}): DefinitionSide {
  return {
    path,
    kind: "bundle" as const,
    definitions: names.map(definition),
    unusable: new Set(),
    isDamaged: false,
    owned: undefined,
    place: wholeSource(path),
    ...more,
  };
}

function outline(pairs: ReturnType<typeof pairDefinitions>): unknown {
  if (pairs.kind !== "paired") return unpairedText(pairs);
  return {
    pairs: pairs.pairs.map(({ name, before, after }) => `${before ? "old" : "-"} ${after ? "new" : "-"} ${name}`),
    notCompared: pairs.notCompared.map(({ name, reason }) => `${name}: ${reason}`),
  };
}

describe("pairs of definitions", () => {
  test("go by name, in the order of names", () => {
    expect(outline(pairDefinitions(side("old", ["c", "a"]), side("new", ["a", "b"])))).toEqual({
      pairs: ["old new a", "- new b", "old - c"],
      notCompared: [],
    });
  });

  test("two single files with different names are not compared", () => {
    const file = { kind: "files" as const };
    expect(outline(pairDefinitions(side("old.yaml", ["a"], file), side("new.yaml", ["b"], file)))).toBe(
      "old.yaml has a, but new.yaml has b: only definitions of the same name can be compared",
    );
    expect(outline(pairDefinitions(side("old.yaml", ["a"], file), side("new.yaml", ["b", "c"], file)))).toMatchObject({
      pairs: ["old - a", "- new b", "- new c"],
    });
    expect(outline(pairDefinitions(side("old", ["a"]), side("new.yaml", ["b"], file)))).toMatchObject({
      pairs: ["old - a", "- new b"],
    });
  });

  test("only a bundle may have no definitions", () => {
    expect(outline(pairDefinitions(side("old", []), side("new", ["a"])))).toMatchObject({ pairs: ["- new a"] });
    expect(outline(pairDefinitions(side("old", ["a"]), side("new.yaml", [], { kind: "files" as const })))).toBe(
      "new.yaml has no CustomResourceDefinition that could be compared",
    );
  });

  test("what is there but cannot be used is neither new nor gone", () => {
    const broken = { unusable: new Set(["a"]) };
    expect(outline(pairDefinitions(side("old", ["a", "b"]), side("new", ["b"], broken)))).toEqual({
      pairs: ["old new b"],
      notCompared: ["a: it is invalid in new"],
    });
    expect(outline(pairDefinitions(side("old", ["b"], broken), side("new", ["a", "b"])))).toEqual({
      pairs: ["old new b"],
      notCompared: ["a: it is invalid in old"],
    });
    expect(outline(pairDefinitions(side("old", [], broken), side("new", [], broken)))).toEqual({
      pairs: [],
      notCompared: ["a: it is invalid on both sides"],
    });
  });

  test("what could be read on neither side is not taken for the same", () => {
    const damaged = { isDamaged: true };
    expect(outline(pairDefinitions(side("old", ["a"], damaged), side("new", ["a"], damaged)))).toEqual({
      pairs: ["old new a"],
      notCompared: ["(unknown): parts of old and new could not be read and may be a definition"],
    });
  });

  test("what may be in a part that could not be read is neither new nor gone", () => {
    const damaged = { isDamaged: true };
    expect(outline(pairDefinitions(side("old", ["a", "b"]), side("new", ["b", "c"], damaged)))).toEqual({
      pairs: ["old new b", "- new c"],
      notCompared: ["a: a part of new, which may have it, could not be read"],
    });
  });
});
