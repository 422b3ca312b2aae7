// What is better for a ClusterExtension than what is installed, and does the reason for it say so truly?

import { describe, expect, test } from "vitest";
import { running, scene, stocked } from "../../test/worlds/scene.ts";
import type { Catalog } from "../model/catalog.ts";
import type { JsonObject } from "../model/json.ts";
import { CLUSTER_SCOPE, type ExtensionTerms, type Installed, type Problem } from "../model/problem.ts";
import { reasonText } from "../render/sentence/reason.ts";
import { resolve } from "./resolve.ts";

const V1: Installed = { ...running("x.v1.0.0"), namespace: CLUSTER_SCOPE };

function problemOf(catalogs: readonly Catalog[], installed?: Installed, terms: Partial<ExtensionTerms> = {}): Problem {
  const extension = { channels: [], policy: "CatalogProvided", crdUpgradeSafety: "Strict", ...terms } as const;
  const request = { id: "x", name: "x", priority: 0, package: "x", approval: "Automatic", extension } as const;
  return scene({
    namespace: CLUSTER_SCOPE,
    scope: "cluster",
    catalogs,
    requests: [{ ...request, installed: installed?.name }],
    installed: installed === undefined ? [] : [installed],
  });
}

function deprecating(...names: readonly string[]): JsonObject {
  const entries = names.map((name) => ({ reference: { schema: "olm.bundle", name }, message: "old" }));
  return { schema: "olm.deprecations", package: "x", entries };
}

/** A catalog with versions of x, each replacing the one before. */
function catalog(name: string, priority: number, versions: readonly string[], ...old: readonly string[]): Catalog {
  const contents = Object.fromEntries(versions.map((version) => [version, []]));
  return stocked({ x: contents }, { name, priority }, old.length === 0 ? [] : [deprecating(...old)]);
}

const answers = (problem: Problem): readonly string[] =>
  [false, true].flatMap((olmv1) =>
    resolve({ ...problem, options: { ...problem.options, olmv1 } }).operators.map(
      (one) => `${one.name}: ${reasonText(one)}`,
    ),
  );

describe("a newer version of another catalog", () => {
  const low = catalog("low", 0, ["1.0.0", "2.0.0"]);

  test("does not count if its priority is lower than that of one that has the installed version", () => {
    const stays = "x.v1.0.0: stays: no update is available";
    expect(answers(problemOf([catalog("high", 5, ["1.0.0"]), low], V1))).toEqual([stays, stays]);
  });

  test("counts if no catalog of a higher priority has the installed version", () => {
    const moves = "x.v2.0.0: newest reachable from 1.0.0 in channel stable (replaces)";
    expect(answers(problemOf([catalog("high", 5, ["3.0.0"]), low], V1))).toEqual([moves, moves]);
  });

  test("counts if the installed version is deprecated and it is not", () => {
    const [first] = answers(problemOf([catalog("high", 5, ["1.0.0"], "x.v1.0.0"), low], V1));
    expect(first).toBe("x.v2.0.0: newest reachable from 1.0.0 in channel stable (replaces)");
  });
});

describe("a version that is not the newest is not called that", () => {
  const old = catalog("a", 0, ["1.0.0", "1.1.0"], "x.v1.1.0");

  test("if the newest is deprecated", () => {
    const first = "x.v1.0.0: requested; the first choice of channel stable";
    expect(answers(problemOf([old]))).toEqual([first, first]);
  });

  test("nor is it after an update", () => {
    const entries = ["1.1.0", "1.2.0"].map((version) => ({ name: `x.v${version}`, skips: ["x.v1.0.0"] }));
    const contents = { x: { "1.0.0": [], "1.1.0": [], "1.2.0": [] } };
    const a = stocked(contents, { name: "a" }, [
      { schema: "olm.channel", package: "x", name: "other", entries: [entries[0] ?? {}] },
      { schema: "olm.channel", package: "x", name: "third", entries: [entries[1] ?? {}] },
      deprecating("x.v1.2.0"),
    ]);
    const text =
      "x.v1.1.0: first choice from 1.0.0 in channel other (skips); newer ones are deprecated, or in a catalog that comes later";
    expect(answers(problemOf([a], V1, { channels: ["other", "third"] }))).toEqual([text, text]);
  });

  test("OLM v1 goes back without a range that demands it", () => {
    const newer = { ...running("x.v2.0.0"), namespace: CLUSTER_SCOPE };
    expect(answers(problemOf([old], newer, { policy: "SelfCertified" }))).toEqual([
      "x.v2.0.0: stays: no update is available",
      "x.v1.0.0: older than 2.0.0, but OLM v1 chooses it",
    ]);
  });
});
