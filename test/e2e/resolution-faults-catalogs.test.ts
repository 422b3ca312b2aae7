// What if a catalog hangs, answers garbage, shrinks, or is swapped with another one? Its last content counts, the status says so, and what is
// installed stays: nothing is ever concluded from a catalog that cannot be read.

import { expect, test } from "vitest";
import type { StoryBundle } from "../controller/resolution-story.ts";
import { LAMP } from "../controller/resolution-story.ts";
import { until } from "./controller/until.ts";
import { type ResolutionBed, resolutionBed, type Said, sameAsFreshStart, works } from "./resolution/bed.ts";
import type { CatalogLine } from "./resolution/catalog-line.ts";
import { type Namespace, openNamespace } from "./resolution/namespace.ts";

const bed: ResolutionBed = resolutionBed(LAMP);
const [OLD, , OIL] = LAMP as readonly [StoryBundle, StoryBundle, StoryBundle];
const NEXT: StoryBundle = { package: "lamp", version: "1.2.0", replaces: "1.1.0", provides: ["Lamp"] };
const STONE: StoryBundle = { package: "stone", version: "1.0.0" };

const UPDATE = ["update lamp.v1.1.0", "install oil.v0.1.0"];
const INSTALL = ["install lamp.v1.1.0", "install oil.v0.1.0"];
const IS_LONG = process.env.PLIMSOLL_LONG === "1";
const HANGS_MS = 150_000;

/** A namespace in which the lamp can be updated. */
async function begun(name: string): Promise<Namespace> {
  const namespace = await openNamespace(bed, name);
  await namespace.subscribe("lamp");
  await namespace.install(OLD);
  await works(bed, await bed.running());
  await namespace.reaches(UPDATE);
  return namespace;
}

function hasCatalogs(text: RegExp): (said: Said) => boolean {
  return ({ conditions }) => text.test(conditions.CatalogsReady ?? "");
}

const READY = hasCatalogs(/^True Ready: /);
const OUTDATED = /^False Outdated: olm\/harbour: .* \(its last known content is used\)$/;

/** The advice stays while the catalog has a fault, new requests get an answer of its last content, and all is well when it is back. */
async function keepsItsContent(name: string, fault: () => Promise<void> | void) {
  const namespace = await begun(name);
  await fault();
  const { advised } = await namespace.reaches(hasCatalogs(OUTDATED));
  expect(advised).toEqual(UPDATE);
  const late = await openNamespace(bed, `${name}-late`);
  await late.subscribe("lamp");
  await late.reaches(INSTALL);
  await bed.serve(bed.harbour, LAMP);
  for (const one of [namespace, late]) await one.reaches(READY);
  expect((await namespace.reaches(UPDATE)).outcome).toBe("Resolved");
  await sameAsFreshStart(bed);
}

test("the server answers garbage", () => keepsItsContent("garbage", () => bed.harbour.become("garbage")));

test("the server refuses connections", () => keepsItsContent("refuses", () => bed.harbour.become("refuses")));

test("the catalog is empty", () => keepsItsContent("empty", () => bed.serve(bed.harbour, [])));

test("the catalog comes back with fewer packages: what is installed stays", async () => {
  const namespace = await begun("fewer");
  await bed.serve(bed.harbour, [OIL]);
  const { status } = await namespace.reaches(["keep lamp.v1.0.0"]);
  expect(status.warnings).toMatchObject([{ code: "unknown-package" }]);
  await sameAsFreshStart(bed);
  await bed.serve(bed.harbour, LAMP);
  await namespace.reaches(UPDATE);
  await sameAsFreshStart(bed);
});

test("two CatalogSources swap their addresses: each has the content of its address, and never that of the other one", async () => {
  const namespace = await begun("swap");
  const quarry = await bed.catalog("quarry", [STONE]);
  const stone = await openNamespace(bed, "swap-stone");
  await stone.subscribe("stone", { source: "quarry" });
  await stone.reaches(["install stone.v1.0.0"]);
  const lead = async (name: string, { address }: CatalogLine): Promise<void> => {
    const path = `/apis/operators.coreos.com/v1alpha1/namespaces/olm/catalogsources/${name}`;
    await bed.cluster.call("PATCH", path, { spec: { address } });
  };
  await lead("harbour", quarry);
  await lead("quarry", bed.harbour);
  // The same operators are advised while neither of the two is read.
  const isUnknown = ({ status }: Said): boolean => JSON.stringify(status.warnings ?? []).includes("unknown-package");
  await namespace.reaches(
    (said) => READY(said) === true && isUnknown(said) && said.advised.join() === "keep lamp.v1.0.0",
  );
  await stone.reaches((said) => READY(said) === true && said.advised.length === 0);
  await sameAsFreshStart(bed);
  await lead("quarry", quarry);
  await lead("harbour", bed.harbour);
  await namespace.reaches(UPDATE);
  await stone.reaches(["install stone.v1.0.0"]);
  await sameAsFreshStart(bed);
});

test("a catalog that was never read leaves its Subscriptions undecided, and what is installed stays", async () => {
  const namespace = await begun("never");
  await bed.stopAll();
  bed.harbour.become("refuses");
  const other = await bed.run("one");
  const { outcome } = await namespace.reaches(["keep lamp.v1.0.0"]);
  expect(outcome).toBe("Undecided");
  await namespace.reaches(hasCatalogs(/^False NotRead: olm\/harbour: /));
  await until("the event is there", async () => (await namespace.events()).includes("lamp Undecided") || undefined);
  await bed.serve(bed.harbour, LAMP);
  await namespace.reaches(UPDATE);
  expect(other.log.filter(({ level }) => level === "error")).toEqual([]);
  await sameAsFreshStart(bed);
});

test("the server hangs: other requests are answered meanwhile, and it is read again when it answers", async () => {
  const namespace = await begun("hangs");
  bed.harbour.become("hangs");
  await until("the catalog is asked", () => bed.harbour.asked > 0 || undefined);
  const meanwhile = await openNamespace(bed, "hangs-meanwhile");
  await meanwhile.subscribe("lamp");
  await meanwhile.reaches(INSTALL);
  // That a silent connection is given up takes a minute.
  if (IS_LONG) expect((await namespace.reaches(hasCatalogs(OUTDATED), HANGS_MS)).advised).toEqual(UPDATE);
  await bed.serve(bed.harbour, [...LAMP, NEXT]);
  await meanwhile.reaches(["install lamp.v1.2.0"]);
  await sameAsFreshStart(bed);
});
