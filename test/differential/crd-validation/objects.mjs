// What is asked of embedded objects, and of the metadata of whole ones?
import { ANY, INTEGER, list, map, object, ofField, ofRoot, STRING } from "./group.mjs";

const EMBEDDED = { type: "object", "x-kubernetes-embedded-resource": true, ...ANY };
const META = [
  { apiVersion: "v1", kind: "Pod" },
  { apiVersion: "v1", kind: "Pod", metadata: { name: "a" }, spec: { x: 1 } },
  { kind: "Pod" },
  { apiVersion: "v1" },
  {},
  null,
  1,
  { apiVersion: "", kind: "" },
  { apiVersion: "a/b/c", kind: "Pod" },
  { apiVersion: "A/v1", kind: "pod" },
  { apiVersion: 1, kind: "Pod" },
  { apiVersion: "v1", kind: 2 },
  { apiVersion: "v1", kind: "Pod", metadata: null },
  { apiVersion: "v1", kind: "Pod", metadata: [] },
  { apiVersion: "v1", kind: "Pod", metadata: "x" },
  { apiVersion: "v1", kind: "Pod", metadata: { name: 1, labels: { a: "b" } } },
  { apiVersion: "v1", kind: "Pod", metadata: { name: "A b" } },
  { apiVersion: "v1", kind: "Pod", metadata: { name: "a/b", generateName: "..", namespace: "x" } },
  {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "a", labels: { "a b": "c", a: "b c" }, annotations: { "": "x" } },
  },
  { apiVersion: "v1", kind: "Pod", metadata: { name: "a", labels: { a: 1 }, annotations: { b: true } } },
  { apiVersion: "v1", kind: "Pod", metadata: { name: "a", foo: 1, finalizers: ["a/b"], ownerReferences: [{ x: 1 }] } },
  {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "a", creationTimestamp: null, generation: 5, resourceVersion: "1", uid: "u" },
  },
  { apiVersion: "v1", kind: "Pod", metadata: { name: "a", creationTimestamp: "nonsense" } },
  { apiVersion: "example.org/v1", kind: "Po-d" },
  { apiVersion: "example.org/v1", kind: "Po/d" },
];
const EMBEDDED_PRUNED = {
  type: "object",
  "x-kubernetes-embedded-resource": true,
  properties: { spec: object({ x: { ...INTEGER, default: 1 } }) },
};
const embedded = [
  ofField("embedded", EMBEDDED, META),
  ofField("embedded", EMBEDDED_PRUNED, [...META, { apiVersion: "v1", kind: "Pod", spec: { y: 1 }, status: 1 }]),
  ofField("embedded", { ...EMBEDDED, nullable: true }, [null, {}]),
  ofField("embedded", list(EMBEDDED), [META]),
  ofField("embedded", map(EMBEDDED), [
    { a: { apiVersion: "v1" }, b: { apiVersion: "v1", kind: "x", metadata: { foo: 1, name: "A!" } } },
  ]),
  ofField(
    "embedded",
    { ...EMBEDDED, properties: { metadata: object({ name: { ...STRING, maxLength: 2 } }) } },
    META.slice(0, 3),
  ),
  ofField(
    "embedded",
    {
      ...EMBEDDED,
      properties: {
        metadata: object({ name: { ...STRING, pattern: "^b" } }),
        kind: { ...STRING, enum: ["Pod"] },
        apiVersion: { ...STRING, default: "v2" },
      },
    },
    META,
  ),
  ofField("embedded", { ...EMBEDDED, type: undefined }, META.slice(0, 3)),
  ofField("embedded", { ...EMBEDDED, type: "object", [Object.keys(ANY)[0]]: undefined }, META.slice(0, 3)),
];

