// Does the CRD of a Resolution say what the types say, and is it one that an API server takes and people can read? The published JSON
// Schema is the same schema in the words of JSON Schema; PLIMSOLL_UPDATE_DOCS=1 npm test writes it anew.

import { readFileSync, writeFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { checkRules } from "../../src/crd/cel-rules/check-rules.ts";
import { readSchema } from "../../src/crd/schema/read-schema.ts";
import { isList, isObject, type Json, type JsonObject, partOf } from "../../src/model/json.ts";
import { printPath } from "../../src/model/place.ts";
import { MAX_STATUS_LIST, MAX_STATUS_TEXT } from "../../src/model/resolution-object.ts";
import { documentsOf } from "../case-documents.ts";
import { validatorFor } from "../crd/in-words.ts";
import { jsonSchemaOf } from "./json-schema.ts";
import {
  CHOICES,
  COMPLETE_SPEC,
  COMPLETE_STATUS,
  LEAST_STATUS,
  MODES,
  resolutionObject,
} from "./resolution-examples.ts";

const [DEFINITION = {}] = documentsOf("deploy/resolution/crd.yaml");
const [VERSION = {}] = partOf(DEFINITION, "spec").versions as readonly JsonObject[];
const SCHEMA = partOf(partOf(VERSION, "schema"), "openAPIV3Schema");
const VALIDATOR = validatorFor(readSchema(SCHEMA).schema, { preserveUnknownFields: false, celCostLimit: 10_000_000 });
const PUBLISHED = "schemas/resolution.schema.json";

/** A node of the schema, with its path: `status.operators[].version`. */
interface Field {
  readonly path: string;
  readonly node: JsonObject;
}

/** All nodes below one, parents first. */
function fieldsBelow({ path, node }: Field): readonly Field[] {
  const { properties, items } = node;
  const fields = Object.entries(isObject(properties) ? properties : {}).map(([name, one]) => ({
    path: path === "" ? name : `${path}.${name}`,
    node: one as JsonObject,
  }));
  const inner = isObject(items) ? [...fields, { path: `${path}[]`, node: items }] : fields;
  return inner.flatMap((one) => [one, ...fieldsBelow(one)]);
}

const FIELDS = fieldsBelow({ path: "", node: SCHEMA });

/** What is wrong with an object. */
function faultsOf(object: JsonObject): readonly string[] {
  const { faults, dropped, undecided } = VALIDATOR.validate(JSON.parse(JSON.stringify(object)) as JsonObject);
  expect(undecided).toBeUndefined();
  return [
    ...dropped.map((path) => `${printPath(path)} is unknown`),
    ...faults.map(({ path, message }) => `${printPath(path)} ${message}`),
  ];
}

/** The paths of all values of an example, as those of the schema. */
function pathsIn(value: unknown, path: string): readonly string[] {
  if (Array.isArray(value)) return [...new Set(value.flatMap((item) => [`${path}[]`, ...pathsIn(item, `${path}[]`)]))];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, one]) => [`${path}.${name}`, ...pathsIn(one, `${path}.${name}`)]);
}

/** Every object in a value, each with a function that makes the value without one of its fields. */
function* objectsIn(
  value: unknown,
  path: string,
  put: (changed: unknown) => unknown,
): Generator<{ readonly path: string; without(field: string): unknown; readonly fields: readonly string[] }> {
  if (Array.isArray(value)) {
    for (const [at, item] of value.entries())
      yield* objectsIn(item, `${path}[]`, (changed) => put(value.with(at, changed)));
  } else if (typeof value === "object" && value !== null) {
    yield {
      path,
      fields: Object.keys(value),
      without: (field) => put(Object.fromEntries(Object.entries(value).filter(([name]) => name !== field))),
    };
    for (const [name, one] of Object.entries(value))
      yield* objectsIn(one, `${path}.${name}`, (changed) => put({ ...value, [name]: changed }));
  }
}

