// Do the examples of the proposals for constraints work, exactly as they were written there? Those with a slip of the pen
// must be refused at the place of the slip.

import { expect, test } from "vitest";
import type { Constraint, Requirement } from "../src/constraint/constraint.ts";
import { type ConstraintOptions, ConstraintReader } from "../src/constraint/read-requirements.ts";
import { readRuntimeConstraint } from "../src/constraint/read-runtime-constraint.ts";
import { readDependencies } from "../src/input/bundle-directory/declared-properties.ts";
import { DEFAULT_LIMITS } from "../src/input/limits.ts";
import { readRuntimeList } from "../src/input/objects/runtime-constraints.ts";
import { Documents } from "../src/input/read-documents.ts";
import type { Property } from "../src/model/catalog.ts";
import type { Finding } from "../src/model/finding.ts";
import type { JsonObject } from "../src/model/json.ts";
import type { Place } from "../src/model/place.ts";

const OPTIONS: ConstraintOptions = { compat: false, maxBytes: 65_536, maxDepth: 10, celCostLimit: 1_000_000 };

interface Documented {
  readonly documents: readonly { readonly value: JsonObject; readonly place: Place }[];
  readonly findings: readonly Finding[];
}

function documentsOf(text: string): Documented {
  const documents: { value: JsonObject; place: Place }[] = [];
  const findings: Finding[] = [];
  const reader = new Documents({
    source: "example",
    limits: DEFAULT_LIMITS,
    report: (item) => findings.push(item),
    sink: (value, place) => documents.push({ value, place }),
  });
  reader.push(new TextEncoder().encode(text));
  reader.end();
  return { documents, findings };
}

/** The only document of a text without findings. */
function documentOf(text: string): JsonObject {
  const { documents, findings } = documentsOf(text);
  expect(findings).toEqual([]);
  expect(documents).toHaveLength(1);
  return documents[0]?.value as JsonObject;
}

function requirementsOf(properties: readonly Property[], options = OPTIONS): readonly Requirement[] {
  const { requirements, problems } = new ConstraintReader(options).of(properties);
  expect(problems).toEqual([]);
  return requirements;
}

/** The constraint of a property that is a document by itself. */
function requirementOf(text: string): Requirement {
  const [requirement] = requirementsOf([documentOf(text) as unknown as Property]);
  return requirement as Requirement;
}

/** The constraints of a bundle. */
function constraintsOf(text: string, options = OPTIONS): readonly Constraint[] {
  const { properties } = documentOf(text);
  return requirementsOf(properties as unknown as Property[], options).map(({ constraint }) => constraint);
}

const BOTH = 'properties.exists(p, p.type == "certified") && properties.exists(p, p.type == "stable")';
const BOTH_MESSAGE = 'require to have "certified" and "stable" properties';

test("000: a rule with its evaluator", () => {
  expect(
    requirementOf(String.raw`{
   "type":"olm.constraint",
   "value":{
      "evaluator":{
         "id":"cel"
      },
      "rule": "properties.exists(p, p.type == \"certified\")",
      "message": "require to have certified property",
      "action":{
         "id":"require"
      }
   }
}`),
  ).toMatchObject({
    action: "require",
    optional: false,
    constraint: {
      kind: "cel",
      rule: 'properties.exists(p, p.type == "certified")',
      message: "require to have certified property",
    },
  });
});

test("000: CEL in a struct of its own, as a wish", () => {
  expect(
    requirementOf(`type: olm.constraint
value:
    message: 'require to have "certified" and "stable" properties'
    CEL:
        rule: 'properties.exists(p, p.type == "certified") && properties.exists(p, p.type == "stable")'
    action:
        id: "require"
        optional: true
`),
  ).toMatchObject({
    action: "require",
    optional: true,
    constraint: { kind: "cel", rule: BOTH, message: BOTH_MESSAGE },
  });
});

test("000: propertyEquals", () => {
  expect(
    requirementOf(`type: olm.constraint
value:
    message: 'require to have "certified" and "stable" properties'
    propertyEquals:
        name: "olm.maxOCPVersion"
        value: "4.9"
    action:
        id: "require"
        optional: false
`),
  ).toMatchObject({
    optional: false,
    constraint: { kind: "propertyEquals", name: "olm.maxOCPVersion", value: "4.9", message: BOTH_MESSAGE },
  });
});

const SIMPLIFIED = `{
  "type": "olm.constraint.cel",
  "value": {
    "rule": 'properties.exists(p, p.type == "certified") && properties.exists(p, p.type == "stable")',
    "message": 'require to have "certified" and "stable" properties',
  }
}
`;

const COMPOUND = `{
  "type": "olm.constraint",
  "value": {
    "evaluator": {
        "id": "cel",
    }
    "rule": 'properties.exists(p, p.type == "certified") && properties.exists(p, p.type == "stable")',
    "message": 'require to have "certified" and "stable" properties',
    "action": {
        "id": "require"
    }
  }
}
`;

