// Does one line say what other runtime constraints would change, in the room that a webhook has for it?

import { describe, expect, test } from "vitest";
import type { OpenRequest } from "../../resolve/blast-radius/answer-summary.ts";
import type { BlastRadius } from "../../resolve/blast-radius/blast-radius.ts";
import type { ChangedPackage, Effect } from "../../resolve/blast-radius/changed-packages.ts";
import { blastRadiusText, changeText, constraintEffectText, groupText } from "./blast-radius.ts";

const NO_BUNDLES = { bundles: 0, inPackages: 0, packages: [] };

function radius(more: Partial<BlastRadius>): BlastRadius {
  const changed = more.changed ?? [];
  const count = (effect: Effect): number => changed.filter((one) => one.effect === effect).length;
  return {
    isReadable: true,
    findings: [],
    hidden: { bundles: 0, ofBundles: 7561, packages: 0, isComplete: true, perConstraint: [] },
    revealed: NO_BUNDLES,
    changed,
    heldBack: count("held-back"),
    refused: count("refused"),
    undecided: count("undecided"),
    violating: [],
    namespaces: 2,
    compared: 2,
    unproven: 0,
    isComplete: true,
    bugs: [],
    ...more,
  };
}

function change(namespace: string, owner: string, effect: Effect, kind?: OpenRequest["kind"]): ChangedPackage {
  const requests = kind === undefined ? [] : [{ id: `${namespace}/${owner}`, kind }];
  const none = { standing: "none" } as const;
  return { namespace, package: owner, effect, before: none, after: none, requests };
}

const HIDES = { bundles: 412, ofBundles: 7561, packages: 3, isComplete: true, perConstraint: [] };

describe("the line", () => {
  test.each<[string, Partial<BlastRadius>, string]>([
    ["nothing", {}, "hides no bundle and changes no answer"],
    [
      "several effects",
      {
        hidden: HIDES,
        changed: [
          change("ops", "etcd", "held-back"),
          change("ops", "kafka", "held-back"),
          change("dev", "argo", "refused", "Subscription"),
        ],
      },
      "hides 412 of 7561 bundles, 3 packages entirely, holds back 2 operators (ops/etcd, ops/kafka), refuses 1 Subscription (dev/argo)",
    ],
    [
      "several kinds of requests",
      {
        changed: [change("dev", "argo", "refused", "Subscription"), change("", "flux", "refused", "ClusterExtension")],
      },
      "refuses 2 requests (dev/argo, /flux)",
    ],
    [
      "a named package",
      { changed: [change("dev", "argo", "undecided", "package")] },
      "leaves 1 request undecided (dev/argo)",
    ],
    [
      "what is not worse",
      {
        revealed: { ...NO_BUNDLES, bundles: 1 },
        changed: [change("", "flux", "better"), change("dev", "oil", "other")],
      },
      "reveals 1 bundle, allows more for 1 package (flux), changes 1 other package (dev/oil)",
    ],
    [
      "an installed operator",
      {
        violating: [
          {
            namespace: "ops",
            operator: { name: "etcd.v1.0.0", package: "etcd", version: "1.0.0" },
            detail: { rule: "runtime-constraint", why: "unreadable" },
          },
        ],
      },
      "1 installed operator breaks them (ops/etcd 1.0.0)",
    ],
    [
      "not in time",
      { hidden: HIDES, compared: 0, isComplete: false },
      "at least: hides 412 of 7561 bundles, 3 packages entirely; 0 of 2 namespaces compared in time",
    ],
    ["nothing in time", { compared: 1, isComplete: false }, "nothing found so far; 1 of 2 namespaces compared in time"],
    ["unreadable", { isReadable: false }, "cannot be read, so nothing could be installed or updated"],
    [
      "unreadable, with effects",
      { isReadable: false, changed: [change("ops", "etcd", "held-back")] },
      "cannot be read, so nothing could be installed or updated; holds back 1 operator (ops/etcd)",
    ],
  ])("%s", (_, more, text) => {
    expect(blastRadiusText(radius(more))).toBe(text);
  });

  const many = Array.from({ length: 40 }, (_, index) =>
    change("operators", `${"long-name-".repeat(5)}${index}`, "held-back"),
  );

  test("leaves names out where there is no room", () => {
    expect(blastRadiusText(radius({ changed: many }))).toMatch(
      /^holds back 40 operators \(\S+, \S+, \S+ and 37 more\)$/,
    );
    const both = radius({ changed: [...many, ...many.map((one) => ({ ...one, effect: "better" as const }))] });
    expect(blastRadiusText(both)).toMatch(
      /^holds back 40 operators \(\S+ and 39 more\), allows more for 40 packages \(\S+ and 39 more\)$/,
    );
    expect(blastRadiusText(both, 70)).toBe("holds back 40 operators, allows more for 40 packages");
    expect(blastRadiusText(both, 20)).toBe("holds back 40 ope…");
  });

  test.each([256, 100, 30, 5])("has at most %i bytes, whatever the names", (most) => {
    const names = ["\u0000\n\u202e".repeat(60), "ü".repeat(300), "😀".repeat(90), "x"];
    for (const name of names)
      for (const count of [1, 2, 5, 50]) {
        const changed = Array.from({ length: count }, (_, index) => change(name, `${name}${index}`, "held-back"));
        const text = blastRadiusText(radius({ hidden: HIDES, changed }), most);
        expect(new TextEncoder().encode(text).length).toBeLessThanOrEqual(most);
        expect(text).toMatch(/^[^\p{Cc}\u202e]*$/u);
        expect(text).not.toMatch(/\p{Cs}/u);
      }
  });
});