describe("the schema and the types", () => {
  test("have the same fields", () => {
    expect(
      faultsOf(resolutionObject({ spec: COMPLETE_SPEC, status: COMPLETE_STATUS } as unknown as JsonObject)),
    ).toEqual([]);
    const ofTypes = ["spec", ...pathsIn(COMPLETE_SPEC, "spec"), "status", ...pathsIn(COMPLETE_STATUS, "status")];
    const own = FIELDS.map(({ path }) => path).filter((path) => !["apiVersion", "kind", "metadata"].includes(path));
    expect([...ofTypes].sort()).toEqual([...own].sort());
  });

  test("require the same fields", () => {
    expect(faultsOf(resolutionObject({ status: LEAST_STATUS } as unknown as JsonObject))).toEqual([]);
    let required = 0;
    for (const { path, fields, without } of objectsIn(LEAST_STATUS, "status", (changed) => changed))
      for (const field of path === "status" ? [] : fields) {
        const faults = faultsOf(resolutionObject({ status: without(field) } as JsonObject));
        expect(
          faults.map((fault) => fault.replace(/^.*\.(\w+) /, "$1 ")),
          `${path}.${field}`,
        ).toEqual([`${field} is required, but not there`]);
        required++;
      }
    expect(required).toBe(30);
  });

  test("have the same choices", () => {
    const chosen = FIELDS.filter(({ node }) => node.enum !== undefined).map(({ path, node }) => [path, node.enum]);
    expect(chosen).toEqual(Object.entries(CHOICES).map(([path, texts]) => [path, Object.keys(texts)]));
  });

  test("a condition has what Kubernetes requires of one", () => {
    const [condition] = FIELDS.filter(({ path }) => path === "status.conditions[]");
    expect(condition?.node.required).toEqual(["type", "status", "lastTransitionTime", "reason", "message"]);
  });
});

describe("the API server", () => {
  test("can use the whole schema, and its rules are cheap", () => {
    const { schema, faults } = readSchema(SCHEMA);
    expect([faults, checkRules(schema)]).toEqual([[], []]);
    expect(JSON.stringify(DEFINITION)).not.toContain("preserve-unknown-fields");
  });

  test("puts the defaults in", () => {
    const defaults = { mode: "Advise", approval: "FromSubscriptions", allOrNothing: false };
    for (const parts of [{}, { spec: {} }])
      expect(VALIDATOR.validate(resolutionObject(parts)).object.spec).toEqual(defaults);
  });

  const NAMES =
    "metadata.name must be plimsoll, for the Subscriptions of this namespace, or cluster, for the ClusterExtensions, in the namespace of the controller";
  test.each<readonly [string, JsonObject, readonly string[]]>([
    ["the mode Enforce", { mode: "Enforce" }, ["mode Enforce is not available in this version; use Advise or Off"]],
    ["another mode", { mode: "advise" }, ["mode must be Advise or Off"]],
    ["a package twice", { hold: ["winch", "winch"] }, ["spec.hold"]],
    ["no name of a package", { hold: ["winch "] }, ["spec.hold[0]"]],
    ["too many packages", { hold: Array.from({ length: 257 }, (_, at) => `p${at}`) }, ["at most 256"]],
    ["an approval that there is not", { approval: "Automatic" }, ["spec.approval"]],
  ])("refuses %s", (_, spec, parts) => {
    const faults = faultsOf(resolutionObject({ spec }));
    expect(faults).toHaveLength(parts.length);
    for (const [at, part] of parts.entries()) expect(faults[at]).toContain(part);
  });

  test("takes every mode that the types have, and two names", () => {
    for (const mode of MODES) expect(faultsOf(resolutionObject({ spec: { mode } }))).toEqual([]);
    expect(faultsOf(resolutionObject({}, "cluster"))).toEqual([]);
    expect(faultsOf(resolutionObject({}, "Plimsoll")).join()).toContain(NAMES);
    expect(faultsOf(resolutionObject({}, "other")).join()).toContain(NAMES);
  });
});