const COMPOUND_OF_001 = `{
  "type": "olm.constraint",
  "value": {
    "evaluator": {
        "id": "cel",
    }
    "source": 'properties.exists(p, p.type == "certified") && properties.exists(p, p.type == "new")',
    "action": {
        "id": "require"
    }
  }
}
`;

const LUCKY = `"evaluator":{
    "id":"lucky",
    "package":"bobby"
},
`;

const OPTIONAL = `"action":{
    "id":"require"
    "optional":true
},
`;

test.each<[string, string, string]>([
  ["000: the simplified type", SIMPLIFIED, "4:13 put text in double quotes"],
  ["000: several rules", COMPOUND, "6:5 remove the comma"],
  ["001: several rules", COMPOUND_OF_001, "6:5 remove the comma"],
  ["000: a part of a constraint, in which a comma is missing", `{${OPTIONAL}}`, '3:5 expected "," or "}", found "\\""'],
  ["000: a part of a constraint, with a comma at its end", `{${LUCKY}}`, "5:1 remove the comma"],
])("%s: a slip is refused at its place", (_name, text, expected) => {
  const { documents, findings } = documentsOf(text);
  expect(documents).toEqual([]);
  expect(findings.map(({ place, message, help }) => `${place.line}:${place.column} ${help ?? message}`)).toEqual([
    expected,
  ]);
});

test("000: without its slips, one after the other, the example is read", () => {
  const doubleQuoted = (text: string): string =>
    text.replaceAll(/'(.*)'/g, (_all, inner: string) => JSON.stringify(inner));
  const fixes: readonly [(text: string) => string, string][] = [
    [(text) => text.replace('"cel",', '"cel"'), "7:5"],
    [(text) => text.replace('}\n    "rule"', '},\n    "rule"'), "7:13"],
  ];
  let text = COMPOUND;
  for (const [fix, next] of fixes) {
    text = fix(text);
    expect(documentsOf(text).findings.map(({ place }) => `${place.line}:${place.column}`)).toEqual([next]);
  }
  expect(requirementOf(doubleQuoted(text))).toMatchObject({
    action: "require",
    constraint: { kind: "cel", rule: BOTH, message: BOTH_MESSAGE },
  });
  expect(
    requirementOf(doubleQuoted(SIMPLIFIED).replace("',\n  }", "'\n  }").replace('",\n  }', '"\n  }')),
  ).toMatchObject({
    constraint: { kind: "cel", rule: BOTH, message: BOTH_MESSAGE },
  });
});

test("001: a runtime constraint", () => {
  const text = String.raw`{
	"type": "olm.constraint",
	"value": {
		"evaluator": {
			"id": "cel"
		},
		"source": "properties.exists(p, p.type == \"certified\")",
		"action": {
			"id": "require"
		}
	}
}`;
  const { items, problems } = readRuntimeList(`[${text}]`, { source: "example", line: 1, column: 1 });
  expect(problems).toEqual([]);
  const [item] = items;
  const reading = readRuntimeConstraint(item?.property as Property, new ConstraintReader(OPTIONS));
  expect(reading).toMatchObject({
    problems: [],
    constraint: { action: "require", constraint: { kind: "cel", rule: 'properties.exists(p, p.type == "certified")' } },
  });
});

test("001: the ConfigMap, whose placeholder is no list", () => {
  const text = `apiVersion: v1
kind: ConfigMap
metadata:
  name: olm-runtime-constraints
  namespace: olm
data:
    properties: <list-of-expression-constraints-in-json>
`;
  expect(documentOf(text)).toMatchObject({ metadata: { name: "olm-runtime-constraints", namespace: "olm" } });
  const { items, problems } = readRuntimeList(text, { source: "example", line: 1, column: 1 });
  expect(items).toEqual([]);
  expect(problems.map(({ message, place }) => [message, place.line])).toEqual([
    ["the runtime constraints must be a list, but are text", 7],
  ]);
});

test("001: dependencies.yaml", () => {
  const { documents } = documentsOf(String.raw`dependencies:
  -
    type: olm.constraint
    value:
      action:
        id: require
      evaluator:
        id: cel
      source: "properties.exists(p, p.type == \"certified\")"
`);
  const findings: Finding[] = [];
  const dependencies = readDependencies(documents, (item) => findings.push(item));
  expect(findings).toEqual([]);
  expect(requirementsOf([...dependencies.keys()])).toMatchObject([
    { action: "require", constraint: { kind: "cel", rule: 'properties.exists(p, p.type == "certified")' } },
  ]);
});

test("003: the older constraints", () => {
  expect(
    constraintsOf(`---
schema: olm.bundle
name: foo.v1.0.0
package: foo
properties:
- type: olm.package.required
  value:
    name: bar
    versionRange: '>=1.0.0'
- type: olm.gvk.required
  value:
    group: etcd.database.coreos.com
    kind: EtcdBackup
    version: v1beta2
`),
  ).toMatchObject([
    { kind: "package", name: "bar", range: { text: ">=1.0.0" } },
    { kind: "gvk", gvk: { group: "etcd.database.coreos.com", kind: "EtcdBackup", version: "v1beta2" } },
  ]);
});

