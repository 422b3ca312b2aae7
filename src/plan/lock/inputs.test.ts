import { describe, expect, test } from "vitest";
import { request } from "../../../test/resolve/sample-resolution.ts";
import { running, scene } from "../../../test/worlds/scene.ts";
import { customResourceOf, definitionOf } from "../../model/definition-of.ts";
import type { JsonObject } from "../../model/json.ts";
import type { InputKind, LockedInput } from "../../model/lock.ts";
import type { Place } from "../../model/place.ts";
import type { ClusterDefinition, Installed, Problem, Request } from "../../model/problem.ts";
import { parseRange, type Range } from "../../semver/blang-range.ts";
import { inputsOf } from "./inputs.ts";

const AT: Place = { source: "a.yaml", line: 1, column: 1 };
const ELSEWHERE: Place = { source: "b.yaml", line: 7, column: 3, path: ["items", 4] };

function inputs(parts: Partial<Problem>, kind: InputKind): readonly LockedInput[] {
  return inputsOf(scene(parts), undefined).filter((one) => one.kind === kind);
}

function digests(parts: Partial<Problem>, kind: InputKind): readonly string[] {
  return inputs(parts, kind).map(({ digest }) => digest);
}

describe("requests", () => {
  const digest = (more: Partial<Request>): readonly string[] =>
    digests({ requests: [request("lamp", more)] }, "request");
  const plain = digest({});

  test.each<Partial<Request>>([
    { priority: 1 },
    { package: "other" },
    { catalog: { name: "harbour" } },
    { channel: "stable" },
    { range: parseRange(">1.0.0") as Range },
    { startingCSV: "lamp.v1.0.0" },
    { approval: "Manual" },
    { isApproved: true },
    { isGenerated: true },
  ])("%j is a different one", (more) => {
    expect(digest(more)).not.toEqual(plain);
  });

  test("its place makes no difference; the claimed operator is a separate input", () => {
    expect(digest({ place: ELSEWHERE, installed: "lamp.v1.0.0" })).toEqual(plain);
    const [claim] = inputs({ requests: [request("lamp", { installed: "lamp.v1.0.0" })] }, "claim");
    expect(claim).toMatchObject({ subject: "bridge/lamp", value: "lamp.v1.0.0" });
  });

  test("in short", () => {
    const more: Partial<Request> = {
      catalog: { name: "harbour", namespace: "olm" },
      channel: "stable",
      range: parseRange(">1.0.0") as Range,
      startingCSV: "lamp.v1.1.0",
      approval: "Manual",
      isGenerated: true,
      priority: 3,
    };
    expect(inputs({ requests: [request("lamp", more)] }, "request")[0]?.value).toBe(
      "olm/harbour/lamp@>1.0.0:stable, from lamp.v1.1.0 on, Manual, generated, priority 3",
    );
    expect(inputs({ requests: [request("lamp", { isApproved: true })] }, "request")[0]?.value).toBe("lamp, approved");
  });
});

describe("operators that run", () => {
  const digest = (more: Partial<Installed>): readonly string[] =>
    digests({ installed: [running("lamp.v1.0.0", [], more)] }, "installed");
  const plain = digest({ owned: ["g/v1/B", "g/v1/A"] });

  test.each<Partial<Installed>>([
    {},
    { owned: ["g/v1/A"] },
    { package: "other" },
    { version: undefined },
    { properties: [{ type: "custom", value: 1 }] },
    { minKubeVersion: "1.2.3" },
    { installModes: [{ type: "AllNamespaces", supported: true }] },
    { hold: { by: "flag", text: "because" } },
  ])("%j is a different one", (more) => {
    expect(digest({ owned: Object.keys(more).length === 0 ? undefined : ["g/v1/A", "g/v1/B"], ...more })).not.toEqual(
      plain,
    );
  });

  test("its place, and the order of what it owns, make no difference", () => {
    expect(digest({ owned: ["g/v1/A", "g/v1/B"], place: ELSEWHERE })).toEqual(plain);
  });
});

