// A Subscription whose operator runs, and whose channel, package or catalog is gone or was not read.

import { describe, expect, test } from "vitest";
import { bundle } from "../../test/catalog/lantern-catalog.ts";
import { explainedAnswer as resolve } from "../../test/explanations/explained-answer.ts";
import { explanationText } from "../../test/explanations/explanation-text.ts";
import { needs, needsPackage, provides, request, running, scene, stocked } from "../../test/worlds/scene.ts";
import { check } from "../check/check.ts";
import type { JsonObject } from "../model/json.ts";
import type { Problem, Request } from "../model/problem.ts";
import { factTexts } from "../render/sentence/fact.ts";
import { fixText } from "../render/sentence/fix.ts";
import { reasonText } from "../render/sentence/reason.ts";
import { explain } from "./explain/subject.ts";
import type { Explanation, Resolution } from "./resolution.ts";
import { changedByAll } from "./what-if.ts";

const MAIN = { name: "main", namespace: "olm" };

/** etcd 1.0.0 runs, and a Subscription keeps it up to date; the catalog has 1.1.0 in channel stable. */
function subscribed(
  how: Partial<Request>,
  more: Partial<Problem> = {},
  options: Partial<Problem["options"]> = {},
): Problem {
  return scene(
    {
      catalogs: [stocked({ etcd: { "1.0.0": [], "1.1.0": [] } })],
      installed: [running("etcd.v1.0.0")],
      requests: [request("etcd", { installed: "etcd.v1.0.0", catalog: MAIN, channel: "stable", ...how })],
      ...more,
    },
    options,
  );
}

function summary({ outcome, unsatisfied, operators, heldBack, objectives }: Resolution) {
  return {
    outcome,
    unsatisfied: unsatisfied.map(({ undecided, kept, explanation }) => ({
      undecided,
      kept,
      text: explanationText(explanation),
    })),
    operators: operators.map((one) => [one.name, reasonText(one)]),
    heldBack: heldBack.length,
    subscriptions: objectives.find(({ name }) => name === "subscriptions")?.value,
  };
}

/** Nothing moves, and the request is one of those that are not satisfied. */
function open(undecided: boolean, text: string, why: string = text) {
  return {
    outcome: undecided ? "Undecided" : "Unsatisfiable",
    unsatisfied: [{ undecided, kept: "etcd.v1.0.0", text }],
    operators: [["etcd.v1.0.0", `stays: ${why}`]],
    heldBack: 0,
    subscriptions: 1,
  };
}