test("groups of bundles name packages, versions where they are few, and the rest", () => {
  const group = {
    bundles: 30,
    inPackages: 9,
    packages: [
      { package: "winch", bundles: 12, ofBundles: 20 },
      { package: "certs", bundles: 3, ofBundles: 3, versions: ["2.0.0", "1.5.0", "1.4.0"] },
      { package: "foghorn", bundles: 2, ofBundles: 7, versions: ["3.1.0", "3.0.0"] },
      { package: "archive", bundles: 1, ofBundles: 1, versions: ["1.0.0"] },
    ],
  };
  expect(groupText(group)).toBe(
    "winch (12 of 20), certs (all 3), foghorn 3.1.0 and 3.0.0, archive 1.0.0 and 5 more packages",
  );
  expect(groupText(group, 1)).toBe("winch (12 of 20) and 8 more packages");
});

describe("the effect of a constraint", () => {
  const effect = {
    ...({ number: 1, action: "require", failures: 0, refuses: 0, hides: NO_BUNDLES } as const),
    constraint: { kind: "label", label: "x" } as const,
  };
  const hides = { bundles: 2, inPackages: 1, packages: [{ package: "winch", bundles: 2, ofBundles: 20 }] };

  test.each([
    [effect, "refuses no bundle"],
    [{ ...effect, refuses: 3 }, "refuses 3 of 12 bundles, which are refused already"],
    [{ ...effect, refuses: 2, hides }, "hides 2 of 12 bundles: winch (2 of 20)"],
    [
      { ...effect, refuses: 3, hides, failures: 1, failure: "no such key: tier" },
      "hides 2 of 12 bundles: winch (2 of 20); refuses 3 of 12 bundles in all; for 1 of them it cannot be evaluated: no such key: tier",
    ],
  ])("%#", (one, text) => {
    expect(constraintEffectText(one, 12)).toBe(text);
  });
});

test("a change says how it is now, and then", () => {
  const operator = { name: "etcd.v1.0.0", package: "etcd", version: "1.0.0", action: "keep" } as const;
  const newer = { name: "etcd.v2.0.0", package: "etcd", version: "2.0.0" };
  const other = { name: "kv.v3.0.0", package: "kv", version: "3.0.0", action: "update" } as const;
  const text = (before: ChangedPackage["before"], after: ChangedPackage["after"]): string =>
    changeText({ ...change("ops", "etcd", "other"), before, after });
  expect(text({ standing: "waits", operator, waiting: newer }, { standing: "refused", operator })).toBe(
    "ops/etcd: now stay at 1.0.0, 2.0.0 waits for approval; then stay at 1.0.0, refused",
  );
  expect(text({ standing: "update", operator: other }, { standing: "held-back", operator })).toBe(
    "ops/etcd: now update to kv.v3.0.0; then stay at 1.0.0",
  );
  expect(text({ standing: "waits", waiting: newer }, { standing: "none" })).toBe(
    "ops/etcd: now 2.0.0 waits for approval; then not installed",
  );
});
