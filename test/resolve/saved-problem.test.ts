// Can a problem be saved and solved again elsewhere? What is saved and read back is the same problem, and no file
// makes the reader fail.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readJson } from "../../src/input/json-text.ts";
import { readRuntimeList } from "../../src/input/objects/runtime-constraints.ts";
import { readProblem } from "../../src/input/read-problem.ts";
import { finding } from "../../src/model/finding.ts";
import { isList, isObject, type Json, type JsonObject, printJson } from "../../src/model/json.ts";
import { DEFAULT_OPTIONS, type Problem } from "../../src/model/problem.ts";
import { parseNamedRequest } from "../../src/resolve/prepare/named-request.ts";
import { prepareProblems } from "../../src/resolve/prepare/prepare-problems.ts";
import type { NamedRequest } from "../../src/resolve/prepare/problem-inputs.ts";
import { saveProblem } from "../../src/resolve/prepare/save-problem.ts";
import { resolve } from "../../src/resolve/resolve.ts";
import { automaticProblem } from "../../src/resolve/without-approval.ts";
import { bundle, catalogOf, LANTERN } from "../catalog/lantern-catalog.ts";
import { request, running, scene } from "../worlds/scene.ts";
import { given, operatorGroup, PLACE, packageDocuments, recorded, subscription, upgradeable } from "./prepare-given.ts";

const CUSTOM = { type: "custom", value: JSON.parse('{"__proto__": 1, "b": [1.5, null, true], "a": "\\u2028é"}') };

/** A problem with something of everything. */
function richProblem(): Problem {
  const catalogs = [
    catalogOf(LANTERN),
    catalogOf(
      [
        ...packageDocuments("oil", "1.0.0", "1.1.0-rc.1+build"),
        bundle("wick", "1.0.0", [CUSTOM, { type: "big", value: 123456789012345678901234567890n }], {
          relatedImages: [{ name: "helper", image: "example.com/helper:1" }],
        }),
        { schema: "olm.package", name: "wick", defaultChannel: "stable", description: "for lamps" },
        { schema: "olm.channel", package: "wick", name: "stable", entries: [{ name: "wick.v1.0.0" }] },
        {
          schema: "olm.deprecations",
          package: "wick",
          entries: [{ reference: { schema: "olm.package" }, message: "old" }],
        },
        { schema: "custom.schema", name: "kept", payload: [1, 2] },
        { schema: "olm.package", name: "Broken" },
      ],
      "second",
    ),
  ];
  const { problems } = prepareProblems(
    given(
      {
        subscriptions: [
          subscription("lantern", {
            installedCSV: "lantern.v1.0.0",
            priority: 3,
            channel: "stable",
            approval: "Manual",
          }),
          subscription("wick", { startingCSV: "wick.v1.0.0" }),
        ],
        installedOperators: [
          recorded("lantern", "1.0.0", {
            minKubeVersion: "1.20",
            installModes: [{ type: "AllNamespaces", supported: true }],
          }),
          recorded("oil", "1.0.0"),
          recorded("gone", "1.0.0"),
          recorded("oil", "1.0.0", { namespace: "far", version: "v1" }),
        ],
        operatorGroups: [operatorGroup({ targetNamespaces: ["b", "a"] })],
        operatorConditions: [upgradeable("lantern.v1.0.0", "False", "busy")],
      },
      {
        catalogs,
        unavailable: [{ name: "third", namespace: "olm", priority: 2, reason: "no route" }],
        named: [parseNamedRequest("olm/second/oil@>=1.0.0 || 3.x:stable") as NamedRequest],
        removed: ["gone"],
        held: ["oil"],
        nodeProperties: [{ type: "kubernetes.version", value: "1.31.0" }],
        runtimeConstraints: {
          text: '[{"type": "olm.constraint", "value": {"cel": {"rule": "true"}}}, {"type": "site", "value": 9007199254740993}, 5]',
          place: PLACE,
        },
        readList: readRuntimeList,
        options: { ...DEFAULT_OPTIONS, compoundScope: "bundle", maxConflicts: 7 },
      },
    ),
  );
  return problems[0] as Problem;
}

