// Are runtime constraints that were given and cannot be read ever taken for absent? With any format and mistake,
// nothing is installed while they stand.

import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { DEFAULT_LIMITS } from "../../src/input/limits.ts";
import { readRuntimeList } from "../../src/input/objects/runtime-constraints.ts";
import { parseNamedRequest } from "../../src/resolve/prepare/named-request.ts";
import { prepareProblems } from "../../src/resolve/prepare/prepare-problems.ts";
import type { NamedRequest } from "../../src/resolve/prepare/problem-inputs.ts";
import { resolve } from "../../src/resolve/resolve.ts";
import { InputFiles } from "../../src/source/input-files.ts";
import { loadObjects } from "../../src/source/load-objects.ts";
import { stocked } from "../worlds/scene.ts";
import { given } from "./prepare-given.ts";

const CATALOG = stocked({ lamp: { "1.0.0": [] } });

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "plimsoll-"));
});
afterEach(() => rmSync(directory, { recursive: true }));

/** Writes a file and gives its path. */
function file(name: string, content: string | Uint8Array): string {
  const path = join(directory, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  return path;
}

/** What comes of a request for lamp, with objects of these paths. */
async function answer(
  paths: readonly string[],
  configMap?: { namespace: string; name: string },
  limits = DEFAULT_LIMITS,
) {
  const files = new InputFiles(limits);
  const { objects } = await loadObjects(paths, files, undefined, configMap && [configMap.name]);
  const named = [parseNamedRequest("lamp") as NamedRequest];
  const { problems, warnings } = prepareProblems(
    given({}, { objects, catalogs: [CATALOG], named, configMap, readList: readRuntimeList }),
  );
  const [problem] = problems;
  const { outcome, operators } = resolve(problem as NonNullable<typeof problem>);
  return {
    outcome,
    operators: operators.map(({ name }) => name),
    problems: problem?.runtime.problems.length,
    codes: warnings.map(({ code }) => code),
  };
}

const CLOSED = { outcome: "Undecided", operators: [] };
const OPEN = { outcome: "Resolved", operators: ["lamp.v1.0.0"], problems: 0 };

/** The ConfigMap, with something in place of its data. */
function yaml(data: string, name = "olm-runtime-constraints", namespace = "olm"): string {
  return `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n  namespace: ${namespace}\n${data}`;
}

const SOUND = yaml("data: {properties: '[]'}\n");
const BROKEN = yaml("data:\n  properties: |\n  - type: x\n    value: [1\n");
const JSON_SOUND = `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"olm-runtime-constraints","namespace":"olm"},"data":{"properties":"[]"}}`;
const JSON_BROKEN = JSON_SOUND.replace('"data"', "data");
const OTHER = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: other, namespace: olm}\n";
const LONG = { ...DEFAULT_LIMITS, maxDocumentBytes: 2_000 };

test("what can be read is read", async () => {
  expect(await answer([file("a.yaml", SOUND)])).toEqual({ ...OPEN, codes: [] });
  expect(await answer([file("b.json", JSON_SOUND)])).toEqual({ ...OPEN, codes: [] });
});