test("003: the same as constraints", () => {
  expect(
    constraintsOf(`schema: olm.bundle
name: baz.v1.0.0
properties:
- type: olm.constraint
  value:
    message: Package bar v1.0.0+ is needed for...
    package:
      name: bar
      versionRange: '>=1.0.0'
- type: olm.constraint
  value:
    message: GVK Buf/v1 is needed for...
    gvk:
      group: bufs.example.com
      version: v1
      kind: Buf
`),
  ).toMatchObject([
    { kind: "package", name: "bar", message: "Package bar v1.0.0+ is needed for..." },
    { kind: "gvk", gvk: { kind: "Buf" }, message: "GVK Buf/v1 is needed for..." },
  ]);
});

test("003: all", () => {
  expect(
    constraintsOf(`schema: olm.bundle
name: baz.v1.0.0
properties:
- type: olm.constraint
  value:
    message: All are required for Baz because...
    all:
      constraints:
      - message: Package bar is needed for...
        package:
          name: bar
          versionRange: '>=1.0.0'
      - message: GVK Buf/v1 is needed for...
        gvk:
          group: bufs.example.com
          version: v1
          kind: Buf
`),
  ).toMatchObject([
    {
      kind: "all",
      scope: "solution",
      message: "All are required for Baz because...",
      constraints: [
        { kind: "package", message: "Package bar is needed for..." },
        { kind: "gvk", message: "GVK Buf/v1 is needed for..." },
      ],
    },
  ]);
});

test("003: any", () => {
  expect(
    constraintsOf(`schema: olm.bundle
name: baz.v1.0.0
properties:
- type: olm.constraint
  value:
    message: Any are required for Baz because...
    any:
      constraints:
      - gvk:
          group: foos.example.com
          version: v1beta1
          kind: Foo
      - gvk:
          group: foos.example.com
          version: v1beta2
          kind: Foo
      - gvk:
          group: foos.example.com
          version: v1
          kind: Foo
`),
  ).toMatchObject([
    {
      kind: "any",
      scope: "solution",
      message: "Any are required for Baz because...",
      constraints: [{ gvk: { version: "v1beta1" } }, { gvk: { version: "v1beta2" } }, { gvk: { version: "v1" } }],
    },
  ]);
});

const NONE = `schema: olm.bundle
name: baz.v1.0.0
properties:
- type: olm.constraint
  value:
    message: Cannot be required for Baz because...
    none:
      constraints:
      - gvk:
          group: foos.example.com
          version: v1alpha1
          kind: Foo
`;

test("003: none", () => {
  const none = { kind: "none", constraints: [{ kind: "gvk", gvk: { version: "v1alpha1" } }] };
  expect(constraintsOf(NONE)).toMatchObject([{ ...none, scope: "solution" }]);
  expect(constraintsOf(NONE, { ...OPTIONS, compat: true })).toMatchObject([{ ...none, scope: "bundle" }]);
});

test("003: nested", () => {
  const foo = (version: string, versionRange: string): object => ({
    kind: "all",
    scope: "solution",
    constraints: [
      { kind: "package", name: "foo", range: { text: versionRange } },
      { kind: "gvk", gvk: { group: "foos.example.com", version, kind: "Foo" } },
    ],
  });
  expect(
    constraintsOf(`schema: olm.bundle
name: baz.v1.0.0
properties:
- type: olm.constraint
  value:
    message: Required for Baz because...
    any:
      constraints:
      - all:
          constraints:
          - package:
              name: foo
              versionRange: '>=1.0.0'
          - gvk:
              group: foos.example.com
              version: v1
              kind: Foo
      - all:
          constraints:
          - package:
              name: foo
              versionRange: '<1.0.0'
          - gvk:
              group: foos.example.com
              version: v1beta1
              kind: Foo
`),
  ).toMatchObject([{ kind: "any", constraints: [foo("v1", ">=1.0.0"), foo("v1beta1", "<1.0.0")] }]);
});

test("003: an alternative with functions that never came to be is refused where they stand", () => {
  const { documents } = documentsOf(`- type: olm.constraint
  value:
    cel:
      rule: 'properties.exists(p, p.gvk.provides("v1", "example.com", "Foo")) && properties.exists(p, p.package.provides("bar", ">=1.0.0"))'
`);
  expect(documents).toEqual([]);
  const rule =
    'properties.exists(p, p.gvk.provides("v1", "example.com", "Foo")) && properties.exists(p, p.package.provides("bar", ">=1.0.0"))';
  const { problems } = new ConstraintReader(OPTIONS).of([{ type: "olm.constraint", value: { cel: { rule } } }]);
  expect(problems.length).toBeGreaterThan(0);
  for (const { path, offset } of problems) {
    expect(path).toEqual(["cel", "rule"]);
    expect(offset).toBeGreaterThan(0);
  }
});
