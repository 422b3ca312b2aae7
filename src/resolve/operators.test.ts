import { expect, test } from "vitest";
import { bundle } from "../../test/catalog/lantern-catalog.ts";
import {
  constraint,
  gvk,
  needs,
  needsPackage,
  provides,
  request,
  running,
  scene,
  stocked,
} from "../../test/worlds/scene.ts";
import type { Catalog, Package } from "../model/catalog.ts";
import type { Hold, Problem } from "../model/problem.ts";
import { reasonText } from "../render/sentence/reason.ts";
import { parseRange, type Range } from "../semver/blang-range.ts";
import { resolve } from "./resolve.ts";

function reasons(problem: Problem): Readonly<Record<string, string>> {
  return Object.fromEntries(resolve(problem).operators.map((operator) => [operator.name, reasonText(operator)]));
}

test("a requested operator has its reason", () => {
  const catalogs = [stocked({ bell: { "1.0.0": [], "1.1.0": [] }, clock: { "1.0.0": [] } })];
  const range = parseRange("<1.1.0") as Range;
  expect(reasons(scene({ catalogs, requests: [request("bell"), request("clock")] }))).toEqual({
    "bell.v1.1.0": "requested; the newest in channel stable",
    "clock.v1.0.0": "requested; the only version in channel stable",
  });
  expect(reasons(scene({ catalogs, requests: [request("bell", { range })] }))).toEqual({
    "bell.v1.0.0": "requested; the only version in channel stable that matches <1.1.0",
  });
  expect(reasons(scene({ catalogs, requests: [request("bell", { startingCSV: "bell.v1.0.0" })] }))).toEqual({
    "bell.v1.0.0": "requested; the one that startingCSV names",
  });
});

test("a dependency names its requirers and requirements", () => {
  const optional = constraint({ ...gvk("Song"), action: { id: "require", optional: true } });
  const catalogs = [
    stocked({
      lantern: { "1.0.0": [needs("Fuel"), needsPackage("glass", ">=1.0.0 <2.0.0"), optional] },
      lamp: { "1.0.0": [needs("Fuel"), needs("Wick")] },
      oil: { "1.0.0": [provides("Fuel"), provides("Wick")], "1.1.0": [provides("Fuel"), provides("Wick")] },
      glass: { "1.0.0": [] },
      bird: { "1.0.0": [provides("Song")] },
    }),
  ];
  expect(reasons(scene({ catalogs, requests: [request("lantern")] }, { installOptional: true }))).toMatchObject({
    "oil.v1.1.0": "needed by lantern 1.0.0 for API Fuel",
    "glass.v1.0.0": "needed by lantern 1.0.0 in range >=1.0.0 <2.0.0; the only candidate",
    "bird.v1.0.0": "wished for by lantern 1.0.0 for API Song; the only candidate",
  });
  expect(reasons(scene({ catalogs, requests: [request("lantern"), request("lamp")] }))["oil.v1.1.0"]).toBe(
    "needed by lamp 1.0.0 and lantern 1.0.0 for APIs Fuel and Wick",
  );
});

test("a refused bundle is not a second candidate", () => {
  const deprecated = { type: "olm.deprecated", value: {} };
  const catalogs = [
    stocked({
      lantern: { "1.0.0": [needs("Fuel")] },
      oil: { "1.0.0": [provides("Fuel"), deprecated], "1.1.0": [provides("Fuel")] },
    }),
  ];
  expect(reasons(scene({ catalogs, requests: [request("lantern")] }))["oil.v1.1.0"]).toBe(
    "needed by lantern 1.0.0 for API Fuel; the only candidate",
  );
});

test("a long untrusted text is cut", () => {
  const range = Array.from({ length: 50 }, (_, index) => `1.${index}.0`).join(" || ");
  const catalogs = [stocked({ lantern: { "1.0.0": [needsPackage("oil", range)] }, oil: { "1.3.0": [] } })];
  expect(reasons(scene({ catalogs, requests: [request("lantern")] }))["oil.v1.3.0"]?.length).toBeLessThan(130);
});

test("an installed operator has the reason why it stays or is updated", () => {
  const catalogs = [stocked({ bell: { "1.0.0": [], "1.1.0": [] } })];
  const installed = [running("bell.v1.0.0")];
  expect(reasons(scene({ catalogs, installed }))).toEqual({ "bell.v1.0.0": "stays: no Subscription claims it" });
  expect(reasons(scene({ catalogs, installed, requests: [request("bell", { installed: "bell.v1.0.0" })] }))).toEqual({
    "bell.v1.1.0": "newest reachable from 1.0.0 in channel stable (replaces)",
  });
});

