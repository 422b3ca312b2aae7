import { describe, expect, test } from "vitest";
import { definition, definitionObject, winch } from "../../test/crd/winch-definitions.ts";
import { bundleIn, catalogWith, packageOf, quay } from "../../test/plan/plan-step.ts";
import type { JsonObject } from "../model/json.ts";
import { type ClusterDefinition, DEFAULT_OPTIONS, type Problem } from "../model/problem.ts";
import { migrationsFor, withMigrations } from "./migration.ts";

const COMPAT = { ...DEFAULT_OPTIONS, compat: true };

function cluster(versions: readonly string[], stored: readonly string[]): ClusterDefinition {
  return { definition: definition(definitionObject(versions), stored), objects: [winch("v2", "a")] };
}

function problem(definitions: readonly ClusterDefinition[] | undefined, more: Partial<Problem> = {}): Problem {
  return quay([], { definitions, ...more });
}

describe("with all migrations done", () => {
  const stored = (versions: readonly string[], recorded: readonly string[]) =>
    withMigrations(problem([cluster(versions, recorded)])).definitions?.[0]?.definition.storedVersions;

  test("objects are stored in the storage version only", () => {
    expect(stored(["-v1", "v2*"], ["v1", "v2"])).toEqual(["v2"]);
    expect(stored(["-v1", "v2*"], ["v1"])).toEqual([]);
    expect(stored(["v1*", "v2"], ["v1"])).toEqual(["v1"]);
  });

  test.each([
    ["no version is the storage version", ["v1", "v2"]],
    ["two versions are", ["-v1", "v2*", "v3*"]],
    ["no version is served", ["-v1", "-v2*"]],
    ["the cluster no longer has a version in which objects may be stored", ["v2*"]],
  ])("nothing can be moved where %s", (_, versions) => {
    expect(stored(versions, ["v1", "v2"])).toEqual(["v1", "v2"]);
    const one = problem([cluster(versions, ["v1", "v2"])]);
    expect(withMigrations(one)).toBe(one);
  });

  test("what does not change stays the same object, and what changes is the same each time", () => {
    const [same, other] = [cluster(["v1*"], ["v1"]), cluster(["-v1", "v2*"], ["v1", "v2"])];
    const untouched = problem([same]);
    expect(withMigrations(untouched)).toBe(untouched);
    const first = withMigrations(problem([same, other])).definitions;
    const second = withMigrations(problem([other, same])).definitions;
    expect(first?.[0]).toBe(same);
    expect(first?.[1]).not.toBe(other);
    expect(second?.[0]).toBe(first?.[1]);
    expect(first?.[1]?.objects).toBe(other.objects);
    const list = [other];
    expect(withMigrations(problem(list)).definitions).toBe(withMigrations(problem(list)).definitions);
  });

  test("OLM has no migrations, and without definitions there is nothing to do", () => {
    for (const one of [problem([cluster(["-v1", "v2*"], ["v1", "v2"])], { options: COMPAT }), problem(undefined)])
      expect(withMigrations(one)).toBe(one);
  });
});

describe("bundles that take versions away", () => {
  const renamed = (object: JsonObject): JsonObject => ({ ...object, metadata: { name: "hoists.quay.example.com" } });
  const catalog = catalogWith(
    packageOf("winch", {
      "1.0.0": [definitionObject(["-v1", "-v2", "v3*"])],
      "2.0.0": [definitionObject(["-v2", "v3*"])],
      "3.0.0": [definitionObject(["v3*"])],
      "4.0.0": [definitionObject(["v4*"])],
    }),
    packageOf("hoist", { "1.0.0": [definitionObject(["-v1", "v3*"])], "2.0.0": [renamed(definitionObject(["v3*"]))] }),
  );
  const needed = (given: Problem, ...names: readonly string[]) =>
    migrationsFor(
      given,
      names.map((name) => bundleIn(catalog, name)),
    ).map(({ bundle, removed, storage, left }) => ({ bundle, removed, storage, left }));
  const three = problem([cluster(["-v1", "-v2", "v3*"], ["v1", "v2", "v3"])]);

  test("need those objects moved that may be stored there (seed 004: removing a version)", () => {
    expect(needed(three, "winch.v1.0.0")).toEqual([]);
    expect(needed(three, "winch.v2.0.0")).toEqual([
      { bundle: "winch.v2.0.0", removed: ["v1"], storage: "v3", left: ["v2", "v3"] },
    ]);
    expect(needed(three, "winch.v3.0.0")).toEqual([
      { bundle: "winch.v3.0.0", removed: ["v1", "v2"], storage: "v3", left: ["v3"] },
    ]);
    expect(migrationsFor(three, [bundleIn(catalog, "winch.v3.0.0")])[0]?.definition).toBe(three.definitions?.[0]);
  });

  test("cannot take the storage version away by a migration", () => {
    expect(needed(problem([cluster(["v3*"], ["v3"])]), "winch.v4.0.0")).toEqual([]);
    expect(needed(three, "winch.v4.0.0")).toMatchObject([{ removed: ["v1", "v2"], left: ["v3"] }]);
  });

  test("are counted together when installed together, in any order", () => {
    const both = [{ bundle: "hoist.v1.0.0", removed: ["v1", "v2"], storage: "v3", left: ["v3"] }];
    expect(needed(three, "winch.v2.0.0", "hoist.v1.0.0")).toEqual(both);
    expect(needed(three, "hoist.v1.0.0", "winch.v2.0.0")).toEqual(both);
  });

  test("may bring the kind under another name, as long as that name is free", () => {
    expect(needed(three, "hoist.v2.0.0")).toMatchObject([{ removed: ["v1", "v2"] }]);
    const hoists = { definition: definition(renamed(definitionObject(["v3*"])), ["v3"]), objects: undefined };
    expect(needed(problem([...(three.definitions ?? []), hoists]), "hoist.v2.0.0")).toEqual([]);
  });

  test("are sorted by the name of the definition", () => {
    const hoists = { definition: definition(renamed(definitionObject(["-v1", "v3*"])), ["v1"]), objects: undefined };
    const winches = three.definitions ?? [];
    const both = [bundleIn(catalog, "winch.v3.0.0"), bundleIn(catalog, "hoist.v2.0.0")];
    for (const definitions of [
      [hoists, ...winches],
      [...winches, hoists],
    ])
      expect(migrationsFor(problem(definitions), both).map((one) => one.definition.definition.name)).toEqual([
        "hoists.quay.example.com",
        "winches.quay.example.com",
      ]);
  });

  test("the storage version is included even if it was not recorded, each version once", () => {
    expect(needed(problem([cluster(["-v1", "v3*"], ["v1", "v1"])]), "winch.v3.0.0")).toEqual([
      { bundle: "winch.v3.0.0", removed: ["v1"], storage: "v3", left: ["v3"] },
    ]);
  });

  test("need nothing as OLM does it, or where nothing is known of the cluster", () => {
    expect(needed({ ...three, options: COMPAT }, "winch.v3.0.0")).toEqual([]);
    expect(needed(problem(undefined), "winch.v3.0.0")).toEqual([]);
  });
});
