import { describe, expect, test } from "vitest";
import { definition, spec, type WrittenDefinition, winch } from "../../test/crd/winches.ts";
import { lossText } from "../render/sentence/crd-words.ts";
import { type RewriteCircumstances, rewriteLoss, shortLoss } from "./rewrite-loss.ts";

const TEXT = { type: "string" } as const;
const BOTH: WrittenDefinition["versions"] = {
  v1: { flags: "served", schema: spec({ rope: TEXT, brake: TEXT }) },
  v2: { flags: "served storage", schema: spec({ brake: TEXT }) },
};
const CRD = definition({ versions: BOTH });
const ALONE: RewriteCircumstances = { owners: 1, objects: undefined, isPartial: false, severities: new Map() };
const ROPED = winch("a", "v1", { rope: "hemp", brake: "band" });
const PLAIN = winch("b", "v1", { brake: "band" });

function loss(more: Partial<RewriteCircumstances> = {}, crd = CRD, stored: readonly string[] = ["v1", "v2"]) {
  const found = rewriteLoss(crd, stored, { ...ALONE, ...more });
  return { codes: found.map(({ severity, code }) => `${severity} ${code}`), text: lossText(shortLoss(found)) };
}

describe("a field that only the older version has", () => {
  test("may be lost where objects are not given: doubtful with one owner, not to be done with several", () => {
    expect(loss()).toEqual({ codes: ["warning CRD209"], text: ".spec.rope" });
    expect(loss({ owners: 2 })).toEqual({ codes: ["error CRD209"], text: ".spec.rope" });
  });

  test("is lost if an object has it, for any owner", () => {
    for (const owners of [1, 2])
      expect(loss({ owners, objects: [PLAIN, ROPED] })).toMatchObject({
        codes: expect.arrayContaining(["error CRD302"]),
        text: ".spec.rope of quay-north/a",
      });
  });

  test("is not where no object has it", () => {
    expect(loss({ owners: 2, objects: [PLAIN] })).toEqual({ codes: [], text: "" });
  });

  test("may be lost where objects were given as the storage version shows them, or not all", () => {
    expect(loss({ objects: [PLAIN, winch("c", "v2", { brake: "band" })] }).codes).toEqual(["warning CRD209"]);
    expect(loss({ objects: [PLAIN], isPartial: true }).codes).toEqual(["warning CRD209"]);
    expect(loss({ objects: [PLAIN, winch("b", "v2", { brake: "band" })] }).codes).toEqual([]);
  });

  test("may be called harmless", () => {
    const severities = new Map([["CRD302", "warning" as const]] as const);
    const { codes } = loss({ objects: [ROPED], severities });
    expect(codes).toEqual(["warning CRD209", "warning CRD302"]);
    expect(loss({ severities: new Map([["CRD209", "off" as const]] as const) }).codes).toEqual([]);
  });
});

test.each([
  ["nothing is stored in it", CRD, ["v2"]],
  ["a webhook converts objects", definition({ versions: BOTH, webhook: true }), ["v1", "v2"]],
  ["the newer version has all that the older has", definition({ versions: { v1: "", v2: "served storage" } }), ["v1"]],
  ["the definition does not have the version", CRD, ["v0"]],
])("nothing is lost where %s", (_, crd, stored) => {
  expect(loss({ owners: 2, objects: [ROPED] }, crd, stored).codes).toEqual([]);
});
