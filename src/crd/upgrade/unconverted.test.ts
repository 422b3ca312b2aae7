import { describe, expect, test } from "vitest";
import { definition, PLAIN, spec, type WrittenDefinition } from "../../../test/crd/winches.ts";
import { checkUpgrade } from "../check-upgrade.ts";
import { NOTHING_KNOWN } from "./circumstances.ts";

const ROPE = spec({ rope: { type: "string" } });
const V1 = { flags: "served", schema: ROPE };
const V2 = { flags: "served storage", schema: PLAIN };

function findingLines(before: WrittenDefinition, after: WrittenDefinition, compat = false): readonly string[] {
  return checkUpgrade(definition(before), definition(after), { ...NOTHING_KNOWN, compat })
    .filter(({ code }) => code === "CRD119")
    .map(({ severity, version }) => `${severity} ${version}`);
}

describe("a webhook goes while objects may be stored in a version that it converted", () => {
  const before: WrittenDefinition = { versions: { v1: V1, v2: V2 }, webhook: true, stored: ["v1", "v2"] };
  const after: WrittenDefinition = { versions: { v1: V1, v2: V2 } };

  test("that is an error, also for one owner; OLM does not ask", () => {
    expect(findingLines(before, after)).toEqual(["error v1"]);
    expect(findingLines(before, after, true)).toEqual(["info v1"]);
  });

  test("also where storage moves in the same step: they are stored in the old storage version", () => {
    const stored = {
      versions: { v1: { ...V1, flags: "served storage" }, v2: { ...V2, flags: "served" } },
      webhook: true,
    };
    expect(findingLines({ ...stored, stored: ["v1"] }, after)).toEqual(["error v1"]);
    expect(findingLines(stored, after)).toEqual(["error v1"]);
  });

  test.each<[string, WrittenDefinition, WrittenDefinition]>([
    ["all are stored in the storage version", { ...before, stored: ["v2"] }, after],
    ["the webhook stays", before, { ...after, webhook: true }],
    ["there was none", { ...before, webhook: false }, after],
    ["both versions have the same schema", { ...before, versions: { v1: { ...V1, schema: PLAIN }, v2: V2 } }, after],
    ["the version is removed as well, which is the stronger finding", before, { versions: { v2: V2 } }],
    ["the stored versions are unknown", { ...before, stored: [] }, after],
  ])("not where %s", (_, old, now) => {
    expect(findingLines(old, now)).toEqual([]);
  });
});