test("two of many APIs are named; a range comes before them", () => {
  const kinds = ["Fuel", "Wick", "Spark", "Glow"];
  const catalogs = [
    stocked({
      lantern: { "1.0.0": [needsPackage("oil", ">=1.0.0"), ...kinds.map((kind) => needs(kind))] },
      lamp: { "1.0.0": kinds.slice(0, 3).map((kind) => needs(kind)) },
      oil: { "1.0.0": kinds.map((kind) => provides(kind)) },
    }),
  ];
  expect(reasons(scene({ catalogs, requests: [request("lantern")] }))["oil.v1.0.0"]).toBe(
    "needed by lantern 1.0.0 in range >=1.0.0 and for APIs Fuel, Wick and 2 more APIs; the only candidate",
  );
  expect(reasons(scene({ catalogs, requests: [request("lamp")] }))["oil.v1.0.0"]).toBe(
    "needed by lamp 1.0.0 for APIs Fuel, Wick and 1 more API; the only candidate",
  );
});

test("the newest is only what is newest in the channel that is preferred", () => {
  const catalogs = [stocked({ bell: { "1.0.0": [], "1.1.0": [], "1.2.0": [] } })];
  const [catalog] = catalogs as [Catalog];
  const owner = catalog.packages.get("bell") as Package;
  const elsewhere = { ...catalog, packages: new Map([["bell", { ...owner, defaultChannel: "fast" }]]) };
  expect(reasons(scene({ catalogs: [elsewhere], requests: [request("bell")] }))).toEqual({
    "bell.v1.2.0": "requested; the first choice of channel stable",
  });
  expect(reasons(scene({ catalogs: [elsewhere], requests: [request("bell", { channel: "stable" })] }))).toEqual({
    "bell.v1.2.0": "requested; the newest in channel stable",
  });
});

test("the best possible candidate names the better one", () => {
  const catalogs = [
    stocked({
      bell: { "1.0.0": [], "1.1.0": [], "1.2.0": [needs("Bronze")] },
      clock: { "1.0.0": [needsPackage("bell", "1.0.0")] },
    }),
  ];
  expect(reasons(scene({ catalogs, requests: [request("bell")] }))["bell.v1.1.0"]).toBe(
    "requested; best version possible; 1.2.0 is not possible",
  );
  expect(reasons(scene({ catalogs, requests: [request("bell"), request("clock")] }))["bell.v1.0.0"]).toBe(
    "requested; best version possible; 1.2.0 and 1 more are not possible",
  );
});

test("a held operator names its hold", () => {
  const catalogs = [stocked({ bell: { "1.0.0": [], "1.1.0": [] } })];
  const held = (hold: Hold, name = "bell.v1.0.0"): string | undefined =>
    reasons(
      scene({ catalogs, installed: [running(name, [], { hold })], requests: [request("bell", { installed: name })] }),
    )[name];
  const approval = { by: "approval", text: "its Subscription asks for approval" } as const;
  expect(held({ by: "condition", text: "busy" })).toBe("stays: its OperatorCondition has Upgradeable=False (busy)");
  expect(held({ by: "flag", text: "--hold bell" })).toBe("stays: --hold bell");
  expect(held(approval)).toBe("stays: its Subscription asks for approval");
  expect(held(approval, "bell.v1.1.0")).toBe("stays: no update is available");
});

test("a pending approval names its update", () => {
  const catalogs = [
    stocked({
      auto: { "1.0.0": [], "1.1.0": [], "1.2.0": [needsPackage("man", ">=1.1.0")] },
      man: { "1.0.0": [], "1.1.0": [] },
    }),
  ];
  const man = request("man", { installed: "man.v1.0.0", approval: "Manual" });
  const world = (auto: string): Problem =>
    scene({
      catalogs,
      installed: [running(auto), running("man.v1.0.0")],
      requests: [request("auto", { installed: auto }), man],
    });
  expect(reasons(world("auto.v1.1.0"))).toEqual({
    "auto.v1.1.0": "stays: its update to 1.2.0 waits for the approval of man",
    "man.v1.0.0": "stays: its update to 1.1.0 waits for approval",
  });
  const skipping = { ...world("auto.v1.0.0"), catalogs: [stocked({}, {}, SKIPPING)] };
  expect(reasons(skipping)["auto.v1.1.0"]).toBe(
    "best version possible from 1.0.0 (replaces); 1.2.0 waits for the approval of man",
  );
});

/** The same packages; auto 1.2.0 can be reached from 1.0.0 as well. */
const SKIPPING = [
  ...["auto", "man"].map((name) => ({ schema: "olm.package", name, defaultChannel: "stable" })),
  {
    schema: "olm.channel",
    package: "auto",
    name: "stable",
    entries: [
      { name: "auto.v1.2.0", replaces: "auto.v1.1.0", skips: ["auto.v1.0.0"] },
      { name: "auto.v1.1.0", replaces: "auto.v1.0.0" },
    ],
  },
  {
    schema: "olm.channel",
    package: "man",
    name: "stable",
    entries: [{ name: "man.v1.1.0", replaces: "man.v1.0.0" }],
  },
  bundle("auto", "1.1.0"),
  bundle("auto", "1.2.0", [{ type: "olm.package.required", value: { packageName: "man", versionRange: ">=1.1.0" } }]),
  bundle("man", "1.1.0"),
];