describe.each([false, true])("with compat %s", (compat) => {
  /** With compat, OLM's message is below. */
  const olm = (text: string): string =>
    compat
      ? `\nOLM: "constraints not satisfiable: no operators found ${text} subscription etcd, subscription etcd exists"`
      : "";
  const solved = (how: Partial<Request>, more: Partial<Problem> = {}): ReturnType<typeof summary> =>
    summary(resolve(subscribed(how, more, { compat })));

  test("a channel that is gone", () => {
    const text = "package etcd has no channel alpha";
    expect(solved({ channel: "alpha" })).toEqual(
      open(
        false,
        `${text}; it has stable${olm("in channel alpha of package etcd in the catalog referenced by")}`,
        text,
      ),
    );
  });

  test("a package that is gone", () => {
    const text = "catalog main has no package etcdx";
    const whole = `${text}${olm("in package etcdx in the catalog referenced by")}`;
    expect(solved({ package: "etcdx" })).toEqual(open(false, whole, text));
  });

  test("a catalog that is named nowhere", () => {
    const text = "there is no catalog other";
    const whole = `${text}; there is main${olm("from catalog other in namespace olm referenced by")}`;
    expect(solved({ catalog: { name: "other", namespace: "olm" } })).toEqual(open(false, whole, text));
  });

  test("a CatalogSource whose content was not given", () => {
    const notGiven = [{ name: "other", namespace: "olm" }];
    const text = "the cluster has a CatalogSource olm/other, but its content was not given";
    expect(solved({ catalog: { name: "other", namespace: "olm" } }, { notGiven })).toEqual(open(true, text));
  });

  test("a catalog of that name in another namespace is not the one that is meant", () => {
    const catalogs = [stocked({ etcd: { "1.0.0": [], "1.1.0": [] } }, { namespace: "far" })];
    const text = "there is no catalog olm/main";
    const whole = `${text}; there is far/main${olm("from catalog main in namespace olm referenced by")}`;
    expect(solved({}, { catalogs })).toEqual(open(false, whole, text));
    const unread = "the cluster has a CatalogSource olm/main, but its content was not given";
    expect(solved({}, { catalogs, notGiven: [MAIN] })).toEqual(open(true, unread));
    expect(solved({}, { catalogs, notGiven: [{ name: "main", namespace: "near" }] })).toEqual(open(false, whole, text));
    const unavailable = [{ ...MAIN, priority: 0, reason: "it does not answer" }];
    expect(solved({}, { catalogs, unavailable })).toEqual(
      open(true, "catalog main is not available: it does not answer"),
    );
  });

  test("a catalog that was given without a namespace is the one that is meant, unless another one has the namespace", () => {
    const plain = stocked({ etcd: { "1.0.0": [], "1.1.0": [] } });
    const own = stocked({ etcd: { "1.0.0": [] } }, { namespace: "olm" });
    const far = stocked({ etcd: { "1.0.0": [] } }, { namespace: "far" });
    expect(solved({}, { catalogs: [far, plain] }).unsatisfied).toEqual([]);
    expect(solved({}, { catalogs: [far, plain] }).operators[0]?.[0]).toBe("etcd.v1.1.0");
    expect(solved({}, { catalogs: [own, plain] }).operators[0]?.[0]).toBe("etcd.v1.0.0");
  });

  test("a catalog that could not be read, whether it is ignored or not", () => {
    const unavailable = [{ name: "other", priority: 0, reason: "it does not answer" }];
    const text = "catalog other is not available: it does not answer";
    expect(solved({ catalog: { name: "other" } }, { unavailable })).toEqual(open(true, text));
    const ignoring = subscribed({ catalog: { name: "other" } }, { unavailable }, { compat, ignoreUnavailable: true });
    expect(summary(resolve(ignoring))).toEqual(open(true, text));
  });

  test("where the channel was read whole and has nothing newer, the request is satisfied", () => {
    const installed = [running("etcd.v1.1.0")];
    expect(solved({ installed: "etcd.v1.1.0" }, { installed })).toMatchObject({
      outcome: "Resolved",
      unsatisfied: [],
      operators: [["etcd.v1.1.0", "stays: no update is available"]],
    });
  });
});

/** The documents of etcd with two versions, of which neither replaces the other: the channel, and so the package, is refused. */
const REFUSED: readonly JsonObject[] = [
  { schema: "olm.package", name: "etcd", defaultChannel: "stable" },
  {
    schema: "olm.channel",
    package: "etcd",
    name: "stable",
    entries: [{ name: "etcd.v1.0.0" }, { name: "etcd.v1.1.0" }],
  },
  bundle("etcd", "1.0.0", []),
  bundle("etcd", "1.1.0", [{ type: "olm.gvk", value: { group: "here", version: "v1", kind: "Store" } }]),
];

describe("when the time is over", () => {
  const late = (): boolean => true;

  test("a channel that is gone is decided without a search, with what would help", () => {
    const app = request("app", { installed: "app.v1.0.0", catalog: MAIN, channel: "stable" });
    const problem = subscribed(
      { channel: "stabel" },
      { catalogs: [stocked({ etcd: { "1.0.0": [], "1.1.0": [] }, app: { "1.0.0": [], "1.1.0": [] } })] },
    );
    const both = {
      ...problem,
      requests: [...problem.requests, app],
      installed: [...problem.installed, running("app.v1.0.0")],
    };
    const [etcd, other] = resolve(both, late).unsatisfied;
    expect([etcd?.undecided, other?.undecided]).toEqual([false, true]);
    expect(explanationText(etcd?.explanation)).toBe("package etcd has no channel stabel; it has stable");
    expect(etcd?.explanation.fixes.map(fixText)).toEqual(["take etcd from channel stable"]);
  });

  test("a new request for a channel that does not exist is refused, and one for a source that was not read undecided", () => {
    const asked = (how: Partial<Request>) => subscribed({ ...how, installed: undefined }, { installed: [] });
    const [gone] = resolve(asked({ channel: "stabel" }), late).unsatisfied;
    expect([gone?.undecided, explanationText(gone?.explanation)]).toEqual([
      false,
      "package etcd has no channel stabel; it has stable",
    ]);
    const notGiven = [{ name: "other", namespace: "olm" }];
    const [unread] = resolve({ ...asked({ catalog: notGiven[0] }), notGiven }, late).unsatisfied;
    expect(unread?.undecided).toBe(true);
  });
});

