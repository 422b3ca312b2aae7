// Every rule: a change that it is about, and how that reads to the author of an operator.

import { describe, expect, test } from "vitest";
import { checkUpgrade } from "../../test/crd/in-words.ts";
import type { Example } from "../../test/crd/rule-example.ts";
import { SCHEMA_EXAMPLES } from "../../test/crd/schema-examples.ts";
import { VERSION_EXAMPLES } from "../../test/crd/version-examples.ts";
import { definition } from "../../test/crd/winches.ts";
import { printPath } from "../model/place.ts";
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
