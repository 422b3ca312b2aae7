// Does `--compat olmv1` say what OLM v1 says? Section O of the reference cases, each with its id; and what the resolver
// itself does where that is different.

import { describe, expect, test } from "vitest";
import { bundle } from "../../../test/catalog/lantern-catalog.ts";
import { explainedAnswer } from "../../../test/explanations/explained-answer.ts";
import { needs, needsPackage, running, scene, stocked } from "../../../test/worlds/scene.ts";
import type { Catalog, Package } from "../../model/catalog.ts";
import type { JsonObject } from "../../model/json.ts";
import { CLUSTER_SCOPE, type ExtensionTerms, type Installed, type Problem, type Request } from "../../model/problem.ts";
import { olmV1Text } from "../../render/sentence/olmv1.ts";
import { parseConstraint } from "../../semver/masterminds-range.ts";
import { readVersion } from "../../semver/version.ts";
import { type LabelledCatalog, selectorFault, selectsCatalog } from "../prepare/catalog-selector.ts";
import { extensionRequests, namedExtension } from "../prepare/extension-requests.ts";
import { resolve } from "../resolve.ts";
import { chooseAsOlmV1 } from "./choose.ts";

interface Asked extends Partial<Omit<ExtensionTerms, "versions">> {
  readonly version?: string;
}

function extension({ version, ...terms }: Asked = {}, installed?: string): Request {
  const versions = version === undefined ? undefined : parseConstraint(version);
  if (typeof versions === "string") throw new Error(versions);
  return {
    id: "x",
    name: "x",
    priority: 0,
    package: "x",
    approval: "Automatic",
    installed,
    extension: { channels: [], versions, policy: "CatalogProvided", crdUpgradeSafety: "Strict", ...terms },
  };
}

function installedAs(name: string, version: string): Installed {
  return { ...running(name), namespace: CLUSTER_SCOPE, package: "x", version: readVersion(version) };
}

/** What OLM v1 chooses, or its message. */
function olmV1(catalogs: readonly Catalog[], asked: Asked = {}, installed?: Installed): string {
  const choice = chooseAsOlmV1(extension(asked, installed?.name), installed, catalogs);
  return choice.kind === "chosen" ? `${choice.catalog.name}/${choice.bundle.name}` : olmV1Text(choice);
}

/** What the resolver chooses itself. */
function ours(catalogs: readonly Catalog[], asked: Asked = {}, installed?: Installed): Problem {
  return scene({
    namespace: CLUSTER_SCOPE,
    scope: "cluster",
    catalogs,
    requests: [extension(asked, installed?.name)],
    installed: installed === undefined ? [] : [installed],
  });
}

function chosenIn(problem: Problem): readonly string[] {
  return resolve(problem).operators.map(({ name }) => name);
}

const X = stocked({ x: { "1.0.0": [], "1.1.0": [], "2.0.0": [] } }, { name: "a" });

/** A catalog with entries as written, and bundles of these versions. */
function withChannel(name: string, entries: readonly JsonObject[], more: readonly JsonObject[] = []): Catalog {
  const versions = Object.fromEntries(entries.map((entry) => [String(entry.name).slice(3), []]));
  return stocked({ x: versions }, { name }, [
    { schema: "olm.channel", package: "x", name: "other", entries: [...entries] },
    ...more,
  ]);
}

function deprecating(...names: readonly string[]): JsonObject {
  const entries = names.map((name) => ({ reference: { schema: "olm.bundle", name }, message: "old" }));
  return { schema: "olm.deprecations", package: "x", entries };
}

