import { expect, test } from "vitest";
import { CatalogBuilder } from "../input/catalog/catalog-builder.ts";
import type { Catalog } from "../model/catalog.ts";
import { missingText } from "../render/sentence/not-in-catalog.ts";
import { type Found, find } from "./find.ts";
import type { Missing } from "./missing.ts";

/** A catalog of packages with one channel each: `{ lantern: { stable: ["lantern.v1.0.0"] } }`. */
function catalogOf(
  name: string,
  packages: Record<string, Record<string, readonly string[]>>,
  more: { readonly priority?: number; readonly namespace?: string } = {},
): Catalog {
  const builder = new CatalogBuilder({ name, priority: 0, ...more });
  const place = { source: `${name}.yaml`, line: 1, column: 1 };
  for (const [owner, channels] of Object.entries(packages)) {
    const defaultChannel = Object.keys(channels)[0] as string;
    builder.add({ schema: "olm.package", name: owner, defaultChannel }, place);
    const bundles = new Set<string>();
    for (const [channel, names] of Object.entries(channels)) {
      const entries = names.map((one, i) => ({ name: one, ...(i > 0 && { replaces: names[i - 1] as string }) }));
      builder.add({ schema: "olm.channel", package: owner, name: channel, entries }, place);
      for (const one of names) bundles.add(one);
    }
    for (const one of bundles) {
      const version = /v([0-9].*)$/.exec(one)?.[1] ?? "9.9.9";
      const properties = [{ type: "olm.package", value: { packageName: owner, version } }];
      builder.add({ schema: "olm.bundle", package: owner, name: one, image: "example.com/x:1", properties }, place);
    }
  }
  return builder.finish();
}

const main = catalogOf("main", {
  lantern: { stable: ["lantern.v1.0.0", "lantern.v1.1.0"], fast: ["lantern.v1.1.0"] },
  turbine: { "4.x/eu": ["turbine-v2.0.0+a"] },
  dock: { stable: ["shared", "dock.v1.0.0"] },
  berth: { stable: ["shared"] },
});
const spare = catalogOf("spare", {
  lantern: { stable: ["lantern.v1.0.0"], old: ["lantern.v0.9.0", "lantern.v1.0.0"] },
});
const catalogs = [spare, main];

function resultText(found: Found | Missing): string {
  switch (found.kind) {
    case "missing":
      return `${found.reason}: ${missingText(found)}`;
    case "overview":
      return `overview of ${found.catalogs.map(({ name }) => name).join(", ")}`;
    default: {
      const part = found.kind === "channel" ? found.channel.name : found.kind === "bundle" ? found.bundle.name : [];
      const also = found.alsoIn.length === 0 ? [] : `also in ${found.alsoIn.map(({ name }) => name).join(", ")}`;
      return [found.kind, found.catalog.name, found.package.name, part, also].flat().join(" ");
    }
  }
}

test.each([
  ["lantern", "package main lantern also in spare"],
  ["spare/lantern", "package spare lantern also in main"],
  ["lantern/fast", "channel main lantern fast"],
  ["lantern/old", "channel spare lantern old"],
  ["spare/lantern/stable", "channel spare lantern stable also in main"],
  ["turbine/4.x/eu", "channel main turbine 4.x/eu"],
  ["lantern.v1.1.0", "bundle main lantern lantern.v1.1.0"],
  ["lantern.v0.9.0", "bundle spare lantern lantern.v0.9.0"],
  ["lantern/lantern.v1.0.0", "bundle main lantern lantern.v1.0.0 also in spare"],
  ["lantern@1.1.0", "bundle main lantern lantern.v1.1.0"],
  ["lantern@v1.1", "bundle main lantern lantern.v1.1.0"],
  ["lantern@0.9.0", "bundle spare lantern lantern.v0.9.0"],
  ["spare/lantern@1", "bundle spare lantern lantern.v1.0.0 also in main"],
  ["turbine@2.0.0", "bundle main turbine turbine-v2.0.0+a"],
  ["dock/shared", "bundle main dock shared"],
])("%s is %s", (argument, expected) => {
  expect(resultText(find(catalogs, argument))).toBe(expected);
});

test("no argument means everything, by priority and name", () => {
  const first = catalogOf("zebra", {}, { priority: 10 });
  expect(resultText(find([spare, main, first], undefined))).toBe("overview of zebra, main, spare");
});

test("a catalog of higher priority is asked first", () => {
  const first = catalogOf("zebra", { lantern: { stable: ["lantern.v1.0.0"] } }, { priority: 10 });
  expect(resultText(find([spare, main, first], "lantern"))).toBe("package zebra lantern also in main, spare");
});