describe("nothing is installed while the ConfigMap is unreadable", () => {
  test.each<[string, string, string | Uint8Array]>([
    ["YAML", "a.yaml", BROKEN],
    ["YAML with duplicate data", "a.yaml", `${yaml("data: {properties: x}\n")}data: {properties: '[]'}\n`],
    ["YAML with a duplicate list", "a.yaml", yaml("data:\n  properties: x\n  properties: '[]'\n")],
    ["YAML with a duplicate name", "a.yaml", SOUND.replace("olm\n", "olm\n  name: other\n")],
    ["JSON with duplicate data", "a.json", JSON_SOUND.replace('"data":', '"data":{"properties":"x"},"data":')],
    ["JSON with a duplicate name", "a.json", JSON_SOUND.replace('"namespace"', '"name":"other","namespace"')],
    ["the second of three YAML documents", "a.yaml", `${OTHER}---\n${BROKEN}---\n${OTHER}`],
    ["JSON", "a.json", JSON_BROKEN],
    ["JSON that ends too early", "a.json", JSON_SOUND.slice(0, -20)],
    ["JSON over several lines", "a.json", JSON.stringify(JSON.parse(JSON_SOUND), undefined, 2).slice(0, -4)],
    ["a JSON line behind a broken document", "a.jsonl", `{"a": }  ${JSON_SOUND}\n`],
    ["a JSON line", "a.jsonl", `{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"x"}}\n${JSON_BROKEN}\n`],
    ["a List in YAML", "a.yaml", `apiVersion: v1\nkind: List\nitems:\n- ${BROKEN.replaceAll("\n", "\n  ")}`],
    ["a List in JSON", "a.json", `{"apiVersion":"v1","kind":"List","items":[${JSON_BROKEN}]}`],
    [
      "an item of a List that is text",
      "a.json",
      `{"apiVersion":"v1","kind":"List","items":[${JSON.stringify(JSON_SOUND)}]}`,
    ],
    ["items that are no list", "a.json", `{"apiVersion":"v1","kind":"List","items":${JSON_SOUND}}`],
    ["a list of documents", "a.json", `[${JSON_SOUND}]`],
    ["no kind, and a name that is no text", "a.yaml", "metadata: {name: [olm-runtime-constraints], namespace: olm}\n"],
    ["a kind that is misspelt", "a.yaml", SOUND.replace("ConfigMap", "ConfigMpa")],
    ["data that is no text", "a.yaml", yaml("data: {properties: [1]}\n")],
    ["UTF-16", "a.yaml", Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(SOUND, "utf16le")])],
    ["bytes that are not UTF-8", "a.yaml", Buffer.concat([Buffer.from(SOUND), Buffer.from([0xc3, 0x28])])],
    ["a number that JSON does not have", "a.yaml", `${SOUND}extra: .nan\n`],
    [
      "a file that was cut off",
      "a.yaml.gz",
      gzipSync(`${OTHER}---\n${SOUND}${"# and so on\n".repeat(20_000)}`).subarray(0, -40),
    ],
  ])("%s", async (_, name, content) => {
    const path = file(join("objects", name), content);
    expect(await answer([path])).toMatchObject(CLOSED);
    expect(await answer([join(directory, "objects")])).toMatchObject(CLOSED);
  });

  test.each([
    ["YAML", "a.yaml", `${SOUND}# ${"x".repeat(1_500)}\n# ${"x".repeat(1_500)}\n`],
    ["YAML, where the name comes late", "a.yaml", `${"# x\n".repeat(1_000)}${SOUND}`],
    ["JSON", "a.json", JSON_SOUND.replace("[]", " ".repeat(3_000))],
  ])("a document that is too long: %s", async (_, name, content) => {
    expect(await answer([file(name, content)], undefined, LONG)).toMatchObject(CLOSED);
  });

  test("a file of its name that cannot be opened", async () => {
    mkdirSync(join(directory, "objects"));
    symlinkSync(join(directory, "nowhere"), join(directory, "objects", "olm-runtime-constraints.yaml"));
    expect(await answer([join(directory, "objects")])).toMatchObject(CLOSED);
    expect(await answer([join(directory, "olm-runtime-constraints.yaml")])).toMatchObject(CLOSED);
  });

  test("one mistake is one problem, at its document", async () => {
    expect(await answer([file("a.json", `${JSON_BROKEN}\n${JSON_SOUND}\n`)])).toMatchObject({ ...CLOSED, problems: 1 });
  });
});

describe("what has another name stops nothing", () => {
  test.each([
    ["YAML", "a.yaml", BROKEN],
    ["JSON", "a.json", JSON_BROKEN],
  ])("%s", async (_, name, content) => {
    const path = file(name, content.replace("olm-runtime-constraints", "something-else"));
    expect(await answer([path])).toMatchObject(OPEN);
    expect(await answer([file(name, content)], { namespace: "olm", name: "rules" })).toMatchObject(OPEN);
  });

  test("a sound ConfigMap beside a broken document", async () => {
    expect(await answer([file("a.yaml", `${SOUND}---\na: [\n---\n${OTHER}`)])).toMatchObject(OPEN);
  });
});

describe("a ConfigMap in the wrong place", () => {
  const RULES =
    'data: {properties: \'[{"type": "olm.constraint", "value": {"package": {"packageName": "oil", "versionRange": ">=0.0.0"}}}]\'}\n';

  test("another namespace, or none, is a warning", async () => {
    const elsewhere = yaml(RULES, undefined, "operators");
    const silent = elsewhere.replace("  namespace: operators\n", "");
    for (const text of [elsewhere, silent])
      expect(await answer([file("a.yaml", text)])).toEqual({ ...OPEN, codes: ["runtime-constraints-elsewhere"] });
  });

  test("it can be named", async () => {
    const path = file("a.yaml", yaml(RULES, "rules", "platform"));
    expect(await answer([path])).toEqual({ ...OPEN, codes: [] });
    expect(await answer([path], { namespace: "platform", name: "rules" })).toMatchObject({
      outcome: "Unsatisfiable",
      operators: [],
      codes: [],
    });
    expect(await answer([path], { namespace: "platform", name: "rule" })).toEqual({
      ...OPEN,
      codes: ["runtime-constraints-not-given"],
    });
  });
});