describe("OLM v1, section O", () => {
  test("O01: a range that cannot be read", () => {
    const [request] = extensionRequests([given({ version: "foobar" })], [], [], []);
    const choice = chooseAsOlmV1(request as Request, undefined, [X]);
    expect(choice.kind === "chosen" ? "" : olmV1Text(choice)).toMatch(/^desired version range "foobar" is invalid: /);
  });

  test("O02: a package that no catalog has", () => {
    expect(olmV1([stocked({ y: { "1.0.0": [] } })])).toBe('no bundles found for package "x"');
  });

  test("O04: a version that is absent, and one that is present", () => {
    expect(olmV1([X], { version: "3.0.0" })).toBe('no bundles found for package "x" matching version "3.0.0"');
    expect(olmV1([X], { version: "1.0.0" })).toBe("a/x.v1.0.0");
  });

  test("O05: a channel that is absent, one that is present, and both filters", () => {
    const catalog = withChannel("a", [{ name: "x.v1.0.0" }, { name: "x.v1.1.0", replaces: "x.v1.0.0" }]);
    expect(olmV1([catalog], { channels: ["none", "gone"] })).toBe(
      'no bundles found for package "x" in channels [none gone]',
    );
    expect(olmV1([catalog], { channels: ["other"] })).toBe("a/x.v1.1.0");
    expect(olmV1([catalog], { channels: ["other"], version: "<1.1" })).toBe("a/x.v1.0.0");
    expect(olmV1([catalog], { channels: ["other"], version: "3.0.0" })).toBe(
      'no bundles found for package "x" matching version "3.0.0" in channels [other]',
    );
  });

  test("O06: an older version that is not deprecated wins over a newer one that is", () => {
    const catalog = stocked({ x: { "1.0.0": [], "2.0.0": [] } }, { name: "a" }, [deprecating("x.v2.0.0")]);
    expect(olmV1([catalog])).toBe("a/x.v1.0.0");
    expect(chosenIn(ours([catalog]))).toEqual(["x.v1.0.0"]);
  });

  test("O08: the only catalog in which it is not deprecated", () => {
    const versions = { x: { "2.0.0": [] } };
    const deprecated = ["b", "c"].map((name) => stocked(versions, { name, priority: 5 }, [deprecating("x.v2.0.0")]));
    const catalogs = [...deprecated, stocked({ x: { "1.0.0": [] } }, { name: "d" })];
    expect(olmV1(catalogs)).toBe("d/x.v1.0.0");
    expect(chosenIn(ours(catalogs))).toEqual(["x.v1.0.0"]);
  });

  test("O09: two catalogs of equal priority are an error; the resolver takes the first by name and says so", () => {
    const catalogs = ["c", "b"].map((name) => stocked({ x: { "1.0.0": [] } }, { name }));
    const message = 'found bundles for package "x" in multiple catalogs with the same priority [b c]';
    expect(olmV1(catalogs)).toBe(message);
    const { operators, warnings } = resolve(ours(catalogs));
    expect(operators.map(({ from }) => from?.catalog.name)).toEqual(["b"]);
    expect(warnings.map((one) => one.code === "olmv1-refuses" && olmV1Text(one.refusal))).toEqual([message]);
  });

  test("O10: the higher priority wins, even with a lower version", () => {
    const catalogs = [
      stocked({ x: { "2.0.0": [] } }, { name: "a" }),
      stocked({ x: { "1.0.0": [] } }, { name: "b", priority: 1 }),
    ];
    expect(olmV1(catalogs)).toBe("b/x.v1.0.0");
    expect(chosenIn(ours(catalogs))).toEqual(["x.v1.0.0"]);
  });

  test.each([
    ["replaces", { replaces: "x.v0.1.0" }],
    ["skips", { skips: ["x.v0.1.0"] }],
  ])("O12: a successor by %s; and the installed version itself", (_, edge) => {
    const installed = installedAs("x.v0.1.0", "0.1.0");
    const catalog = withChannel("a", [{ name: "x.v0.1.0" }, { name: "x.v1.0.0", ...edge }]);
    expect(olmV1([catalog], { channels: ["other"] }, installed)).toBe("a/x.v1.0.0");
    expect(olmV1([catalog], { channels: ["other"], version: "<1" }, installed)).toBe("a/x.v0.1.0");
    expect(chosenIn(ours([catalog], { channels: ["other"] }, installed))).toEqual(["x.v1.0.0"]);
    expect(chosenIn(ours([catalog], { channels: ["other"], version: "<1" }, installed))).toEqual(["x.v0.1.0"]);
  });

  test("O12: a successor by skipRange", () => {
    const installed = installedAs("x.v0.1.0", "0.1.0");
    const catalog = withChannel("a", [{ name: "x.v1.0.0", skipRange: ">=0.1.0 <1.0.0" }]);
    expect(olmV1([catalog], { channels: ["other"] }, installed)).toBe("a/x.v1.0.0");
    expect(chosenIn(ours([catalog], { channels: ["other"] }, installed))).toEqual(["x.v1.0.0"]);
  });

  test("O13: no successor", () => {
    const installed = installedAs("x.v0.1.0", "0.1.0");
    expect(olmV1([X], {}, installed)).toBe(
      'error upgrading from currently installed version "0.1.0": no bundles found for package "x"',
    );
    // The resolver leaves it as it is: it is within the terms.
    expect(chosenIn(ours([X], {}, installed))).toEqual(["x.v0.1.0"]);
    expect(resolve(ours([X], {}, installed)).outcome).toBe("Resolved");
  });

  test("O14: SelfCertified goes back, where the range demands it", () => {
    const installed = installedAs("x.v2.0.0", "2.0.0");
    const asked = { version: "1.x", policy: "SelfCertified" } as const;
    expect(olmV1([X], asked, installed)).toBe("a/x.v1.1.0");
    expect(chosenIn(ours([X], asked, installed))).toEqual(["x.v1.1.0"]);
    expect(chosenIn(ours([X], { policy: "SelfCertified" }, installed))).toEqual(["x.v2.0.0"]);
    const { outcome, unsatisfied } = resolve(ours([X], { version: "1.x" }, installed));
    expect({ outcome, kept: unsatisfied.map(({ kept }) => kept) }).toEqual({
      outcome: "Unsatisfiable",
      kept: ["x.v2.0.0"],
    });
  });

  test("O14: SelfCertified does not need an edge to move forwards", () => {
    const installed = installedAs("x.v1.0.0", "1.0.0");
    expect(chosenIn(ours([X], {}, installed))).toEqual(["x.v1.1.0"]);
    expect(chosenIn(ours([X], { policy: "SelfCertified" }, installed))).toEqual(["x.v2.0.0"]);
  });

  test("O14: where the range excludes what is installed, a newer version comes before an older one of a better catalog", () => {
    const older = stocked({ x: { "1.0.0": [] } }, { name: "a", priority: 5 });
    const newer = stocked({ x: { "2.0.0": [] } }, { name: "b" });
    const asked = { version: "!=1.1.0", policy: "SelfCertified" } as const;
    const installed = installedAs("x.v1.1.0", "1.1.0");
    expect(chosenIn(ours([older, newer], asked, installed))).toEqual(["x.v2.0.0"]);
    expect(chosenIn(ours([older], asked, installed))).toEqual(["x.v1.0.0"]);
    expect(olmV1([older, newer], asked, installed)).toBe("a/x.v1.0.0");
  });

  test("O16: build metadata makes another version", () => {
    const installed = installedAs("x.v2.0.0+1", "2.0.0+1");
    const catalog = stocked({ x: { "2.0.0": [], "3.0.0": [] } }, { name: "a" });
    expect(olmV1([catalog], {}, installed)).toMatch(/^error upgrading from currently installed version "2.0.0\+1": /);
    expect(chosenIn(ours([catalog], {}, installed))).toEqual(["x.v2.0.0+1"]);
  });

  test("O17: there are no chains: what the head skips is a successor", () => {
    const catalog = withChannel("a", [
      { name: "x.v2.0.0", skipRange: ">=1.0.0 <2.0.0" },
      { name: "x.v3.0.0", skips: ["x.v2.0.0"] },
    ]);
    const installed = installedAs("x.v1.0.0", "1.0.0");
    expect(olmV1([catalog], { channels: ["other"] }, installed)).toBe("a/x.v2.0.0");
    expect(chosenIn(ours([catalog], { channels: ["other"] }, installed))).toEqual(["x.v2.0.0"]);
    const subscription = { ...extension({}, "x.v1.0.0"), id: "here/x", channel: "other", extension: undefined };
    const v0 = scene({ catalogs: [catalog], requests: [subscription], installed: [running("x.v1.0.0")] });
    expect(chosenIn(v0)).toEqual(["x.v1.0.0"]);
  });

  test("O18: a selector that matches, one that does not, and an invalid one", () => {
    const labelled: readonly LabelledCatalog[] = [
      { name: "a", labels: { tier: "own" } },
      { name: "b", labels: {} },
    ];
    const matched = (selector: Selector): readonly string[] | undefined =>
      extensionRequests([given({ selector })], [], [], labelled)[0]?.extension?.catalogs;
    expect(matched({ matchLabels: { tier: "own" } })).toEqual(["a"]);
    expect(matched({ matchLabels: { "olm.operatorframework.io/metadata.name": "b" } })).toEqual(["b"]);
    expect(matched({ matchLabels: {} })).toBeUndefined();
    expect(matched({ matchLabels: { tier: "other" } })).toEqual([]);
    expect(olmV1([], { catalogs: [] })).toBe('no bundles found for package "x"');
    const [request] = extensionRequests(
      [given({ selector: { matchExpressions: [{ key: "tier", operator: "Near", values: [] }] } })],
      [],
      [],
      labelled,
    );
    const choice = chooseAsOlmV1(request as Request, undefined, [X]);
    expect(choice.kind === "chosen" ? "" : olmV1Text(choice)).toMatch(/^desired catalog selector is invalid: /);
  });

  test.each([
    ["olm.gvk.required", needs("Light")],
    ["olm.package.required", needsPackage("y")],
    ["olm.constraint", { type: "olm.constraint", value: { failureMessage: "no", gvk: {} } }],
  ])("O20, O21: a bundle with %s is an error, and the next best is not tried", (type, property) => {
    const catalog = stocked({ x: { "1.0.0": [], "2.0.0": [property] } }, { name: "a" });
    expect(olmV1([catalog])).toBe(
      `bundle "x.v2.0.0" has a dependency declared via property "${type}", which is currently not supported`,
    );
    // The resolver takes the best that is possible, and says what OLM v1 refuses.
    expect(chosenIn(ours([catalog]))).toEqual(["x.v1.0.0"]);
  });

  test("O20: the resolver brings the dependency, and says that OLM v1 would not", () => {
    const catalog = stocked({ x: { "1.0.0": [needsPackage("y")] }, y: { "1.0.0": [] } }, { name: "a" });
    const { operators, warnings } = explainedAnswer(ours([catalog]));
    expect(operators.map(({ name, generatedSubscription }) => [name, generatedSubscription])).toEqual([
      ["x.v1.0.0", undefined],
      ["y.v1.0.0", undefined],
    ]);
    expect(warnings.map(({ code }) => code)).toEqual(["olmv1-refuses"]);
  });

  test("a bundle in no channel is left out when the catalog is read, also for OLM v1", () => {
    const catalog = stocked({ x: { "1.0.0": [], "2.0.0": [] } }, { name: "a" }, [bundle("x", "3.0.0", [])]);
    expect(olmV1([catalog])).toBe("a/x.v2.0.0");
    expect(chosenIn(ours([catalog]))).toEqual(["x.v2.0.0"]);
  });

  test("a bundle in no channel that a catalog has: OLM v1 chooses it if no channel is named, the resolver never", () => {
    const owner = X.packages.get("x") as Package;
    const channels = new Map(
      [...owner.channels].map(([name, channel]) => {
        const entries = new Map([...channel.entries].filter(([entry]) => entry !== "x.v2.0.0"));
        return [name, { ...channel, entries }];
      }),
    );
    const catalog = { ...X, packages: new Map([["x", { ...owner, channels }]]) };
    expect(olmV1([catalog])).toBe("a/x.v2.0.0");
    expect(olmV1([catalog], { channels: ["stable"] })).toBe("a/x.v1.1.0");
    expect(chosenIn(ours([catalog]))).toEqual(["x.v1.1.0"]);
  });

  test("what is deprecated comes last also if something is installed", () => {
    const versions = { x: { "1.0.0": [], "2.0.0": [] } };
    const installed = installedAs("x.v1.0.0", "1.0.0");
    const newer = stocked(versions, { name: "a" }, [deprecating("x.v2.0.0")]);
    expect(olmV1([newer], {}, installed)).toBe("a/x.v1.0.0");
    expect(chosenIn(ours([newer], {}, installed))).toEqual(["x.v1.0.0"]);
    const both = stocked(versions, { name: "a" }, [deprecating("x.v1.0.0", "x.v2.0.0")]);
    expect(olmV1([both], {}, installed)).toBe("a/x.v2.0.0");
    expect(chosenIn(ours([both], {}, installed))).toEqual(["x.v2.0.0"]);
  });

  test("the range of a package that is named on the command line", () => {
    const asked = (range: string): Request =>
      namedExtension({ package: "x", range: { text: range } }, new Set(), undefined);
    const choice = chooseAsOlmV1(asked("<2.0.0"), undefined, [X]);
    expect(choice.kind === "chosen" && choice.bundle.name).toBe("x.v1.1.0");
    expect(chooseAsOlmV1(asked(">2.0.0"), undefined, [X])).toMatchObject({ kind: "no-bundles", version: ">2.0.0" });
  });

  test("as an answer: a catalog that was not read leaves it undecided, unless the selector does not match it", () => {
    const unavailable = [{ name: "b", priority: 0, reason: "no answer" }];
    const answerOf = (asked: Asked): readonly unknown[] => {
      const problem = { ...ours([], asked), unavailable };
      const { outcome, unsatisfied } = resolve({ ...problem, options: { ...problem.options, olmv1: true } });
      return [outcome, ...unsatisfied.map(({ undecided }) => undecided)];
    };
    expect(answerOf({})).toEqual(["Undecided", true]);
    expect(answerOf({ catalogs: ["a"] })).toEqual(["Unsatisfiable", false]);
  });

  test("as an answer: what no ClusterExtension claims stays", () => {
    const problem = { ...ours([X]), installed: [{ ...running("y.v1.0.0"), namespace: CLUSTER_SCOPE }] };
    const { operators } = resolve({ ...problem, options: { ...problem.options, olmv1: true } });
    expect(operators.map(({ name, action, reason }) => [name, action, reason.kind])).toEqual([
      ["x.v2.0.0", "install", "first-choice"],
      ["y.v1.0.0", "keep", "unclaimed"],
    ]);
  });

  test("as an answer: what OLM v1 refuses stays", () => {
    const catalog = stocked({ x: { "1.0.0": [], "2.0.0": [needs("Light")] } }, { name: "a" });
    const problem = ours([catalog], {}, installedAs("x.v1.0.0", "1.0.0"));
    const { outcome, operators, unsatisfied } = resolve({ ...problem, options: { ...problem.options, olmv1: true } });
    expect({
      outcome,
      operators: operators.map(({ name, action, reason }) => [name, action, reason.kind]),
      unsatisfied: unsatisfied.map(({ kept, explanation }) => [kept, explanation?.body.kind]),
    }).toEqual({
      outcome: "Unsatisfiable",
      operators: [["x.v1.0.0", "keep", "olmv1-error"]],
      unsatisfied: [["x.v1.0.0", "olmv1"]],
    });
  });

  /** The outcome, and for each request whether it is undecided. */
  const outcomeOf = (problem: Problem): readonly [string, readonly boolean[]] => {
    const { outcome, unsatisfied } = resolve({ ...problem, options: { ...problem.options, olmv1: true } });
    return [outcome, unsatisfied.map(({ undecided }) => undecided)];
  };

  test("as an answer: one undecided request leaves all undecided, as without --compat", () => {
    const problem = ours([X], { version: "9.x", catalogs: ["a"] });
    const other: Request = { ...extension(), id: "y", name: "y", package: "y" };
    const unread = { ...problem, requests: [...problem.requests, other], notGiven: [{ name: "b" }] };
    expect(outcomeOf(unread)).toEqual(["Undecided", [false, true]]);
    expect(outcomeOf(problem)).toEqual(["Unsatisfiable", [false]]);
  });

  test("as an answer: what was left out of a catalog may be what is missing", () => {
    const entries = [{ name: "x.v1.0.0" }, { name: "x.v2.0.0" }];
    const twoHeads = withChannel("a", entries);
    expect(outcomeOf(ours([twoHeads], { channels: ["other"] }))).toEqual(["Undecided", [true]]);
    expect(outcomeOf(ours([twoHeads], { channels: ["none"], catalogs: [] }))).toEqual(["Unsatisfiable", [false]]);
  });
});

