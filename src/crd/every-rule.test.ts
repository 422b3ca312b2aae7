// Every rule: a change that it is about, and how that reads to the author of an operator.

import { describe, expect, test } from "vitest";
import { checkUpgrade } from "../../test/crd/in-words.ts";
import type { Example } from "../../test/crd/rule-example.ts";
import { SCHEMA_EXAMPLES } from "../../test/crd/schema-examples.ts";
import { VERSION_EXAMPLES } from "../../test/crd/version-examples.ts";
import { definition } from "../../test/crd/winches.ts";
import { printPath } from "../model/place.ts";
import { crdMessage } from "../render/sentence/crd.ts";
import { checkUpgrade as findings } from "./check-upgrade.ts";
import { type CrdStatement, messageKey } from "./finding.ts";
import { CRD_RULES, type CrdCode } from "./finding-codes.ts";
import { NOTHING_KNOWN } from "./upgrade/circumstances.ts";

const EXAMPLES: Readonly<Record<CrdCode, Example>> = { ...VERSION_EXAMPLES, ...SCHEMA_EXAMPLES };

describe.each(Object.entries(EXAMPLES) as [CrdCode, Example][])("%s", (code, { before, after, given, expected }) => {
  const circumstances = { ...NOTHING_KNOWN, ...given };
  const found = checkUpgrade(before && definition(before), after && definition(after), circumstances);

  test(CRD_RULES[code].meaning, () => {
    const mine = found.filter((finding) => finding.code === code);
    expect(mine).toHaveLength(1);
    const [{ place, message, help } = { place: { source: "", path: [] }, message: "", help: "" }] = mine;
    expect([`${place.source} ${printPath(place.path ?? [])}`, message, help]).toEqual(expected);
  });

  test("is not reported if nothing changes", () => {
    if (before === undefined || code.startsWith("CRD3")) return;
    const same = checkUpgrade(definition(before), definition(before), { ...NOTHING_KNOWN });
    expect(same.map((finding) => finding.code)).not.toContain(code);
  });

  test("can be switched off, and everything else stays", () => {
    const severities = new Map([[code, "off" as const]]);
    const rest = checkUpgrade(before && definition(before), after && definition(after), {
      ...circumstances,
      severities,
    });
    expect(rest).toEqual(found.filter((finding) => finding.code !== code));
  });
});

test("findings are plain data, in plain sentences", () => {
  const all = Object.values(EXAMPLES).flatMap(({ before, after, given }) =>
    checkUpgrade(before && definition(before), after && definition(after), { ...NOTHING_KNOWN, ...given }),
  );
  for (const finding of all) {
    expect(finding.crd).toBe("winches.harbour.example.com");
    expect(finding).not.toHaveProperty("effect");
    expect(finding).not.toHaveProperty("shownBy");
    expect(finding).not.toHaveProperty("unseenByOlm");
    expect(finding.message).not.toMatch(/\.$|undefined|^[A-Z]/);
    expect(finding.help).not.toMatch(/\.$|undefined|^[A-Z]/);
  }
});

/** Another value of the same type; undefined for the tag of a union and for structures. */
function otherValue(key: string, value: unknown): unknown {
  if (key === "subresource" || (key === "kind" && value !== "Winch")) return undefined;
  if (typeof value === "boolean") return !value;
  if (typeof value === "number") return value + 1;
  if (Array.isArray(value)) return value.every((item) => typeof item === "string") ? ["other"] : undefined;
  return typeof value === "string" ? (key === "lost" ? undefined : "other") : undefined;
}

test("a detail of a finding changes its key if and only if it changes its message", () => {
  const wrong: string[] = [];
  for (const { before, after, given } of Object.values(EXAMPLES)) {
    const circumstances = { ...NOTHING_KNOWN, ...given };
    for (const finding of findings(before && definition(before), after && definition(after), circumstances))
      for (const [key, value] of Object.entries(finding.detail)) {
        const other = otherValue(key, value);
        // The name is part of the message only if the definition is removed.
        if (other === undefined || (key === "crd" && "lost" in finding.detail)) continue;
        const changed = { ...finding, detail: { ...finding.detail, [key]: other } } as CrdStatement;
        const [message, same] = [
          crdMessage(changed) === crdMessage(finding),
          messageKey(changed) === messageKey(finding),
        ];
        if (message !== same) wrong.push(`${finding.code} ${key}: message ${message}, key ${same}`);
      }
  }
  expect([...new Set(wrong)]).toEqual([]);
});
