import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type JsonObject, printJson } from "../model/json.ts";
import { printPlace } from "../model/place.ts";
import { readLock } from "./read-lock.ts";

const CHANGE: JsonObject = { package: "lamp", from: null, to: "lamp.v1.0.0", catalog: "harbour", channel: "stable" };

const PLAN: JsonObject = {
  namespace: "ns",
  inputs: [{ kind: "catalog", subject: "harbour", value: "priority 0", digest: "sha256:1" }],
  packages: [{ catalog: "harbour", package: "lamp", digest: "sha256:2", bundles: ["lamp.v1.0.0"] }],
  bundles: [{ catalog: "harbour", package: "lamp", name: "lamp.v1.0.0", channel: "stable", digest: "sha256:3" }],
  generations: [{ steps: [{ changes: [CHANGE] }] }],
  end: "done",
};

const WHOLE: JsonObject = { apiVersion: "plimsoll.dev/v1alpha1", kind: "Lock", engine: "1.2.3", plans: [PLAN] };

function read(document: JsonObject) {
  return readLock(printJson(document), "plan.lock");
}

function wrong(document: JsonObject): readonly string[] {
  const { lock, findings } = read(document);
  expect(lock).toBeUndefined();
  return findings.map(({ message }) => message);
}

describe("a lock file", () => {
  test("that is whole", () => {
    expect(read(WHOLE)).toEqual({
      findings: [],
      lock: {
        engine: "1.2.3",
        plans: [
          {
            namespace: "ns",
            inputs: PLAN.inputs,
            packages: PLAN.packages,
            bundles: PLAN.bundles,
            generations: [
              {
                steps: [[{ ...CHANGE, from: undefined, alsoFrom: [], subscriptions: [] }]],
              },
            ],
            end: "done",
          },
        ],
      },
    });
  });

  test("with namespaces in any order", () => {
    const { lock } = read({ ...WHOLE, plans: [PLAN, { ...PLAN, namespace: "a" }] });
    expect(lock?.plans.map(({ namespace }) => namespace)).toEqual(["a", "ns"]);
  });

  test("with what may be left out", () => {
    const { packages: _, bundles: __, ...less } = PLAN;
    expect(read({ ...WHOLE, plans: [less] }).lock?.plans[0]).toMatchObject({ packages: [], bundles: [] });
  });

  test("that is not one", () => {
    expect(wrong({ ...WHOLE, kind: "Problem" })[0]).toContain("kind");
    expect(wrong({ ...WHOLE, plans: [{ ...PLAN, end: 5 }] })[0]).toContain("plans[0].end");
    expect(wrong({ ...WHOLE, plans: [{ ...PLAN, inputs: [{ kind: "odd", digest: "x" }] }] })[0]).toContain("odd");
    expect(wrong({ ...WHOLE, plans: [PLAN, PLAN] })).toEqual(["the lock has namespace ns twice"]);
    const { namespace: __, ...nowhere } = PLAN;
    expect(wrong({ ...WHOLE, plans: [nowhere] })).toEqual(["a plan of the lock has neither a namespace nor a scope"]);
    const ofCluster = { ...nowhere, scope: "cluster" };
    expect(wrong({ ...WHOLE, plans: [ofCluster, ofCluster] })).toEqual(["the lock has the cluster scope twice"]);
    expect(read({ ...WHOLE, plans: [PLAN, ofCluster] }).lock?.plans.map(({ namespace }) => namespace)).toEqual([
      "",
      "ns",
    ]);
    const { engine: _, ...less } = WHOLE;
    expect(wrong(less)[0]).toContain("engine");
  });

  test("that is not JSON: reported with its place", () => {
    const { findings } = readLock('{\n  "kind": Lock\n}', "plan.lock");
    expect(findings).toHaveLength(1);
    expect(findings[0]?.message).toMatch(/^this is not a lock file: /);
    expect(printPlace(findings[0]?.place ?? { source: "", line: 0, column: 0 })).toBe("plan.lock:2:11");
  });

  test("of any content does no harm", () => {
    const text = printJson(WHOLE);
    fc.assert(
      fc.property(fc.nat(text.length), fc.nat(20), fc.string({ maxLength: 5 }), (at, length, more) => {
        const { lock, findings } = readLock(text.slice(0, at) + more + text.slice(at + length), "plan.lock");
        expect(lock !== undefined || findings.length > 0).toBe(true);
      }),
    );
    expect(readLock("[".repeat(100_000), "plan.lock").lock).toBeUndefined();
    expect(readLock('{"__proto__": {"kind": "Lock"}}', "plan.lock").lock).toBeUndefined();
  });
});