interface Selector {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly { readonly key: string; readonly operator: string; readonly values: string[] }[];
}

function given({ version, selector }: { readonly version?: string; readonly selector?: Selector }) {
  return {
    place: { source: "x.yaml", line: 1, column: 1 },
    name: "x",
    priority: 0,
    packageName: "x",
    version,
    channels: [],
    catalogSelector: selector && { matchLabels: {}, matchExpressions: [], ...selector },
    upgradeConstraintPolicy: "CatalogProvided",
    crdUpgradeSafety: "Strict",
    terminating: false,
  };
}

describe("selectors", () => {
  const catalog = { name: "a", labels: { tier: "own" } };
  test.each([
    ["In", ["own"], true],
    ["In", ["other"], false],
    ["NotIn", ["own"], false],
    ["NotIn", ["other"], true],
    ["Exists", [], true],
    ["DoesNotExist", [], false],
  ])("%s %j", (operator, values, isMatch) => {
    const selector = { matchLabels: {}, matchExpressions: [{ key: "tier", operator, values }] };
    expect(selectorFault(selector)).toBeUndefined();
    expect(selectsCatalog(selector, catalog)).toBe(isMatch);
  });

  test.each([
    ["In", [], "needs-values"],
    ["Exists", ["x"], "has-values"],
    ["in", ["x"], "unknown-operator"],
  ])("%s %j is invalid", (operator, values, kind) => {
    const selector = { matchLabels: {}, matchExpressions: [{ key: "tier", operator, values }] };
    expect(selectorFault(selector)).toEqual({ kind, operator });
  });

  test("a label that every object inherits is none", () => {
    const selector = { matchLabels: {}, matchExpressions: [{ key: "constructor", operator: "Exists", values: [] }] };
    expect(selectsCatalog(selector, catalog)).toBe(false);
  });
});