describe("the schema", () => {
  test("describes every field, in sentences, but the metadata, which the API server describes", () => {
    const described = FIELDS.filter(({ node }) => /^[A-Z].*[.]$/s.test(`${node.description}`));
    const others = FIELDS.map(({ path }) => path).filter((path) => !described.some((one) => one.path === path));
    expect(others).toEqual(["metadata"]);
    expect(SCHEMA.description).toContain("Plimsoll's advice");
  });

  test("says what each column of kubectl means, but the age", () => {
    const columns = VERSION.additionalPrinterColumns as readonly JsonObject[];
    expect(columns.filter(({ description }) => description === undefined).map(({ name }) => name)).toEqual(["Age"]);
    const known = new Set(FIELDS.map(({ path }) => `.${path}`));
    const paths = columns.map(({ jsonPath }) => jsonPath as string);
    expect(paths.filter((path) => !known.has(path))).toEqual([".metadata.creationTimestamp"]);
  });

  const inStatus = (path: string): boolean => path.startsWith("status.") && !path.startsWith("status.conditions");
  test("has one bound for the texts of a status, and one for its lists, which the controller keeps", () => {
    const texts = FIELDS.filter(
      ({ path, node }) => inStatus(path) && node.type === "string" && node.enum === undefined,
    );
    expect(new Set(texts.map(({ node }) => node.maxLength))).toEqual(new Set([MAX_STATUS_TEXT]));
    const lists = FIELDS.filter(({ path, node }) => inStatus(path) && node.type === "array");
    expect(new Set(lists.map(({ node }) => node.maxItems))).toEqual(new Set([MAX_STATUS_LIST]));
    expect(lists.every(({ node }) => node["x-kubernetes-list-type"] === "atomic")).toBe(true);
  });

  test("bounds everything else, too", () => {
    const isBounded = ({ path, node }: Field): boolean => {
      switch (node.type) {
        case "string":
          return node.maxLength !== undefined || isList(node.enum) || node.format === "date-time";
        case "array":
          return node.maxItems !== undefined;
        case "integer":
          return node.minimum === 0;
        case "object":
          return path === "metadata" || isObject(node.properties);
        default:
          return node.type === "boolean";
      }
    };
    const ofServer = ["apiVersion", "kind"];
    const unbounded = FIELDS.filter((field) => !isBounded(field)).map(({ path }) => path);
    expect(unbounded).toEqual(ofServer);
  });
});

describe(PUBLISHED, () => {
  const translated = jsonSchemaOf(SCHEMA, MODES);
  if (process.env.PLIMSOLL_UPDATE_DOCS === "1")
    writeFileSync(PUBLISHED, `${JSON.stringify(translated, undefined, 2)}\n`);
  const published = JSON.parse(readFileSync(PUBLISHED, "utf8")) as JsonObject;
  const validate = new Ajv2020({ strict: true, formats: { "date-time": true } }).compile(published);

  test("is the schema of the CRD", () => {
    expect(published).toEqual(translated);
  });

  test.each<readonly [boolean, string, Json]>([
    [true, "the least", resolutionObject()],
    [true, "everything", resolutionObject({ spec: COMPLETE_SPEC, status: COMPLETE_STATUS } as unknown as JsonObject)],
    [true, "the other name", resolutionObject({ spec: { mode: "Off" } }, "cluster")],
    [false, "another name", resolutionObject({}, "other")],
    [false, "the mode Enforce", resolutionObject({ spec: { mode: "Enforce" } })],
    [false, "another kind", { ...resolutionObject(), kind: "Subscription" }],
    [false, "an unknown field", resolutionObject({ spec: { held: [] } })],
    [false, "a package twice", resolutionObject({ spec: { hold: ["winch", "winch"] } })],
    [false, "no metadata", { apiVersion: "plimsoll.dev/v1alpha1", kind: "Resolution" }],
  ])("accepts (%s) %s", (isValid, _, object) => {
    expect(validate(object), JSON.stringify(validate.errors)).toBe(isValid);
  });
});
