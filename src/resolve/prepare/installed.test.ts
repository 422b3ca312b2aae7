// What does resolution see of a running operator? Cases H of the reference, by their ids.

import { describe, expect, test } from "vitest";
import { catalogOf } from "../../../test/catalog/lantern-catalog.ts";
import {
  given,
  operator,
  PLACE,
  packageDocuments,
  recorded,
  subscription,
} from "../../../test/resolve/prepare-given.ts";
import type { InstalledOperator } from "../../model/installed-operator.ts";
import { DEFAULT_OPTIONS, type Installed } from "../../model/problem.ts";
import type { Subscription } from "../../model/subscription.ts";
import { prepareProblems } from "./prepare-problems.ts";
import type { Given } from "./problem-inputs.ts";

/** The only operator of the namespace, as resolution sees it. */
function seen(
  one: InstalledOperator,
  subscriptions: readonly Subscription[] = [],
  more: Partial<Given> = {},
): Installed {
  const { problems } = prepareProblems(given({ installedOperators: [one], subscriptions }, more));
  return problems[0]?.installed[0] as Installed;
}

const api = (kind: string, group = "g") => ({ group, version: "v1", kind, plural: `${kind.toLowerCase()}s` });

describe("the package", () => {
  test("H01: no Subscription claims it", () => {
    expect(seen(operator("a", "1.2.3"))).toMatchObject({ package: undefined, properties: [] });
  });

  test("H02: a Subscription claims another", () => {
    expect(seen(operator("a", "1.2.3"), [subscription("x", { installedCSV: "b.v1.0.0" })])).toMatchObject({
      package: undefined,
      properties: [],
    });
  });

  test("H04: two claim it, for different packages", () => {
    const claims = [subscription("x", { installedCSV: "a.v1.2.3" }), subscription("y", { installedCSV: "a.v1.2.3" })];
    expect(seen(operator("a", "1.2.3"), claims)).toMatchObject({ package: undefined, properties: [] });
  });

  test.each([
    ["H05", {}],
    ["H06: from a catalog of another namespace", { sourceNamespace: "far" }],
  ])("%s: one claims it", (_, more) => {
    const one = seen(operator("a", "1.2.3"), [subscription("x", { installedCSV: "a.v1.2.3", ...more })]);
    expect(one.package).toBe("x");
    expect(one.properties).toEqual([{ type: "olm.package", value: { packageName: "x", version: "1.2.3" } }]);
  });

  test("two that claim it for one package are as good as one", () => {
    const claim = { installedCSV: "a.v1.2.3", package: "x" };
    expect(seen(operator("a", "1.2.3"), [subscription("s", claim), subscription("t", claim)]).package).toBe("x");
  });

  test("a claim in another namespace does not count", () => {
    const far = subscription("x", { installedCSV: "a.v1.2.3", namespace: "far" });
    expect(seen(operator("a", "1.2.3"), [far]).package).toBeUndefined();
  });

  const lamp = catalogOf(packageDocuments("lamp", "1.0.0"));
  const lanternDocuments = packageDocuments("lantern", "1.0.0");

  test("the only package of the catalogs with an entry of that name", () => {
    const one = seen(operator("lamp", "1.0.0"), [], { catalogs: [lamp] });
    expect(one.package).toBe("lamp");
    expect(one.properties).toEqual([{ type: "olm.package", value: { packageName: "lamp", version: "1.0.0" } }]);
  });

  test("not where two packages have such an entry, and never as OLM does it", () => {
    const [head, , lanternBundle] = lanternDocuments;
    const entries = [{ name: "lantern.v1.0.0", replaces: "lamp.v1.0.0" }, { name: "lamp.v1.0.0" }];
    const channel = { schema: "olm.channel", package: "lantern", name: "stable", entries };
    const other = catalogOf(
      [head, channel, lanternBundle].filter((document) => document !== undefined),
      "other",
    );
    expect(seen(operator("lamp", "1.0.0"), [], { catalogs: [lamp, other] }).package).toBeUndefined();
    const options = { ...DEFAULT_OPTIONS, compat: true };
    expect(seen(operator("lamp", "1.0.0"), [], { catalogs: [lamp], options }).package).toBeUndefined();
  });
});

describe("properties", () => {
  test("H08: of what it owns and requires, by value", () => {
    const one = operator("a", "1.0.0", {
      customResourceDefinitions: { owned: [api("Zeta"), api("Alpha")], required: [api("Need")] },
      apiServices: { owned: [api("Mid"), api("Alpha")], required: [api("Also", "a")] },
    });
    const gvk = (kind: string, group = "g") => ({ group, version: "v1", kind });
    expect(seen(one).properties).toEqual([
      { type: "olm.gvk", value: gvk("Alpha") },
      { type: "olm.gvk", value: gvk("Mid") },
      { type: "olm.gvk", value: gvk("Zeta") },
      { type: "olm.gvk.required", value: gvk("Also", "a") },
      { type: "olm.gvk.required", value: gvk("Need") },
    ]);
  });

  test("H09: exactly those that were recorded", () => {
    const properties = [{ type: "custom", value: 1n }];
    const one = operator("a", "1.0.0", {
      properties,
      propertiesText: "text",
      customResourceDefinitions: { owned: [api("Alpha")], required: [] },
    });
    expect(seen(one, [subscription("x", { installedCSV: "a.v1.0.0" })]).properties).toEqual(properties);
  });

  test("H10: derived where the annotation cannot be read, with a warning at its place", () => {
    const one = operator("a", "1.0.0", {
      propertiesText: "{",
      customResourceDefinitions: { owned: [api("Alpha")], required: [] },
    });
    const { problems, warnings } = prepareProblems(given({ installedOperators: [one] }));
    expect(problems[0]?.installed[0]?.properties).toHaveLength(1);
    expect(warnings).toMatchObject([
      {
        code: "unreadable-properties",
        namespace: "ns",
        place: { ...PLACE, path: ["metadata", "annotations", "operatorframework.io/properties"] },
      },
    ]);
  });

  test("H13: copies are not operators", () => {
    const { problems } = prepareProblems(
      given({
        installedOperators: [
          operator("a", "1.0.0", { copied: true }),
          operator("b", "1", { copied: true, namespace: "far" }),
        ],
      }),
    );
    expect(problems[0]).toMatchObject({ installed: [], elsewhere: [] });
  });
});

test("the version is read tolerantly, else it is that of the package", () => {
  expect(seen(operator("a", "v1.2")).version).toMatchObject({ major: 1, minor: 2, patch: 0 });
  expect(seen(recorded("a", "3.0.0", { version: undefined })).version).toMatchObject({ major: 3 });
  expect(seen(operator("a", "next")).version).toBeUndefined();
  const one = seen(operator("a", "next"), [subscription("x", { installedCSV: "a.vnext" })]);
  expect(one.properties).toEqual([{ type: "olm.package", value: { packageName: "x", version: "" } }]);
});