describe("custom kinds", () => {
  const object: JsonObject = {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "lamps.g", resourceVersion: "1" },
    spec: { group: "g", scope: "Cluster", names: { kind: "Lamp", plural: "lamps" }, versions: [] },
  };
  const lamp = (name: string, more: JsonObject = {}) =>
    customResourceOf({ apiVersion: "g/v1", kind: "Lamp", metadata: { name }, ...more }, "g/v1", "Lamp", AT);
  const digest = (
    definition: JsonObject,
    more: Partial<ClusterDefinition> = {},
    stored = ["v1", "v2"],
  ): readonly string[] =>
    digests(
      {
        definitions: [
          {
            definition: { ...definitionOf(definition, "v1", AT), storedVersions: stored },
            objects: undefined,
            ...more,
          },
        ],
      },
      "definition",
    );

  test("what the API server notes makes no difference", () => {
    const noted = { ...object, metadata: { name: "lamps.g", resourceVersion: "2" }, status: { conditions: [] } };
    expect(digest(noted)).toEqual(digest(object));
    expect(digest(object, {}, ["v2", "v1"])).toEqual(digest(object));
    const touched = lamp("a", { metadata: { name: "a", generation: 5 } });
    expect(digest(object, { objects: [touched, lamp("b")] })).toEqual(
      digest(object, { objects: [lamp("b"), lamp("a")] }),
    );
  });

  test("everything else does", () => {
    const spec = { ...(object.spec as JsonObject), scope: "Namespaced" };
    const all = [
      digest(object),
      digest({ ...object, spec }),
      digest(object, {}, ["v1"]),
      digest(object, { isPartial: true }),
      digest(object, { objects: [] }),
      digest(object, { objects: [lamp("a")] }),
      digest(object, { objects: [lamp("b")] }),
      digest(object, { objects: [lamp("a", { spec: { lit: true } })] }),
    ];
    expect(new Set(all.map((one) => one.join())).size).toBe(all.length);
  });
});

describe("the rest", () => {
  test("what was removed, and APIs without an operator", () => {
    const parts = { removed: ["lamp"], gone: [running("lamp.v1.0.0")], orphans: ["g/v1/Lamp"] };
    expect(inputs(parts, "removed").map(({ subject }) => subject)).toEqual(["lamp", "lamp.v1.0.0"]);
    expect(inputs(parts, "orphan").map(({ subject }) => subject)).toEqual(["g/v1/Lamp"]);
  });

  test("constraints, by their numbers, with their messages", () => {
    const entry = (value: JsonObject, type = "olm.constraint") => ({ property: { type, value }, place: AT });
    const parts = (...entries: readonly ReturnType<typeof entry>[]) => ({ runtime: { entries, problems: [] } });
    const rule = { cel: { rule: "true" } };
    expect(
      inputs(parts(entry({ ...rule, failureMessage: "no" }), entry({ message: "a\nb" }), entry(rule)), "constraint"),
    ).toMatchObject([
      { subject: "1", value: '"no"' },
      { subject: "2", value: '"a\\nb"' },
      { subject: "3", value: '{"cel":{"rule":"true"}}' },
    ]);
    expect(digests(parts(entry(rule)), "constraint")).not.toEqual(digests(parts(entry(rule, "x")), "constraint"));
  });

  test("constraints that cannot be read", () => {
    const problem = { code: "PL003", severity: "error", message: "this is no list", place: AT } as const;
    const runtime = { entries: [], problems: [problem] };
    expect(inputs({ runtime }, "constraint")).toMatchObject([{ subject: "PL003", value: "this is no list" }]);
  });

  test("a long value is cut between characters; its digest is of all of it", () => {
    const fact = (value: string) => inputs({ node: { properties: [{ type: "long", value }] } }, "fact")[0];
    const text = `${"x".repeat(199)}🚢`;
    expect(fact(`${text}a`)?.value).toBe(`${"x".repeat(199)}…`);
    expect(fact(`${text}a`)?.digest).not.toBe(fact(`${text}b`)?.digest);
    expect(fact("")?.value).toBe('""');
  });

  test("every given option", () => {
    expect(inputs({}, "option").map(({ subject }) => subject)).toContain("maxConflicts");
    expect(inputs({}, "option").map(({ subject }) => subject)).not.toContain("crdSeverities");
  });
});
