import { describe, expect, test } from "vitest";
import { type Finding, RULES } from "../model/finding.ts";
import type { Json } from "../model/json.ts";
import { printPath } from "../model/place.ts";
import { CRD_RULES } from "./finding-codes.ts";
import { readCrdSettings } from "./settings.ts";

const PLACE = { source: "settings.yaml", line: 1, column: 1 };

function read(document: Json): {
  readonly choices: Readonly<Record<string, string>>;
  readonly messages: readonly string[];
} {
  const findings: Finding[] = [];
  const choices = readCrdSettings(document, PLACE, (finding) => findings.push(finding));
  const messages = findings.map(
    ({ code, message, help, place }) => `${code} ${printPath(place.path ?? [])}: ${message}; ${help}`,
  );
  return { choices: Object.fromEntries(choices), messages };
}

describe("the severities that a file chooses", () => {
  test("by name and by code", () => {
    const severities = { "enum-narrowed": "warning", CRD301: "error", "unknown-difference": "off", CRD102: "info" };
    expect(read({ severities })).toEqual({
      choices: { CRD203: "warning", CRD301: "error", CRD299: "off", CRD102: "info" },
      messages: [],
    });
  });

  test("a bare off is false to YAML, and is off all the same", () => {
    expect(read({ severities: { CRD203: false } })).toEqual({ choices: { CRD203: "off" }, messages: [] });
    expect(read({ severities: { CRD203: false, "enum-narrowed": "off" } }).messages).toEqual([]);
  });

  test("every rule has a name of its own, by which it can be chosen", () => {
    for (const [code, { name }] of Object.entries(CRD_RULES))
      expect(read({ severities: { [name]: "off" } })).toEqual({ choices: { [code]: "off" }, messages: [] });
  });

  test("apiVersion and kind may be there; nothing need be", () => {
    expect(read({})).toEqual({ choices: {}, messages: [] });
    expect(read({ apiVersion: "plimsoll.dev/v1alpha1", kind: "CrdSettings", severities: {} }).messages).toEqual([]);
  });

  test("the same choice by both names is fine, a different one is a mistake", () => {
    expect(read({ severities: { CRD203: "off", "enum-narrowed": "off" } }).messages).toEqual([]);
    expect(read({ severities: { CRD203: "off", "enum-narrowed": "info" } })).toEqual({
      choices: { CRD203: "off" },
      messages: [
        "PL009 severities.enum-narrowed: enum-narrowed is chosen twice: CRD203 and enum-narrowed are the same rule; keep one of them",
      ],
    });
  });
});

describe("mistakes are reported at their place, and the rest still counts", () => {
  test.each([
    [
      { severities: { "enum-narowed": "off", CRD301: "off" } },
      'PL010 severities.enum-narowed: no rule is called "enum-narowed"; did you mean "enum-narrowed"?',
    ],
    [
      { severities: { nonsense: "off", CRD301: "off" } },
      'PL010 severities.nonsense: no rule is called "nonsense"; write the code of a rule, such as CRD203, or its name, such as enum-narrowed',
    ],
    [
      { severities: { CRD203: "warn", CRD301: "off" } },
      'PL009 severities.CRD203: the severity of CRD203 must be error, warning, info or off, but is "warn"; did you mean "warning"?',
    ],
    [
      { severities: { CRD203: true, CRD301: "off" } },
      "PL009 severities.CRD203: the severity of CRD203 must be error, warning, info or off, but is true or false; write error, warning, info or off",
    ],
    [
      { severity: {}, severities: { CRD301: "off" } },
      'PL010 severity: unknown field "severity"; remove it: it is ignored',
    ],
    [
      { kind: "Settings", severities: { CRD301: "off" } },
      'PL009 kind: the kind of the settings must be CrdSettings, but is "Settings"; write CrdSettings, or leave kind out',
    ],
  ])("%j", (document, message) => {
    expect(read(document)).toEqual({ choices: { CRD301: "off" }, messages: [message] });
  });

  test("a misspelt list of severities", () => {
    expect(read({ severites: { CRD301: "off" } })).toEqual({
      choices: {},
      messages: ['PL010 severites: unknown field "severites"; did you mean "severities"?'],
    });
  });

  test.each([null, [], "CRD203", 3])("%j is no settings", (document) => {
    expect(read(document).messages).toHaveLength(1);
    expect(read({ severities: document }).messages).toHaveLength(1);
    expect(RULES.PL009.severity).toBe("error");
  });

  test("names that every object has are no rules", () => {
    const severities = JSON.parse('{"__proto__": "off", "constructor": "off", "toString": "off"}') as Json;
    const { choices, messages } = read({ severities });
    expect(choices).toEqual({});
    expect(messages).toHaveLength(3);
  });
});
