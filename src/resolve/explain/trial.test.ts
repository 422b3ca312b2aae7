// Do changes help? What is removed with a request or an operator is gone, too; and every single change that helps is found.

import { describe, expect, test } from "vitest";
import { bundle } from "../../../test/catalog/lantern-catalog.ts";
import { explainedIn } from "../../../test/explanations/explained.ts";
import { helpfulSets, shortcomings } from "../../../test/explanations/help.ts";
import {
  constraint,
  needs,
  needsPackage,
  provides,
  request,
  running,
  scene,
  stocked,
} from "../../../test/worlds/scene.ts";
import type { Catalog, Property } from "../../model/catalog.ts";
import type { Problem, Request } from "../../model/problem.ts";
import { fixText } from "../../render/sentence/fix.ts";
import { flagsOf } from "../../render/sentence/flags.ts";
import { parseRange, type Range } from "../../semver/blang-range.ts";
import { changedByAll } from "../what-if.ts";
import { confirmed, solved } from "./trial.ts";
import { achievedBy } from "./why-not.ts";

const range = (text: string): Range => parseRange(text) as Range;

/** Fixes of the only item about a package, as flags; each has been tried. */
function fixesOf(problem: Problem, owner: string): readonly string[] {
  const [explained, ...more] = explainedIn(problem).filter(({ item }) =>
    "request" in item ? item.request.package === owner : item.package === owner,
  );
  expect(more).toEqual([]);
  const known = explained as NonNullable<typeof explained>;
  return known.explanation.fixes.map((fix) => {
    const { changes } = fix;
    const text = fixText(fix);
    expect({ text, faults: shortcomings(known, changes) }).toEqual({ text, faults: [] });
    return changes.map((change) => flagsOf(change).join(" ") || `${change.kind}`).join(" ");
  });
}

/** Single changes that help, found by trying all, as flags. */
function helpingAlone(problem: Problem): readonly string[] {
  const [explained] = explainedIn(problem);
  const sets = helpfulSets(explained as NonNullable<typeof explained>, 1);
  return sets.map((changes) => changes.flatMap(flagsOf).join(" ")).sort();
}

/** Requests for one package that agree, by numbers. */
function crowd(owner: string, count: number, more: Partial<Request>): readonly Request[] {
  return Array.from({ length: count }, (_, index) =>
    request(owner, { id: `here/${owner}-${index}`, name: `${owner}-${index}`, ...more }),
  );
}

describe("dropping a request", () => {
  /** `b` 1.0.0 is skipped: it can only be had by its name. */
  function skipping(): Catalog {
    return stocked({ a: { "1.0.0": [needs("K")] } }, {}, [
      { schema: "olm.package", name: "b", defaultChannel: "stable" },
      {
        schema: "olm.channel",
        package: "b",
        name: "stable",
        entries: [{ name: "b.v2.0.0", skips: ["b.v1.0.0"] }, { name: "b.v1.0.0" }],
      },
      bundle("b", "1.0.0", [plain(provides("K"))]),
      bundle("b", "2.0.0"),
    ]);
  }

  test("takes a skipped bundle away that only the request could have", () => {
    const requests = [
      ...crowd("b", 3, { range: range(">=2.0.0") }),
      request("b", { startingCSV: "b.v1.0.0" }),
      request("a"),
    ];
    const problem = scene({ catalogs: [skipping()], requests });
    expect(changedByAll(problem, [{ kind: "drop", package: "b" }]).requests).toHaveLength(1);
    expect(fixesOf(problem, "a").filter((flags) => flags.includes("--drop b"))).toEqual([]);
  });

  test("removes a provider that has no replacement while a catalog is unavailable", () => {
    const catalogs = [
      stocked({ a: { "1.0.0": [needs("K")] } }),
      stocked({ b: { "1.0.0": [provides("K")], "2.0.0": [] } }, { name: "second" }),
    ];
    const requests = [
      ...crowd("b", 3, { range: range(">=2.0.0") }),
      request("b", { range: range("<2.0.0") }),
      request("a"),
    ];
    const unavailable = [{ name: "lost", priority: 1, reason: "it does not answer" }];
    const problem = scene({ catalogs, requests, unavailable });
    expect(fixesOf(problem, "a")).not.toContain("--drop b");
    // If no request depended on that catalog, it would be advice.
    const patient = scene({ catalogs, requests, unavailable }, { ignoreUnavailable: true });
    expect(fixesOf(patient, "a")).toContain("--drop b");
  });
});

function plain({ type, value }: Property): { readonly type: string; readonly value: Property["value"] } {
  return { type, value };
}

