// What is reported for changes of subresources and webhooks, and for definitions that preserve unknown fields?

import { expect, test } from "vitest";
import { checkUpgrade, type FindingInWords } from "../../../test/crd/in-words.ts";
import { definition, PLAIN, spec, type WrittenDefinition } from "../../../test/crd/winches.ts";
import type { JsonObject } from "../../model/json.ts";
import { NOTHING_KNOWN } from "./circumstances.ts";

const V1: WrittenDefinition["versions"] = { v1: "served storage" };

type Definition = ReturnType<typeof definition>;

const found = (before: Definition, after: Definition): readonly FindingInWords[] =>
  checkUpgrade(before, after, NOTHING_KNOWN);

const codes = (findings: readonly FindingInWords[]) =>
  findings.map(({ code, version, path }) => `${code} ${version} ${path}`);

test("a changed subresource is reported", () => {
  const scaled = (scale: JsonObject) =>
    definition({ versions: { v1: { flags: "served storage", schema: PLAIN, more: { subresources: { scale } } } } });
  const [a, b] = [{ specReplicasPath: ".spec.a" }, { specReplicasPath: ".spec.a", labelSelectorPath: ".status.s" }];
  expect(found(scaled(a), scaled(b))).toMatchObject([
    {
      code: "CRD114",
      severity: "warning",
      path: ".status.s",
      message: 'labelSelectorPath of the subresource scale of v1 is ".status.s", and was no field',
      help: "leave labelSelectorPath out, unless it is meant",
    },
  ]);
  expect(found(scaled(b), scaled(b))).toEqual([]);
  expect(found(scaled(a), scaled({ ...a, labelSelectorPath: "" }))).toEqual([]);
  const bare = definition({ versions: V1 });
  const status = definition({
    versions: { v1: { flags: "served storage", schema: PLAIN, more: { subresources: { status: {} } } } },
  });
  expect(found(bare, status)).toMatchObject([
    {
      code: "CRD114",
      severity: "warning",
      path: ".status",
      message: "v1 has the subresource status from now on",
      place: { path: ["spec", "versions", 0, "subresources"] },
    },
  ]);
  const shared = (path: string) =>
    definition({
      versions: V1,
      apiVersion: "v1beta1",
      spec: { subresources: { scale: { specReplicasPath: path } } },
    });
  expect(codes(found(shared(".spec.a"), shared(".spec.b")))).toEqual(["CRD114 v1 .spec.b"]);
});

test("a removed webhook is reported unless a single version is left", () => {
  const two = definition({ versions: { ...V1, v2: "" }, webhook: true, source: "old.yaml" });
  expect(codes(found(two, definition({ versions: V1 })))).toEqual(["CRD115 v2 "]);
  const [finding] = found(two, definition({ versions: { ...V1, v2: "" } }));
  expect(finding).toMatchObject({ code: "CRD110", place: { source: "old.yaml", path: ["spec", "conversion"] } });
});

test("what a definition keeps although no schema names it is not lost", () => {
  const keeps = (schema: JsonObject | undefined) =>
    definition({ versions: { v1: { flags: "served storage", schema } }, apiVersion: "v1beta1" });
  expect(found(keeps(PLAIN), keeps(spec({})))).toMatchObject([
    {
      code: "CRD209",
      severity: "info",
      message: ".spec.brake in v1: the field is no longer there; its values are kept, but not checked",
      why: "objects stay valid, but its values are no longer checked, and a misspelt one is not noticed",
    },
  ]);
  const [first] = found(keeps(undefined), keeps(PLAIN));
  expect(first).toMatchObject({
    code: "CRD215",
    severity: "warning",
    why: "objects that are not valid under the schema can no longer be written",
  });
  expect(first?.help).toContain("nothing is dropped");
  const [dropping] = found(definition({ versions: { v1: { flags: "served storage" } } }), definition({ versions: V1 }));
  expect(dropping?.why).toBe(
    "objects that are not valid under the schema can no longer be written, and values under fields that it does not name are lost",
  );
  const both = (flags: string, schema: JsonObject) =>
    definition({
      versions: { v1: { flags: "served storage", schema: PLAIN }, v2: { flags, schema } },
      apiVersion: "v1beta1",
    });
  expect(found(both("", spec({})), both("served", spec({})))).toMatchObject([
    { code: "CRD209", severity: "info", version: "v1 -> v2" },
  ]);
});

test("a subresource that a v1beta1 definition removed from all versions is reported at its place", () => {
  const shared = (subresources: JsonObject) =>
    definition({ versions: V1, apiVersion: "v1beta1", spec: { subresources } });
  expect(found(shared({ status: {}, scale: {} }), shared({ status: {} }))).toMatchObject([
    { code: "CRD112", place: { path: ["spec", "subresources"] } },
  ]);
});