test("a channel wins over a package of a catalog that is called like a package", () => {
  const tricky = catalogOf("lantern", { stable: { stable: ["s.v1.0.0"] }, other: { stable: ["o.v1.0.0"] } });
  expect(resultText(find([main, tricky], "lantern/stable"))).toBe("channel main lantern stable");
  expect(resultText(find([main, tricky], "lantern/other"))).toBe("package lantern other");
});

test("catalogs with one name are distinguished by namespace", () => {
  const one = catalogOf("hub", { lantern: { stable: ["lantern.v1.0.0"] } }, { namespace: "a" });
  const two = catalogOf("hub", { turbine: { stable: ["turbine.v1.0.0"] } }, { namespace: "b" });
  expect(find([two, one], "b/hub/turbine")).toMatchObject({ kind: "package", catalog: two });
  expect(find([two, one], "hub/lantern")).toMatchObject({ kind: "package", catalog: one });
  expect(resultText(find([two, one], "b/hub/lantern"))).toContain('no package or bundle "lantern" in catalog b/hub');
});

test("a bundle name in two packages and a version of two bundles are ambiguous", () => {
  expect(resultText(find(catalogs, "shared"))).toMatchInlineSnapshot(
    `"ambiguous: "shared" is ambiguous, because bundles of different packages have this name; say which one: berth/shared, dock/shared"`,
  );
  const double = catalogOf("double", { twin: { stable: ["twin-v1.0.0+a", "twin-v1.0.0+b"] } });
  expect(resultText(find([double], "twin@1.0.0"))).toMatchInlineSnapshot(
    `"ambiguous: "twin@1.0.0" is ambiguous, because several bundles have this version; say which one: twin/twin-v1.0.0+b, twin/twin-v1.0.0+a"`,
  );
  expect(resultText(find([double], "twin@1.0.0+b"))).toBe("bundle double twin twin-v1.0.0+b");
});

test("a missing name is reported, with what was probably meant", () => {
  const near = ["lantrn", "lantrn/fast", "lantrn/nix", "lantern/fats", "lantern/quite-other", "lantern@1.1.1"];
  const far = ["lantern@77.0.0", "spar/lantern", "spare/lantrn", "lantern.v1.1.9", "something-else", "", "/", "@"];
  const odd = ["lantern/", "lantern@", "evil\u001b[2J", "x".repeat(500)];
  const answers = [...near, ...far, ...odd].map((argument) => resultText(find(catalogs, argument)));
  expect(answers.join("\n")).toMatchInlineSnapshot(`
    "unknown: there is no package or bundle "lantrn" in the catalogs main, spare; did you mean lantern?
    unknown: there is no package or bundle "lantrn/fast" in the catalogs main, spare; did you mean lantern/fast?
    unknown: there is no package or bundle "lantrn/nix" in the catalogs main, spare; did you mean lantern?
    unknown: package lantern has no channel "fats"; it has fast, old, stable; did you mean lantern/fast?
    unknown: package lantern has no channel "quite-other"; it has fast, old, stable
    unknown: package lantern has no version "1.1.1"; it has 1.1.0, 1.0.0, 0.9.0; did you mean lantern@1.1.0?
    unknown: package lantern has no version "77.0.0"; it has 1.1.0, 1.0.0, 0.9.0; did you mean lantern@1.0.0?
    unknown: there is no package or bundle "spar/lantern" in the catalogs main, spare; did you mean spare/lantern?
    unknown: there is no package or bundle "lantrn" in catalog spare; did you mean spare/lantern?
    unknown: there is no package or bundle "lantern.v1.1.9" in the catalogs main, spare; did you mean lantern.v1.1.0?
    unknown: there is no package or bundle "something-else" in the catalogs main, spare; plimsoll show --catalog PATH lists the packages
    unknown: there is no package or bundle "" in the catalogs main, spare; plimsoll show --catalog PATH lists the packages
    unknown: there is no package or bundle "/" in the catalogs main, spare; plimsoll show --catalog PATH lists the packages
    unknown: there is no package or bundle "@" in the catalogs main, spare; plimsoll show --catalog PATH lists the packages
    unknown: package lantern has no channel ""; it has fast, old, stable
    unknown: package lantern has no version ""; it has 1.1.0, 1.0.0, 0.9.0
    unknown: there is no package or bundle "evil\\u001b[2J" in the catalogs main, spare; plimsoll show --catalog PATH lists the packages
    unknown: there is no package or bundle "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…" in the catalogs main, spare; plimsoll show --catalog PATH lists the packages"
  `);
  expect(resultText(find([], "lantern"))).toBe('unknown: there is no package or bundle "lantern"; there is no catalog');
  expect(find(catalogs, "lantrn/fast")).toMatchObject({ instead: ["lantern/fast"] });
});

test("names that are properties of every object are not found", () => {
  for (const argument of ["constructor", "__proto__", "toString/valueOf", "constructor@1.0.0"])
    expect(find(catalogs, argument).kind).toBe("missing");
});