describe("what was left out of a catalog when it was read", () => {
  test("a package that was refused for a broken channel", () => {
    const { unsatisfied } = resolve(subscribed({}, { catalogs: [stocked({}, {}, REFUSED)] }));
    expect(unsatisfied).toMatchObject([{ undecided: true, kept: "etcd.v1.0.0" }]);
    expect(explanationText(unsatisfied[0]?.explanation)).toBe(
      "a package of catalog main was left out: package etcd is refused, because its default channel stable is broken",
    );
  });

  test("a broken channel next to the default one; without a named channel, any of them may have the update", () => {
    const [, broken] = REFUSED as readonly [JsonObject, JsonObject];
    const catalogs = [stocked({ etcd: { "1.0.0": [], "1.1.0": [] } }, {}, [{ ...broken, name: "fast" }])];
    const installed = [running("etcd.v1.1.0")];
    for (const channel of ["fast", undefined])
      expect(
        resolve(subscribed({ channel, installed: "etcd.v1.1.0" }, { catalogs, installed })).unsatisfied,
      ).toMatchObject([{ undecided: true, kept: "etcd.v1.1.0" }]);
    expect(resolve(subscribed({ installed: "etcd.v1.1.0" }, { catalogs, installed })).unsatisfied).toEqual([]);
  });

  test("the bundle that the channel leads to", () => {
    const entries = [{ name: "etcd.v1.0.0" }, { name: "etcd.v1.1.0", replaces: "etcd.v1.0.0" }];
    const documents = [
      { schema: "olm.package", name: "etcd", defaultChannel: "stable" },
      { schema: "olm.channel", package: "etcd", name: "stable", entries },
      bundle("etcd", "1.0.0", []),
      { ...bundle("etcd", "1.1.0", []), image: "not an image" },
    ];
    const { unsatisfied } = resolve(subscribed({}, { catalogs: [stocked({}, {}, documents)] }));
    expect(unsatisfied).toMatchObject([{ undecided: true, kept: "etcd.v1.0.0" }]);
    expect(explanationText(unsatisfied[0]?.explanation)).toContain(
      "a bundle of catalog main was left out: etcd.v1.1.0: the image",
    );
  });

  test("a new request for it is undecided, too", () => {
    const { unsatisfied, outcome } = resolve(
      scene({ catalogs: [stocked({}, {}, REFUSED)], requests: [request("etcd")] }),
    );
    expect(outcome).toBe("Undecided");
    expect(unsatisfied).toMatchObject([{ undecided: true }]);
  });

  test("a request that needs the refused package, or an API without another provider, is undecided, with what was lost", () => {
    for (const need of [needsPackage("etcd", ">=1.1.0"), needs("Store")]) {
      const catalogs = [stocked({ app: { "1.0.0": [need] } }, {}, REFUSED)];
      const { unsatisfied } = resolve(subscribed({}, { catalogs, requests: [request("app")], installed: [] }));
      expect(unsatisfied).toMatchObject([{ undecided: true }]);
      expect(explanationText(unsatisfied[0]?.explanation)).toContain("package etcd is refused");
    }
  });

  test("an unrelated request is refused", () => {
    const catalogs = [stocked({ app: { "1.0.0": [needsPackage("app", ">=2.0.0")] } }, {}, REFUSED)];
    expect(resolve(scene({ catalogs, requests: [request("app")] })).unsatisfied).toMatchObject([{ undecided: false }]);
  });
});

describe("an operator that stays because its catalog was not read", () => {
  const catalogs = [stocked({ app: { "1.0.0": [provides("Store")] }, lamp: { "1.0.0": [needs("Nothing")] } })];
  const installed = [running("etcd.v1.0.0", [provides("Store")])];
  const unavailable = [{ name: "other", priority: 0, reason: "it does not answer" }];
  const problem = scene(
    {
      catalogs,
      installed,
      unavailable,
      requests: [
        request("app"),
        request("etcd", { installed: "etcd.v1.0.0", catalog: { name: "other" } }),
        request("lamp"),
      ],
    },
    { ignoreUnavailable: true },
  );

  test("makes exactly those undecided that it blocks; its removal is not advised", () => {
    const [app, etcd, lamp] = resolve(problem).unsatisfied;
    expect([app?.undecided, etcd?.undecided, lamp?.undecided]).toEqual([true, true, false]);
    expect(app?.explanation.fixes).toEqual([]);
    expect(explanationText(app?.explanation)).toContain("whether etcd 1.0.0 can be updated is not known");
    expect(factTexts(app?.explanation as Explanation).join("\n")).not.toContain("nothing newer");
  });

  test("with its channel read whole, the removal is what would help", () => {
    const known = { ...problem, catalogs: [...catalogs, stocked({ etcd: { "1.0.0": [] } }, { name: "other" })] };
    const [app] = resolve({ ...known, unavailable: [] }).unsatisfied;
    expect(app).toMatchObject({ undecided: false, request: { package: "app" } });
    expect(app?.explanation.fixes.map(fixText)).toContain("remove the installed etcd 1.0.0");
  });
});