const HEAD = { apiVersion: "example.org/v1", kind: "Case" };
const ROOT_META = [
  undefined,
  {},
  { name: "a", namespace: "b" },
  { name: "a", namespace: "b", foo: 1, bar: { x: 1 } },
  { name: "A", namespace: "b" },
  { name: "", namespace: "b" },
  { name: "a".repeat(254), namespace: "b" },
  { namespace: "b", generateName: "x-" },
  { name: "a", namespace: "B" },
  { name: "a", namespace: "b", labels: { a: "b", "x/y": "c", "a b": "c", d: "e f" } },
  { name: "a", namespace: "b", labels: { a: 1, b: "c" } },
  { name: "a", namespace: "b", labels: null, annotations: { a: null } },
  { name: "a", namespace: "b", annotations: { "a/b/c": "x" } },
  {
    name: "a",
    namespace: "b",
    finalizers: ["x"],
    ownerReferences: [{ apiVersion: "v1", kind: "Pod", name: "p", uid: "u" }],
  },
  { name: "a", namespace: "b", ownerReferences: [{}] },
  {
    name: "a",
    namespace: "b",
    creationTimestamp: "2024-01-01T00:00:00Z",
    deletionGracePeriodSeconds: 3,
    generation: 4,
  },
  { name: "a", namespace: "b", generation: -1 },
  { name: "a", namespace: "b", generation: "x", uid: 3 },
  { name: "a", namespace: "b", managedFields: [{ manager: "m", operation: "Apply", fieldsV1: { "f:spec": {} } }] },
  { Name: "a", namespace: "b" },
];
const withMeta = (metadata, rest = {}) => ({ ...HEAD, ...(metadata === undefined ? {} : { metadata }), ...rest });
const root = [
  ofRoot(
    "metadata",
    object({ spec: object({}) }),
    ROOT_META.map((metadata) => withMeta(metadata)),
  ),
  ofRoot(
    "metadata",
    object({ metadata: object({}), spec: object({}) }),
    ROOT_META.map((metadata) => withMeta(metadata)),
  ),
  ofRoot("metadata", object({ metadata: { type: "object" } }), [
    withMeta("x"),
    withMeta([]),
    withMeta(null),
    withMeta(1),
  ]),
  ofRoot("metadata", object({ metadata: object({ name: { ...STRING, maxLength: 3 } }) }), [
    withMeta({ name: "abc", namespace: "b" }),
    withMeta({ name: "abcd", namespace: "b", x: 1 }),
  ]),
  ofRoot("metadata", object({ metadata: object({ name: { ...STRING, pattern: "^x" } }) }), [
    withMeta({ name: "abc", namespace: "b" }),
    withMeta({ name: "xb", namespace: "b" }),
  ]),
  ofRoot("metadata", object({ metadata: object({ labels: map(STRING) }) }), [
    withMeta({ name: "abc", namespace: "b", labels: { a: "b" } }),
  ]),
  ofRoot("root", object({ spec: object({ x: INTEGER }) }, { required: ["spec"] }), [
    withMeta({ name: "a", namespace: "b" }),
    withMeta({ name: "a", namespace: "b" }, { spec: null }),
    withMeta({ name: "a", namespace: "b" }, { spec: {}, status: {}, extra: 1 }),
  ]),
  ofRoot("root", object({ spec: object({ x: { ...INTEGER, default: 1 } }, { default: {} }) }), [
    withMeta({ name: "a", namespace: "b" }),
    withMeta({ name: "a", namespace: "b" }, { spec: {} }),
  ]),
  ofRoot("root", object({}, ANY), [withMeta({ name: "a", namespace: "b", foo: 1 }, { spec: 1, data: { x: null } })]),
  ofRoot("root", { type: "object" }, [withMeta({ name: "a", namespace: "b" }, { spec: 1 })]),
  ofRoot("root", object({ apiVersion: { ...STRING, maxLength: 3 }, kind: { ...STRING, enum: ["Other"] } }), [
    withMeta({ name: "a", namespace: "b" }),
  ]),
  ofRoot("root", object({ spec: object({}) }, { maxProperties: 3 }), [
    withMeta({ name: "a", namespace: "b" }, { spec: {} }),
    withMeta({ name: "a", namespace: "b" }),
  ]),
  ofRoot("root", object({ spec: STRING }, { nullable: true }), [
    withMeta({ name: "a", namespace: "b" }, { spec: "x" }),
  ]),
];
const kept = [
  {
    ...ofRoot("unknown kept", object({ spec: object({ x: { ...INTEGER, default: 2 }, y: INTEGER }) }), [
      withMeta({ name: "a", namespace: "b", foo: 1 }, { spec: { z: 1, y: null }, w: 1 }),
      withMeta({ name: "a", namespace: "b" }, { spec: { x: "a" } }),
    ]),
    preserveUnknownFields: true,
  },
];

export const OBJECTS = [...embedded, ...root, ...kept];
