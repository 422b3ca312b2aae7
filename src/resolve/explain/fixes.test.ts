// What would help? For each kind of change a world in which it does, and worlds without any fix.

import { describe, expect, test } from "vitest";
import { explainedAnswer as resolve } from "../../../test/explanations/explained-answer.ts";
import { explanationText } from "../../../test/explanations/explanation-text.ts";
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
} from "../../../test/worlds/scene.ts";
import type { Property } from "../../model/catalog.ts";
import type { JsonObject } from "../../model/json.ts";
import type { Problem } from "../../model/problem.ts";
import { factTexts } from "../../render/sentence/fact.ts";
import { fixText } from "../../render/sentence/fix.ts";
import { flagsOf } from "../../render/sentence/flags.ts";
import { parseRange, type Range } from "../../semver/blang-range.ts";
import { changed } from "../what-if.ts";

/** The fixes for what is missing: text, and arguments of the command line. */
function advice(problem: Problem): readonly (readonly [text: string, flags: string])[] {
  const { unsatisfied, heldBack } = resolve(problem);
  return [...unsatisfied, ...heldBack].flatMap(({ explanation }) =>
    explanation.fixes.map((fix) => [fixText(fix), fix.changes.flatMap(flagsOf).join(" ")] as const),
  );
}

const range = (text: string): Range => parseRange(text) as Range;
const rule = (value: JsonObject): { readonly property: Property; readonly place: undefined } => ({
  property: constraint(value),
  place: undefined,
});

/** Two requests that need different versions of a third package. */
const rivals = {
  watch: { "1.0.0": [needsPackage("radar", "<2.0.0")] },
  scout: { "1.0.0": [needsPackage("radar", ">=2.0.0")] },
  radar: { "1.0.0": [], "2.0.0": [] },
};

