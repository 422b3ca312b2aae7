import { expect, test } from "vitest";
import { constraintForm } from "../../test/constraint/constraint-form.ts";
import type { Json } from "../model/json.ts";
import type { Requirements } from "./constraint.ts";
import { type ConstraintOptions, readRequirements } from "./read-requirements.ts";

const OPTIONS: ConstraintOptions = { compat: false, maxBytes: 65_536, maxDepth: 10, celCostLimit: 1_000_000 };

function read(value: Json, options: Partial<ConstraintOptions> = {}): Requirements {
  return readRequirements([{ type: "olm.constraint", value }], { ...OPTIONS, ...options });
}

const RULE = 'properties.exists(p, p.type == "certified")';
const CEL = `cel ${RULE}`;
const cel: Json = { cel: { rule: RULE } };
const K: Json = { gvk: { group: "g", version: "v1", kind: "K" } };
const KEY = "gvk g/v1/K";

test.each<[string, Json, Partial<ConstraintOptions>, Json]>([
  ["the default", { all: { constraints: [K] } }, {}, ["all solution", KEY]],
  ["rules for one operator", { all: { constraints: [K, cel] } }, {}, ["all bundle", KEY, CEL]],
  [
    "a property of one operator",
    { all: { constraints: [{ propertyEquals: { name: "n", value: 1 } }] } },
    {},
    ["all bundle", { n: 1 }],
  ],
  ["only an all", { any: { constraints: [cel] } }, {}, ["any solution", CEL]],
  [
    "only direct children",
    { all: { constraints: [{ any: { constraints: [cel] } }] } },
    {},
    ["all solution", ["any solution", CEL]],
  ],
  ["a stated one wins", { all: { scope: "solution", constraints: [cel] } }, {}, ["all solution", CEL]],
  [
    "a stated one is inherited, past its children too",
    { any: { scope: "solution", constraints: [{ any: { constraints: [{ all: { constraints: [cel] } }] } }] } },
    {},
    ["any solution", ["any solution", ["all solution", CEL]]],
  ],
  [
    "a default is not inherited",
    { any: { constraints: [{ all: { constraints: [cel] } }] } },
    {},
    ["any solution", ["all bundle", CEL]],
  ],
  [
    "beneath bundle everything is bundle",
    { all: { constraints: [cel, { any: { constraints: [{ none: { constraints: [K] } }] } }] } },
    {},
    ["all bundle", CEL, ["any bundle", ["none bundle", KEY]]],
  ],
  [
    "bundle inside solution",
    { all: { scope: "solution", constraints: [{ any: { scope: "bundle", constraints: [K] } }] } },
    {},
    ["all solution", ["any bundle", KEY]],
  ],
  ["the option replaces the default", { any: { constraints: [K] } }, { compoundScope: "bundle" }, ["any bundle", KEY]],
  ["and its exception", { all: { constraints: [cel] } }, { compoundScope: "solution" }, ["all solution", CEL]],
  [
    "but nothing that is stated",
    { all: { scope: "solution", constraints: [cel] } },
    { compoundScope: "bundle" },
    ["all solution", CEL],
  ],
  [
    "compat",
    { none: { scope: "solution", constraints: [K, { any: { scope: "solution", constraints: [K] } }] } },
    { compat: true, compoundScope: "solution" },
    ["none bundle", KEY, ["any bundle", KEY]],
  ],
])("scopes: %s", (_name, value, options, expected) => {
  const { requirements, problems, hasCompounds } = read(value, options);
  expect(problems).toEqual([]);
  expect(requirements.map(({ constraint }) => constraintForm(constraint))).toEqual([expected]);
  expect(hasCompounds).toBe(true);
});

test.each<[Json]>([
  [{ all: { scope: "bundle", constraints: [{ any: { scope: "solution", constraints: [] } }] } }],
  [
    {
      all: {
        scope: "bundle",
        constraints: [{ any: { constraints: [{ any: { scope: "solution", constraints: [] } }] } }],
      },
    },
  ],
  [{ all: { constraints: [cel, { any: { scope: "solution", constraints: [] } }] } }],
])("solution inside bundle: %j", (value) => {
  const { problems } = read(value);
  expect(problems.map(({ message }) => message)).toEqual([
    "the scope cannot be solution inside a compound of scope bundle",
  ]);
  expect(problems[0]?.path.at(-1)).toBe("scope");
});
