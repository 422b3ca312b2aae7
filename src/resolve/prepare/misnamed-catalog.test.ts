import { expect, test } from "vitest";
import { given, PLACE, subscription } from "../../../test/resolve/prepare-given.ts";
import { stocked } from "../../../test/worlds/scene.ts";
import type { CatalogSource } from "../../model/catalog-source.ts";
import type { Subscription } from "../../model/subscription.ts";
import { byName } from "../../render/sentence/names.ts";
import { warningText } from "../../render/sentence/warning.ts";
import { misnamedCatalog } from "./catalogs-in-reach.ts";
import type { Given } from "./problem-inputs.ts";

const CATALOG = stocked({ lamp: { "1.0.0": [] }, bell: { "1.0.0": [] } }, { name: "my-catalog" });

function warningFor(
  subscriptions: readonly Subscription[],
  more: Partial<Given> = {},
  sources: readonly string[] = [],
) {
  const catalogSources = sources.map(
    (name) => ({ place: PLACE, namespace: "olm", name, priority: 0 }) as CatalogSource,
  );
  const all = given({ subscriptions, catalogSources }, { catalogs: [CATALOG], ...more });
  const warning = misnamedCatalog(all, "./my-catalog");
  return warning && warningText(warning, byName);
}

test("the only catalog has a name that nothing uses: the name that was meant is that of the Subscriptions", () => {
  const message =
    "Subscription ns/lamp names the catalog harbour, and the only one that was given is called my-catalog; if it is that one, name it: --catalog harbour=./my-catalog";
  expect(warningFor([subscription("lamp")])).toBe(message);
  expect(warningFor([subscription("lamp")], {}, ["harbour"])).toBe(message);
});

test("the name is used, but in another namespace: the one that was meant is named with its namespace", () => {
  const catalogs = [stocked({ lamp: { "1.0.0": [] } }, { name: "harbour", namespace: "far" })];
  expect(warningFor([subscription("lamp")], { catalogs })).toBe(
    "Subscription ns/lamp names the catalog olm/harbour, and the only one that was given is called far/harbour; if it is that one, name it: --catalog olm/harbour=./my-catalog",
  );
  expect(warningFor([subscription("lamp", { sourceNamespace: "far" })], { catalogs })).toBeUndefined();
  const plain = [stocked({ lamp: { "1.0.0": [] } }, { name: "harbour" })];
  expect(warningFor([subscription("lamp")], { catalogs: plain })).toBeUndefined();
});

test("with more than one source it is the one whose packages the catalog has", () => {
  const subscriptions = [
    subscription("else", { source: "community" }),
    subscription("lamp"),
    subscription("bell"),
    subscription("lamp", { name: "other", source: "community" }),
  ];
  expect(warningFor(subscriptions)).toContain("Subscription ns/lamp and 1 more name the catalog harbour");
});

test("no warning if the name is used, is unambiguous, or is certainly another catalog", () => {
  expect(warningFor([subscription("lamp"), subscription("bell", { source: "my-catalog" })])).toBeUndefined();
  expect(warningFor([subscription("lamp")], {}, ["my-catalog"])).toBeUndefined();
  expect(warningFor([subscription("horn")])).toBeUndefined();
  expect(warningFor([subscription("lamp", { namespace: "far" })])).toBeUndefined();
  expect(warningFor([subscription("lamp")], { catalogs: [CATALOG, stocked({})] })).toBeUndefined();
  expect(warningFor([subscription("lamp")], { unavailable: [{ name: "x", priority: 0, reason: "" }] })).toBeUndefined();
  expect(warningFor([])).toBeUndefined();
});
