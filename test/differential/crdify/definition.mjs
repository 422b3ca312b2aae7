// How is a pair of definitions written down: what changes, and nothing else?

export const object = (properties, more = {}) => ({ type: "object", properties, ...more });
export const list = (items, more = {}) => ({ type: "array", items, ...more });
export const map = (additionalProperties, more = {}) => ({ type: "object", additionalProperties, ...more });
export const STRING = { type: "string" };
export const INTEGER = { type: "integer" };
export const KEEP = { "x-kubernetes-preserve-unknown-fields": true };

/** A definition; its versions are v1, served and stored, with that schema, unless overridden. */
export function definition(schema, { versions, stored = ["v1"], scope = "Namespaced", conversion } = {}) {
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "cases.example.org" },
    spec: {
      group: "example.org",
      names: { plural: "cases", singular: "case", kind: "Case", listKind: "CaseList" },
      scope,
      versions: versions ?? [version("v1", schema)],
      ...(conversion === undefined ? {} : { conversion }),
    },
    status: { storedVersions: stored },
  };
}
export function version(name, schema, more = {}) {
  return { name, served: true, storage: name === "v1", schema: { openAPIV3Schema: schema }, ...more };
}

/** The field `.spec.x` changes. */
export const field = (name, before, after) => specs(name, object({ x: before }), object({ x: after }));
/** `.spec` changes. */
export const specs = (name, before, after) => whole(name, object({ spec: before }), object({ spec: after }));
/** The schema changes. */
export const whole = (name, before, after) => ({ name, old: definition(before), new: definition(after) });
/** A keyword of a type comes, changes to each value, and goes. */
export const keyword = (name, schema, key, first, second) => [
  field(`${name}: ${key} added`, schema, { ...schema, [key]: first }),
  field(`${name}: ${key} changed`, { ...schema, [key]: first }, { ...schema, [key]: second }),
  field(`${name}: ${key} removed`, { ...schema, [key]: first }, schema),
];
export const bound = (name, schema, key, low, high) => [
  ...keyword(name, schema, key, low, high),
  field(`${name}: ${key} lowered`, { ...schema, [key]: high }, { ...schema, [key]: low }),
];

export const WEBHOOK = {
  strategy: "Webhook",
  webhook: { conversionReviewVersions: ["v1"], clientConfig: { url: "https://a.example" } },
};
export const TEXT = object({ spec: object({ x: STRING }) });
export const CHOICE = (...values) => object({ spec: object({ x: { ...STRING, enum: values } }) });
export const two = (first, second, { served = true, ...more } = {}) =>
  definition(undefined, { versions: [version("v1", first), version("v2", second, { served })], ...more });
export const pairOf = (name, before, after) => ({ name, old: before, new: after });