/** A problem read back. */
function again(text: string): Problem {
  const { problem, findings } = readProblem(text, "saved.json");
  expect(findings).toEqual([]);
  return problem as Problem;
}

describe("saving and reading", () => {
  test("gives the same problem, and the same bytes", () => {
    const problem = richProblem();
    const text = saveProblem(problem);
    expect(problem.runtime.problems).toHaveLength(1);
    expect(again(text)).toEqual(problem);
    expect(saveProblem(again(text))).toBe(text);
    expect(text).toContain("123456789012345678901234567890");
  });

  test("keeps places that were put together from several documents", () => {
    const problem = richProblem();
    const elsewhere = new Map([["entries[0]", { ...PLACE, line: 7, path: ["x", 1] }]]);
    const placed = {
      ...problem,
      requests: problem.requests.map((one) => ({ ...one, place: { ...PLACE, elsewhere } })),
    };
    expect(again(saveProblem(placed))).toEqual(placed);
  });

  test("keeps what is not approved", () => {
    const problem = automaticProblem(richProblem());
    expect(problem.unapproved).toHaveLength(1);
    expect(again(saveProblem(problem))).toEqual(problem);
  });

  test("also of nothing at all", () => {
    const [empty] = prepareProblems(given()).problems;
    expect(again(saveProblem(empty as Problem))).toEqual(empty);
  });

  test("a bundle that was left out stays out, without a word", () => {
    const broken = { ...bundle("lamp", "2.0.0"), image: 5 };
    const documents: readonly JsonObject[] = [
      ...packageDocuments("lamp", "1.0.0", "2.0.0").filter((one) => one.name !== "lamp.v2.0.0"),
      broken,
      {
        schema: "olm.deprecations",
        package: "lamp",
        entries: [{ reference: { schema: "olm.bundle", name: "lamp.v2.0.0" }, message: "bad" }],
      },
    ];
    const [problem] = prepareProblems(given({}, { catalogs: [catalogOf(documents)] })).problems;
    const text = saveProblem(problem as Problem);
    expect(again(text).catalogs[0]?.findings).toEqual(problem?.catalogs[0]?.findings);
    expect(saveProblem(again(text))).toBe(text);
  });
});