describe("a request", () => {
  test("is possible without another", () => {
    const problem = scene({ catalogs: [stocked(rivals)], requests: [request("scout"), request("watch")] });
    expect(advice(problem)).toEqual([["drop the request for scout", "--drop scout"]]);
  });

  test("is possible with another version of the other", () => {
    const kinds = { "1.0.0": [provides("Kafka")], "1.1.0": [provides("Kafka")], "2.0.0": [], "2.1.0": [] };
    const catalog = stocked({ kogito: { "1.0.0": [needs("Kafka")] }, strimzi: kinds });
    const requests = [request("strimzi", { range: range(">1.1.0"), priority: 1 }), request("kogito")];
    expect(advice(scene({ catalogs: [catalog], requests }))).toEqual([
      ["ask for strimzi 1.1.0", "--instead strimzi@1.1.0"],
      ["drop the request for strimzi", "--drop strimzi"],
    ]);
  });

  test("is possible in another version: the best that works", () => {
    const bad = [needs("Nothing")];
    const catalog = stocked({ a: { "1.0.0": [], "1.1.0": [], "1.2.0": [], "2.0.0": bad, "2.1.0": bad } });
    const [first] = advice(scene({ catalogs: [catalog], requests: [request("a", { range: range(">=2.0.0") })] }));
    expect(first).toEqual(["ask for a 1.2.0", "--instead a@1.2.0"]);
  });

  test("is possible from another channel", () => {
    const old = { schema: "olm.channel", package: "a", name: "old", entries: [{ name: "a.v1.0.0" }] };
    const catalog = stocked({ a: { "1.0.0": [], "2.0.0": [needs("Nothing")] } }, {}, [old]);
    const requests = [request("a", { channel: "stable", range: range(">=2.0.0") })];
    expect(advice(scene({ catalogs: [catalog], requests }))).toEqual([
      ["ask for a 1.0.0", "--instead a@1.0.0:stable"],
      ["take a from channel old", "--instead a:old"],
      [
        "if the cluster has the API Nothing (example.com/v1), declare it",
        '--property olm.gvk:={"group":"example.com","kind":"Nothing","version":"v1"}',
      ],
    ]);
  });

  test("is possible from a catalog that is known to have it", () => {
    const catalogs = [stocked({ b: { "1.0.0": [] } }), stocked({ a: { "1.0.0": [] } }, { name: "other" })];
    const requests = [request("a", { catalog: { name: "main" } })];
    expect(advice(scene({ catalogs, requests }))).toEqual([["take a from catalog other", "--instead other/a"]]);
  });

  test("needs a fact of the cluster", () => {
    const dock = constraint({ propertyEquals: { name: "depth", value: 16 } });
    const problem = scene({ catalogs: [stocked({ dock: { "1.0.0": [dock] } })], requests: [request("dock")] });
    expect(advice(problem)).toEqual([["if the cluster has it, declare depth = 16", "--property depth:=16"]]);
  });

  test("needs a newer Kubernetes, and no newer than that", () => {
    const metadata = (minKubeVersion: string): Property => ({ type: "olm.csv.metadata", value: { minKubeVersion } });
    const versions = { "1.0.0": [metadata("1.30.0")], "2.0.0": [metadata("1.33.0")] };
    const node = { properties: [{ type: "kubernetes.version", value: "1.28.1" }] };
    const problem = scene({ catalogs: [stocked({ a: versions })], requests: [request("a")], node });
    expect(advice(problem)).toEqual([["upgrade the cluster to Kubernetes 1.30.0 or newer", "--kube-version 1.30.0"]]);
  });

  test("needs a newer Kubernetes by a CEL rule", () => {
    const rule = (compared: string): Property =>
      constraint({ cel: { rule: `properties.exists(p, p.type == "kubernetes.version" && ${compared})` } });
    const adviceFor = (compared: string, now: string | null = "1.28.1"): readonly (readonly [string, string])[] => {
      const node = { properties: now === null ? [] : [{ type: "kubernetes.version", value: now }] };
      return advice(
        scene({ catalogs: [stocked({ a: { "1.0.0": [rule(compared)] } })], requests: [request("a")], node }),
      );
    };
    const least = 'semver_compare(p.value, "1.30.0") >= 0';
    expect(adviceFor(least)).toEqual([["upgrade the cluster to Kubernetes 1.30.0 or newer", "--kube-version 1.30.0"]]);
    expect(adviceFor('semver_compare(p.value, "1.30.0") > 0')).toEqual([
      ["upgrade the cluster to Kubernetes 1.30.1 or newer", "--kube-version 1.30.1"],
    ]);
    expect(adviceFor(`${least} && semver_compare(p.value, "1.32.0") < 0`)).toEqual([
      ["upgrade the cluster to Kubernetes 1.30.0", "--kube-version 1.30.0"],
    ]);
    // Where the version is not known, the cluster may have it already.
    const given = "give the version of the cluster: --kube-version; Kubernetes 1.30.0 or newer would do";
    for (const unknown of [null, "newest"])
      expect(adviceFor(least, unknown)).toEqual([[given, "--kube-version 1.30.0"]]);
    // No cluster is taken back to an older version.
    expect(adviceFor('semver_compare(p.value, "1.27.0") <= 0')).toEqual([]);
  });

  test("is refused by the administrator", () => {
    const entries = [
      rule({ package: { packageName: "x", versionRange: ">=0.0.0" }, action: { id: "conflict" } }),
      rule({
        package: { packageName: "a", versionRange: ">=0.0.0" },
        action: { id: "conflict" },
        message: "no a here",
      }),
    ];
    const problem = scene({
      catalogs: [stocked({ a: { "1.0.0": [] } })],
      requests: [request("a")],
      runtime: { entries, problems: [] },
    });
    expect(advice(problem)).toEqual([
      ['if it no longer applies, lift the administrator\'s constraint 2 ("no a here")', "--without-constraint 2"],
    ]);
    // Where one was taken away, the others keep the numbers of the file, as the command has them.
    expect(advice(changed(problem, { kind: "without-constraint", number: 1 }))).toEqual(advice(problem));
  });

  test("needs two changes where one does not suffice", () => {
    const catalog = stocked({ a: { "1.0.0": [provides("One"), provides("Two")] }, ...rivals });
    const lower = { priority: -1 };
    const clash = { x: { "1.0.0": [provides("One")] }, y: { "1.0.0": [provides("Two")] } };
    const requests = [request("x"), request("y"), request("a", lower)];
    const problem = scene({ catalogs: [catalog, stocked(clash, { name: "more" })], requests });
    expect(advice(problem)).toEqual([["drop the request for x, and drop the request for y", "--drop x --drop y"]]);
  });

  test("an obstacle that appears after the first change is reported with the fix", () => {
    const catalog = stocked({
      a: { "1.0.0": [provides("One"), provides("Two")] },
      x: { "1.0.0": [provides("One")] },
      y: { "1.0.0": [provides("Two")] },
    });
    const requests = [request("x"), request("y"), request("a", { priority: -1 })];
    const [refused] = resolve(scene({ catalogs: [catalog], requests })).unsatisfied;
    const { explanation } = refused as NonNullable<typeof refused>;
    const text = explanationText(explanation);
    expect([text.includes("One"), text.includes("Two")]).toEqual([true, false]);
    expect(explanation.fixes.map(({ because }) => because && factTexts(because))).toEqual([
      [
        "only one operator can provide Two (example.com/v1), and both a 1.0.0 and y 1.0.0 do",
        "you asked for y, which is 1.0.0",
      ],
    ]);
  });

  test("what does not need to be removed for it stays", () => {
    const next = { schema: "olm.channel", package: "q", name: "next", entries: [{ name: "q.v2.0.0" }] };
    const bundle = { schema: "olm.bundle", package: "q", name: "q.v2.0.0" };
    const identity = { type: "olm.package", value: { packageName: "q", version: "2.0.0" } };
    const catalog = stocked({ a: { "1.0.0": [needs("Lamp")] }, q: { "1.0.0": [] } }, {}, [
      next,
      { ...bundle, properties: [identity, provides("Lamp")] } as unknown as JsonObject,
    ]);
    const problem = scene({
      catalogs: [catalog],
      requests: [request("a"), request("q", { channel: "stable", installed: "q.v1.0.0" })],
      installed: [running("q.v1.0.0")],
    });
    expect(advice(problem)).toEqual([
      [
        "if the cluster has the API Lamp (example.com/v1), declare it",
        '--property olm.gvk:={"group":"example.com","kind":"Lamp","version":"v1"}',
      ],
    ]);
    const [refused] = resolve(problem).unsatisfied;
    expect(refused?.explanation.fixes.map(({ because = [] }) => because)).toEqual([[]]);
  });

  test("the newest that fits comes first, at most two of a kind, and dropping the other is among them", () => {
    const channels = ["one", "three", "two"].map((name, index) => ({
      schema: "olm.channel",
      package: "a",
      name,
      entries: [{ name: `a.v${[1, 3, 2][index]}.0.0` }],
    }));
    const own = { "1.0.0": [], "2.0.0": [], "3.0.0": [], "4.0.0": [provides("Lamp")] };
    const catalogs = [
      stocked({ a: own, b: { "1.0.0": [], "2.0.0": [provides("Lamp")] } }, {}, channels),
      stocked({ a: { "1.0.0": [] } }, { name: "other" }),
      stocked({ a: { "1.5.0": [] } }, { name: "third" }),
    ];
    const four = { channel: "stable", range: range(">=4.0.0"), catalog: { name: "main" } };
    const requests = [request("b", { range: range("2.0.0"), priority: 1 }), request("a", four)];
    expect(advice(scene({ catalogs, requests }))).toEqual([
      ["ask for b 1.0.0", "--instead b@1.0.0"],
      ["ask for a 3.0.0", "--instead main/a@3.0.0:stable"],
      ["take a from channel three", "--instead main/a:three"],
      ["take a from channel two", "--instead main/a:two"],
      ["drop the request for b", "--drop b"],
    ]);
  });

  test("a constraint that its author mistyped: the correction is tried, too", () => {
    const adviceFor = (value: JsonObject, type = "olm.constraint"): readonly (readonly [string, string])[] => {
      const catalogs = [stocked({ a: { "1.0.0": [{ type, value }] }, b: { "1.0.0": [] } })];
      return advice(scene({ catalogs, requests: [request("a")] }));
    };
    const have = "have the constraints of a.v1.0.0 corrected: write";
    expect(adviceFor({ package: { packagName: "b", versionRange: ">=1.0.0" } })).toEqual([
      [`${have} "packageName" instead of "packagName"`, ""],
    ]);
    expect(adviceFor({ packageName: "b", versionRange: "^1.0.0" }, "olm.package.required")).toEqual([
      [`${have} ">=1.0.0 <2.0.0" instead of "^1.0.0"`, ""],
    ]);
    expect(adviceFor({ cel: { rule: "propertes.size() > 0 && propertes != []" } })).toEqual([
      [`${have} "properties.size() > 0 && properties != []" instead of "propertes.size() > 0 && propertes != []"`, ""],
    ]);
    // What would then be demanded must be there; what has no certain correction has none here.
    expect(adviceFor({ package: { packagName: "nowhere", versionRange: ">=1.0.0" } })).toEqual([]);
    expect(adviceFor({ package: { packagName: "b" } })).toEqual([]);
  });

  test("a name that was probably meant", () => {
    const catalogs = [stocked({ lantern: { "1.0.0": [], "2.0.0": [] }, buoy: { "1.0.0": [] } })];
    const requests = [request("lantren", { range: range("<2.0.0") }), request("buoy")];
    expect(advice(scene({ catalogs, requests }))).toEqual([
      ["ask for lantern@<2.0.0 instead of lantren", "--drop lantren --add lantern@<2.0.0"],
    ]);
    const both = [request("lantren"), request("lantern")];
    expect(advice(scene({ catalogs, requests: both }))).toEqual([]);
    // What is meant must be possible, too.
    const broken = [stocked({ lantern: { "1.0.0": [needs("Nothing")] } })];
    expect(advice(scene({ catalogs: broken, requests: [request("lantren")] })).map(([text]) => text)).toEqual([
      "ask for lantern instead of lantren, and if the cluster has the API Nothing (example.com/v1), declare it",
    ]);
  });

  test("the channel that was probably meant comes first", () => {
    const fast = { schema: "olm.channel", package: "a", name: "fast", entries: [{ name: "a.v2.0.0" }] };
    const slow = { schema: "olm.channel", package: "a", name: "slow", entries: [{ name: "a.v2.0.0" }] };
    const catalogs = [
      stocked({ a: { "1.0.0": [], "2.0.0": [] }, b: { "1.0.0": [needsPackage("a", "1.0.0")] } }, {}, [fast, slow]),
    ];
    const requests = [request("a", { channel: "stabel" })];
    expect(advice(scene({ catalogs, requests })).map(([text]) => text)).toEqual([
      "take a from channel stable",
      "take a from channel fast",
    ]);
  });

  test("has no advice where nothing helps", () => {
    const none = constraint({ none: { constraints: [gvk("Own")] } });
    const problem = scene({
      catalogs: [stocked({ a: { "1.0.0": [none] } })],
      requests: [request("a")],
      elsewhere: [running("b.v1.0.0", [provides("Own")], { namespace: "there" })],
    });
    expect(advice(problem)).toEqual([]);
  });

  test("compound constraints that are switched off can be switched on", () => {
    const any = constraint({ any: { constraints: [gvk("Lamp")] } });
    const catalog = stocked({ a: { "1.0.0": [any] }, lamp: { "1.0.0": [provides("Lamp")] } });
    const problem = scene({ catalogs: [catalog], requests: [request("a")] }, { compoundConstraints: false });
    expect(advice(problem)).toEqual([
      ["allow compound constraints", "--feature-gates CompoundConstraintsV1Alpha1=true"],
    ]);
  });

  test("a catalog that is not available need not be waited for", () => {
    const catalog = stocked({ a: { "1.0.0": [needs("Lamp")] } });
    const lamps = stocked({ lamp: { "1.0.0": [provides("Lamp")] } }, { name: "second" });
    const unavailable = [{ name: "lost", priority: 1, reason: "it does not answer" }];
    const problem = scene({ catalogs: [catalog, lamps], unavailable, requests: [request("a")] });
    expect(advice(problem)[0]).toEqual(["do not wait for catalog lost", "--ignore-unavailable"]);
  });

  test("a catalog that could not be read has to be given, where only it can have the package", () => {
    const unavailable = [{ name: "lost", namespace: "olm", priority: 1, reason: "it could not be loaded" }];
    const advised = [["fix catalog lost, or give it from another path: --catalog olm/lost=PATH", ""]];
    expect(advice(scene({ unavailable, requests: [request("a")] }))).toEqual(advised);
    expect(advice(scene({ unavailable, requests: [request("a", { catalog: { name: "lost" } })] }))).toEqual(advised);
    const catalogs = [stocked({ b: { "1.0.0": [] } })];
    expect(advice(scene({ catalogs, unavailable, requests: [request("a", { catalog: { name: "main" } })] }))).toEqual(
      [],
    );
    // Another catalog that has the package is no reason not to give this one.
    const others = [stocked({ a: { "1.0.0": [] } })];
    const requests = [request("a", { catalog: { name: "lost" } })];
    expect(advice(scene({ catalogs: others, unavailable, requests }))).toEqual([
      ...advised,
      ["take a from catalog main", "--instead main/a"],
    ]);
  });

  test("a catalog that is named nowhere may not have been given", () => {
    const requests = [request("a", { catalog: { name: "lost" } })];
    expect(advice(scene({ requests }))).toEqual([
      ["give the content of catalog lost, if the cluster has it: --catalog lost=PATH", ""],
    ]);
  });
});