describe("a search that was cut off", () => {
  const problem = subscribed({});

  test("leaves open whether an operator that stays could be newer", () => {
    const resolution = resolve(problem, () => true);
    expect(summary(resolution)).toEqual({
      outcome: "Undecided",
      unsatisfied: [
        {
          undecided: true,
          kept: "etcd.v1.0.0",
          text: "the search ended before this was decided: the time limit was reached",
        },
      ],
      operators: [["etcd.v1.0.0", "stays: the search ended before this was decided"]],
      heldBack: 0,
      subscriptions: 1,
    });
  });

  test("does not concern a request without anything newer", () => {
    const installed = [running("etcd.v1.1.0")];
    const resolution = resolve(subscribed({ installed: "etcd.v1.1.0" }, { installed }), () => true);
    expect(resolution.unsatisfied).toEqual([]);
  });

  test("is reported by explain, too", () => {
    expect(explain(problem, { package: "etcd" }, { stop: () => true })).toMatchObject({
      verdict: "heldBack",
      undecided: true,
    });
  });
});

test("the others are served; with all or nothing they are not", () => {
  const requests = [...subscribed({ channel: "alpha" }).requests, request("lamp")];
  const catalogs = [stocked({ etcd: { "1.0.0": [], "1.1.0": [] }, lamp: { "1.0.0": [] } })];
  const both = subscribed({}, { requests, catalogs });
  expect(resolve(both)).toMatchObject({ outcome: "Partial", operators: [{ action: "keep" }, { action: "install" }] });
  const whole = { ...both, options: { ...both.options, allOrNothing: true } };
  expect(resolve(whole)).toMatchObject({ outcome: "Unsatisfiable", operators: [{ action: "keep" }] });
});

test("what would help is another channel that exists, and it does help", () => {
  const problem = subscribed({ channel: "alpha" });
  const [refused] = resolve(problem).unsatisfied;
  expect(refused?.explanation.fixes.map(fixText)).toEqual(["take etcd from channel stable"]);
  const changes = refused?.explanation.fixes[0]?.changes ?? [];
  expect(resolve(changedByAll(problem, changes))).toMatchObject({
    outcome: "Resolved",
    operators: [{ name: "etcd.v1.1.0" }],
  });
});

test("what was not read has to be given or repaired, and that comes first", () => {
  const advice = (problem: Problem): string | undefined =>
    resolve(problem).unsatisfied[0]?.explanation.fixes.map(fixText)[0];
  const notGiven = [{ name: "other", namespace: "olm" }];
  const elsewhere = subscribed({ catalog: { name: "other", namespace: "olm" } }, { notGiven });
  expect(advice(elsewhere)).toBe("give the content of that catalog: --catalog other=PATH");
  expect(advice(subscribed({}, { catalogs: [stocked({}, {}, REFUSED)] }))).toBe(
    "fix catalog main: repair the channel; what a new user gets would be a guess without it",
  );
});

test("explain reports that it stays, and why its Subscription is not satisfied", () => {
  const answer = explain(subscribed({ channel: "alpha" }), { package: "etcd" });
  expect(answer).toMatchObject({ verdict: "heldBack", undecided: false, operators: [{ name: "etcd.v1.0.0" }] });
  expect(explanationText(answer.explanation)).toBe("package etcd has no channel alpha; it has stable");
});

test("the checker does not take it for satisfied", () => {
  const problem = subscribed({ channel: "alpha" });
  const answer = { kept: problem.installed, chosen: [], satisfied: ["here/etcd"] };
  expect(check(problem, answer)).toMatchObject([{ rule: "claim" }]);
  expect(check(problem, { ...answer, satisfied: [] })).toEqual([]);
});
