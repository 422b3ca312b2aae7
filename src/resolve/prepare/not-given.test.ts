import { describe, expect, test } from "vitest";
import { catalogOf } from "../../../test/catalog/lantern-catalog.ts";
import {
  given,
  operator,
  operatorGroup,
  PLACE,
  packageDocuments,
  recorded,
  subscription,
} from "../../../test/resolve/prepare-given.ts";
import type { CatalogSource } from "../../model/catalog-source.ts";
import type { ClusterObjects } from "../../model/cluster-objects.ts";
import type { Place } from "../../model/place.ts";
import { DEFAULT_OPTIONS } from "../../model/problem.ts";
import { byName } from "../../render/sentence/names.ts";
import { warningText } from "../../render/sentence/warning.ts";
import { unavailableCatalogs } from "./not-given.ts";
import { prepareProblems } from "./prepare-problems.ts";
import type { Given } from "./problem-inputs.ts";

interface ShownWarning {
  readonly code: string;
  readonly message: string;
  readonly place?: Place | undefined;
  readonly namespace?: string | undefined;
}

function warned(code: string, objects: Partial<ClusterObjects>, more: Partial<Given> = {}): readonly ShownWarning[] {
  const all = { operatorGroups: [operatorGroup()], ...objects };
  return prepareProblems(given(all, more)).warnings.flatMap((warning) => {
    const { place, namespace } = warning;
    const message = warningText(warning, byName);
    return warning.code === code ? [{ code, message, ...(place && { place }), ...(namespace && { namespace }) }] : [];
  });
}

describe("a Subscription whose operator was not given", () => {
  const subscriptions = [subscription("a", { installedCSV: "a.v1.0.0" })];

  test.each([false, true])("is reported at its status; compat %s", (compat) => {
    expect(warned("missing-operator", { subscriptions }, { options: { ...DEFAULT_OPTIONS, compat } })).toEqual([
      {
        code: "missing-operator",
        message:
          "Subscription ns/a says that a.v1.0.0 is installed, and no such ClusterServiceVersion was given: it is treated as new; give the installed operators too (kubectl get clusterserviceversions.operators.coreos.com -A -o yaml)",
        place: { ...PLACE, path: ["status", "installedCSV"] },
        namespace: "ns",
      },
    ]);
  });

  test.each<[string, Partial<ClusterObjects>, Partial<Given>]>([
    ["given", { installedOperators: [operator("a", "1.0.0")] }, {}],
    [
      "given, and removed as one of another package",
      { installedOperators: [recorded("b", "1.0.0", { name: "a.v1.0.0" })] },
      { removed: ["b"] },
    ],
    ["removed itself", {}, { removed: ["a"] }],
    [
      "of another namespace",
      { subscriptions: [subscription("a", { namespace: "far", installedCSV: "a.v1.0.0" })] },
      {},
    ],
    ["not installed", { subscriptions: [subscription("a")] }, {}],
  ])("%s: no warning", (_, objects, more) => {
    expect(warned("missing-operator", { subscriptions, ...objects }, more)).toEqual([]);
  });

  test.each<[string, Partial<ClusterObjects>, string]>([
    ["only a copy is there", { installedOperators: [operator("a", "1.0.0", { copied: true })] }, "was given"],
    ["it is elsewhere", { installedOperators: [operator("a", "1.0.0", { namespace: "far" })] }, "was given"],
    [
      "it cannot be used",
      { rejected: [{ place: PLACE, kind: "ClusterServiceVersion", namespace: "ns", name: "a.v1.0.0" }] },
      "cannot be used",
    ],
    [
      "a cluster did not return its kind",
      { lost: { words: new Map(), unseen: undefined, kinds: new Map([["ClusterServiceVersion", PLACE]]) } },
      "cannot be used",
    ],
  ])("%s", (_, objects, expected) => {
    expect(warned("missing-operator", { subscriptions, ...objects })).toMatchObject([
      { message: expect.stringContaining(expected) },
    ]);
  });
});

describe("catalogs that a cluster has and that were not given", () => {
  const source = (name: string, namespace = "olm"): CatalogSource => ({
    place: { ...PLACE, line: name.length },
    namespace,
    name,
    priority: 0,
    sourceType: "grpc",
  });
  const catalog = { ...catalogOf(packageDocuments("a", "1.0.0")), name: "harbour" };
  const catalogSources = [source("harbour"), source("partner"), source("workshop", "ns")];

  test("are reported once, with their names", () => {
    const subscriptions = [subscription("a"), subscription("b", { namespace: "far" })];
    expect(
      warned(
        "catalog-not-given",
        { catalogSources, subscriptions },
        { catalogs: [catalog], namespaces: ["far", "ns"] },
      ),
    ).toEqual([
      {
        code: "catalog-not-given",
        message: expect.stringContaining("that were not given: olm/partner, ns/workshop; "),
        place: { ...PLACE, line: 7 },
      },
    ]);
  });

  test("a namespace of a catalog must be that of the CatalogSource", () => {
    const of = (namespace: string) => ({ catalogs: [{ ...catalog, namespace }] });
    expect(warned("catalog-not-given", { catalogSources: [source("harbour")] }, of("olm"))).toEqual([]);
    expect(warned("catalog-not-given", { catalogSources: [source("harbour")] }, of("far"))).toHaveLength(1);
  });

  test("one that could not be loaded was given", () => {
    const unavailable = [{ name: "harbour", priority: 0, reason: "it is not there" }];
    expect(warned("catalog-not-given", { catalogSources: [source("harbour")] }, { unavailable })).toEqual([]);
  });

  test("without catalogs and Subscriptions, catalogs do not matter", () => {
    expect(warned("catalog-not-given", { catalogSources })).toEqual([]);
    expect(warned("catalog-not-given", { catalogSources, subscriptions: [subscription("a")] })).toHaveLength(1);
  });

  test("a long list is cut", () => {
    const many = Array.from({ length: 12 }, (_, index) => source(`c${index}`));
    expect(warned("catalog-not-given", { catalogSources: many }, { catalogs: [catalog] })).toMatchObject([
      { message: expect.stringContaining("olm/c9 and 2 more;") },
    ]);
  });
});

test("unavailable catalogs are reported for each namespace, with the reason", () => {
  const unavailable = [{ name: "partner", namespace: "olm", priority: 0, reason: "it is not there" }];
  const warningLines = (ignoreUnavailable: boolean) => {
    const options = { ...DEFAULT_OPTIONS, ignoreUnavailable };
    const { problems } = prepareProblems(given({}, { unavailable, namespaces: ["a", "b"], options }));
    return problems.map((problem) =>
      unavailableCatalogs(problem).map((one) => `${one.code}: ${warningText(one, byName)}`),
    );
  };
  const begin = "catalog-unavailable: catalog olm/partner is not available: it is not there; ";
  expect(warningLines(false)).toEqual(Array(2).fill([`${begin}what it might offer is not known`]));
  expect(warningLines(true)).toEqual(Array(2).fill([`${begin}the answer is made as if it did not exist`]));
});