describe("an operator that is held back", () => {
  const versions = { "1.0.0": [], "2.0.0": [] };

  test("by a flag", () => {
    const hold = { by: "flag", text: "--hold a" } as const;
    const problem = scene({
      catalogs: [stocked({ a: versions })],
      requests: [request("a", { installed: "a.v1.0.0" })],
      installed: [running("a.v1.0.0", [], { hold })],
    });
    expect(advice(problem)).toEqual([["no longer hold a", ""]]);
  });

  test("because it waits for approval", () => {
    const problem = scene({
      catalogs: [stocked({ a: versions })],
      requests: [request("a", { installed: "a.v1.0.0", approval: "Manual" })],
      installed: [running("a.v1.0.0")],
    });
    expect(advice(problem)).toEqual([["approve the update of a", "--approve a"]]);
  });

  test("by an operator without a request", () => {
    const problem = scene({
      catalogs: [stocked({ lading: { "1.0.0": [provides("Bill")], "2.0.0": [] } })],
      requests: [request("lading", { installed: "lading.v1.0.0" })],
      installed: [running("broker.v1.0.0", [needs("Bill")]), running("lading.v1.0.0", [provides("Bill")])],
    });
    expect(advice(problem)).toEqual([["remove the installed broker 1.0.0", "--remove broker"]]);
  });

  test("by a constraint that the author of the newer one mistyped", () => {
    const malformed = constraint({ package: { packagName: "b", versionRange: ">=1.0.0" } });
    const problem = scene({
      catalogs: [stocked({ a: { "1.0.0": [], "2.0.0": [malformed] }, b: { "1.0.0": [] } })],
      requests: [request("a", { installed: "a.v1.0.0" })],
      installed: [running("a.v1.0.0")],
    });
    expect(advice(problem)).toEqual([
      ['have the constraints of a.v2.0.0 corrected: write "packageName" instead of "packagName"', ""],
    ]);
  });

  test("by one that runs, which has a Subscription that does not claim it", () => {
    const problem = scene({
      catalogs: [stocked({ a: { "1.0.0": [], "2.0.0": [needsPackage("b", "2.0.0")] }, b: versions })],
      requests: [request("a", { installed: "a.v1.0.0" }), request("b", { installed: "b.v0.9.0" })],
      installed: [running("a.v1.0.0"), running("b.v1.0.0")],
    });
    expect(advice(problem).map(([text]) => text)).not.toContain("subscribe to b, so that it can be updated");
    const unclaimed = { ...problem, requests: [request("a", { installed: "a.v1.0.0" })] };
    expect(advice(unclaimed).map(([text]) => text)).toContain("subscribe to b, so that it can be updated");
  });

  test("by an earlier request", () => {
    const catalog = stocked({
      first: { "1.0.0": [], "2.0.0": [provides("Lamp")] },
      second: { "1.0.0": [], "2.0.0": [provides("Lamp")] },
    });
    const problem = scene({
      catalogs: [catalog],
      requests: ["first", "second"].map((owner) => request(owner, { installed: `${owner}.v1.0.0` })),
      installed: [running("first.v1.0.0"), running("second.v1.0.0")],
    });
    expect(advice(problem)).toEqual([
      ["hold first at 1.0.0", "--hold first"],
      ["drop the request for first, which then stays as it is", "--drop first"],
    ]);
  });

  test("by all or nothing", () => {
    const problem = scene(
      {
        catalogs: [stocked({ a: versions })],
        requests: [request("a", { installed: "a.v1.0.0" }), request("gone")],
        installed: [running("a.v1.0.0")],
      },
      { allOrNothing: true },
    );
    expect(advice(problem)).toEqual([["take what is possible", ""]]);
  });

  test("by itself: there is nothing to be done", () => {
    const hold = { by: "condition", text: "migrating" } as const;
    const problem = scene({
      catalogs: [stocked({ a: versions })],
      requests: [request("a", { installed: "a.v1.0.0" })],
      installed: [running("a.v1.0.0", [], { hold })],
    });
    expect(advice(problem)).toEqual([]);
  });
});

test("an obstacle after the first change is not one of the known facts", () => {
  const old = { "1.0.0": [provides("Old")], "1.1.0": [provides("Old")] };
  const catalogs = [
    stocked({ alpha: old, zeta: { "1.0.0": [needs("New")] } }),
    stocked({ alpha: { "1.0.0": [provides("Old")], "1.3.0": [provides("New")] } }, { name: "other" }),
  ];
  const installed = [running("alpha.v1.0.0", [provides("Old")]), running("user.v0.1.0", [needs("Old")])];
  const requests = [
    request("alpha", { catalog: { name: "main" }, channel: "stable", installed: "alpha.v1.0.0" }),
    request("zeta", { catalog: { name: "main" } }),
  ];
  const { unsatisfied } = resolve(scene({ catalogs, installed, requests }));
  const { explanation } = unsatisfied[0] ?? {};
  const kinds = explanation?.facts.map(({ kind }) => kind);
  const also = explanation?.fixes.flatMap(({ because }) => because?.facts.map(({ kind }) => kind) ?? []);
  expect(kinds).toContain("one-bundle");
  expect(also).toContain("stays");
  expect(also).not.toContain("one-bundle");
});