describe("versions of Kubernetes", () => {
  const atLeast = (minKubeVersion: string): Property => ({ type: "olm.csv.metadata", value: { minKubeVersion } });
  const node = { properties: [{ type: "kubernetes.version", value: "1.28.1" }] };
  const deep = {
    a: { "1.0.0": [atLeast("1.30.0"), needsPackage("d")] },
    d: { "1.0.0": [atLeast("1.33.0")] },
  };
  const broad = {
    a: { "1.0.0": [needsPackage("c"), needsPackage("d")] },
    c: { "1.0.0": [atLeast("1.30.0")] },
    d: { "1.0.0": [atLeast("1.33.0")] },
  };

  test.each([
    ["a dependency", deep],
    ["two dependencies", broad],
  ])("are not combined for %s: two upgrades at once are none", (_, packages) => {
    const problem = scene({ node, catalogs: [stocked(packages)], requests: [request("a")] });
    expect(fixesOf(problem, "a").filter((flags) => flags.split("--kube-version").length > 2)).toEqual([]);
  });

  test.each([
    ["a dependency", deep],
    ["two dependencies", broad],
  ])("the one that is enough for all is found: %s", (_, packages) => {
    const problem = scene({ node, catalogs: [stocked(packages)], requests: [request("a")] });
    expect(fixesOf(problem, "a")).toEqual(["--kube-version 1.33.0"]);
  });
});

describe("a package that is to be removed", () => {
  const removed = { removed: ["p"], gone: [running("p.v1.0.0", [provides("K")])], requests: [request("a")] };

  test.each([
    ["that a catalog still has", { p: { "1.0.0": [provides("K")] } }],
    ["that no catalog has", {}],
  ])("%s may be the only provider", (_, more) => {
    const problem = scene({ catalogs: [stocked({ a: { "1.0.0": [needs("K")] }, ...more })], ...removed });
    expect(fixesOf(problem, "a")[0]).toBe("release");
    const [explained] = explainedIn(problem);
    expect(explained?.explanation.fixes.map(fixText)[0]).toBe("do not remove p");
  });

  test("is not released if it is unrelated", () => {
    const problem = scene({ catalogs: [stocked({ a: { "1.0.0": [needs("L")] } })], ...removed });
    expect(fixesOf(problem, "a")).not.toContain("release");
  });
});

describe("where two answers are equally good", () => {
  const [older, newer] = [needsPackage("q", "<2.0.0"), needsPackage("q", ">=2.0.0")];
  const problem = scene({
    catalogs: [
      stocked({
        q: { "1.0.0": [], "2.0.0": [] },
        w: { "1.0.0": [], "2.0.0": [older] },
        a: { "1.0.0": [], "2.0.0": [newer] },
      }),
    ],
    // Only one of p and r can be repaired, and only one of a and w be updated.
    installed: [running("a.v1.0.0"), running("p.v1.0.0", [older]), running("r.v1.0.0", [newer]), running("w.v1.0.0")],
    requests: [request("w", { priority: 5, installed: "w.v1.0.0" }), request("a", { installed: "a.v1.0.0" })],
  });

  test("a single change is found, though not every one that would do", () => {
    const alone = helpingAlone(problem);
    expect(alone).toEqual(expect.arrayContaining(["--drop w", "--hold w", "--remove p"]));
    const fixes = fixesOf(problem, "a");
    expect(alone).toEqual(expect.arrayContaining([...fixes]));
    expect(fixes).toEqual(["--remove p"]);
  });
});

test("a version is named that is better than what it got, though a newer one would be possible", () => {
  // The catalog that comes first has the older version; another request needs the newer one.
  const catalogs = [stocked({ b: { "2.0.0": [] } }), stocked({ b: { "1.0.0": [] } }, { name: "other", priority: 1 })];
  const insisting = request("b", { id: "here/first", name: "first", priority: 1, startingCSV: "b.v2.0.0" });
  const problem = scene({ catalogs, requests: [insisting, request("b")] });
  expect(helpingAlone(problem)).toContain("--instead b@1.0.0");
  expect(fixesOf(problem, "b")).toContain("--instead b@1.0.0");
});

test("two runtime constraints can both be obstacles", () => {
  const forbids = (packageName: string): Property =>
    constraint({ package: { packageName, versionRange: ">=0.0.0" }, action: { id: "conflict" } });
  const entries = [forbids("x"), forbids("a"), forbids("a")].map((property) => ({ property, place: undefined }));
  const problem = scene({
    catalogs: [stocked({ a: { "1.0.0": [] } })],
    requests: [request("a")],
    runtime: { entries, problems: [] },
  });
  expect(fixesOf(problem, "a")).toEqual(["--without-constraint 2 --without-constraint 3"]);
});

test("when the time is over, nothing is tried any more", () => {
  const catalog = stocked({ a: { "1.0.0": [needsPackage("b", "<2.0.0")] }, b: { "1.0.0": [], "2.0.0": [] } });
  const problem = scene({
    catalogs: [catalog],
    requests: [request("b", { range: range("2.0.0"), priority: 1 }), request("a")],
  });
  const solution = solved(problem, () => false);
  const refused = solution.unsatisfied.find((one) => one.request.package === "a")?.request as Request;
  const looksBefore = (isLate: boolean): readonly [helps: boolean, looks: number] => {
    let looks = 0;
    const timed = {
      ...solution,
      isLate: () => {
        looks++;
        return isLate;
      },
    };
    const drop = { kind: "drop", package: "b" } as const;
    return [
      confirmed({ solution: timed, subject: { kind: "request", request: refused }, achieved: achievedBy(solution) }, [
        drop,
      ]) !== undefined,
      looks,
    ];
  };
  const [helps, looks] = looksBefore(false);
  expect([helps, looks > 1]).toEqual([true, true]);
  // Not even an attempt is begun.
  expect(looksBefore(true)).toEqual([false, 1]);
});