describe("a file that is none", () => {
  test.each([
    ["", /^PL003 this is not a saved problem/],
    ["[]", /^PL009 the document must be an object/],
    ["{}", /^PL009 apiVersion is missing/],
    ['{"apiVersion": "plimsoll.dev/v1alpha1", "kind": "Resolution", "namespace": "a"}', /^PL009 kind is "Resolution"/],
    ["[".repeat(100_000), /^PL004/],
  ])("%j", (text, expected) => {
    const { problem, findings } = readProblem(text, "saved.json");
    expect(problem).toBeUndefined();
    expect(`${findings[0]?.code} ${findings[0]?.message}`).toMatch(expected);
  });

  const whole = readJson(saveProblem(richProblem()), 600) as JsonObject;
  const requests = whole.requests as readonly JsonObject[];
  test.each([
    ["two requests of one id", { requests: [requests[0], requests[0]] }, "requests has ns/lantern twice"],
    [
      "a claim without an operator",
      { installed: [] },
      "ns/lantern has lantern.v1.0.0 installed, which is not among the installed",
    ],
    ["an operator of elsewhere", { installed: whole.elsewhere, requests: [] }, "oil.v1.0.0 is not in namespace ns"],
    ["one of here elsewhere", { elsewhere: whole.installed }, "lantern.v1.0.0 is in namespace ns itself"],
    ["no range", { requests: [{ ...requests[1], range: "^1" }] }, /^the range cannot be read/],
    ["a huge priority", { requests: [{ ...requests[1], priority: 10n ** 30n }] }, "priority is too large a number"],
    ["a negative limit", { options: { maxConflicts: -1 } }, "maxConflicts must not be negative"],
    [
      "no version",
      { gone: [{ ...(whole.gone as readonly JsonObject[])[0], version: "one" }] },
      /^the version cannot be read/,
    ],
    [
      "two catalogs of one name",
      { catalogs: [...(whole.catalogs as Json[]), ...(whole.catalogs as Json[])] },
      "catalogs has /harbour twice",
    ],
  ])("%s", (_, change, message) => {
    const { problem, findings } = readProblem(printJson({ ...whole, ...change } as JsonObject), "saved.json");
    expect(problem).toBeUndefined();
    expect(findings[0]?.message).toMatch(message);
  });

  test("a catalog that does not hold together any more", () => {
    const [catalog] = whole.catalogs as readonly [JsonObject, JsonObject];
    const documents = (catalog.documents as readonly JsonObject[]).slice(1);
    const { problem, findings } = readProblem(printJson({ ...whole, catalogs: [{ ...catalog, documents }] }), "s");
    expect(problem).toBeUndefined();
    expect(findings[0]?.message).toMatch(/^the catalog harbour is not as it was saved: there is no package "lantern"/);
  });

  test("requests and operators in another order are put in order", () => {
    const turned = { ...whole, requests: requests.toReversed(), installed: (whole.installed as Json[]).toReversed() };
    expect(again(printJson(turned))).toEqual(again(printJson(whole)));
  });

  test("with any change, it is read or rejected", () => {
    const value = fc.constantFrom<Json>(null, 0, -1, 1.5, 10n ** 40n, "", "text", [], {}, [null], { a: 1 }, true);
    fc.assert(
      fc.property(fc.array(fc.nat(), { minLength: 1, maxLength: 8 }), value, (steps, instead) => {
        const { problem, findings } = readProblem(printJson(changed(whole, steps, instead)), "saved.json");
        if (problem === undefined) expect(findings).not.toEqual([]);
        else expect(readProblem(saveProblem(problem), "saved.json").problem).toEqual(problem);
      }),
      { numRuns: process.env.PLIMSOLL_LONG ? 20_000 : 300 },
    );
  });
});

/** The value with something else at the end of a path, which is given by positions. */
function changed(value: Json, [step, ...rest]: readonly number[], instead: Json): Json {
  if (step === undefined) return instead;
  if (isList(value) && value.length > 0) {
    const at = step % value.length;
    return value.map((item, index) => (index === at ? changed(item, rest, instead) : item));
  }
  if (!isObject(value)) return instead;
  const entries = Object.entries(value);
  const at = entries.length === 0 ? -1 : step % entries.length;
  return Object.fromEntries(
    entries.map(([key, item], index) => [key, index === at ? changed(item, rest, instead) : item]),
  );
}

test("findings have every field when they come back", () => {
  const [empty] = prepareProblems(given()).problems;
  const detail = {
    message: "m",
    help: "h",
    catalog: "c",
    package: "p",
    channel: "ch",
    bundle: "b",
    dropped: "bundle",
  } as const;
  const problems = [finding("PL051", { ...PLACE, path: ["a", 1], offset: 3, ofKey: true }, detail)];
  const problem = { ...(empty as Problem), runtime: { entries: [], problems } };
  expect(again(saveProblem(problem))).toEqual(problem);
});

test("a CatalogSource whose content was not given is still known", () => {
  const problem = scene({
    notGiven: [{ name: "other", namespace: "olm" }],
    installed: [running("etcd.v1.0.0")],
    requests: [request("etcd", { installed: "etcd.v1.0.0", catalog: { name: "other" } })],
  });
  const { problem: again } = readProblem(saveProblem(problem), "saved.json");
  expect(resolve(again as Problem).unsatisfied).toMatchObject([{ undecided: true, kept: "etcd.v1.0.0" }]);
});
