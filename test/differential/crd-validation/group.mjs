// How is a group of cases written down: a schema, and objects to be validated under it?

/** A number as it is in the text: `1.0` is not written as `1`. */
export class Raw {
  constructor(text) {
    this.text = text;
  }
}
export const raw = (text) => new Raw(text);

/** JSON on one line; a bigint is written as its digits. */
export function print(value) {
  if (value instanceof Raw) return value.text;
  if (typeof value === "bigint") return value.toString();
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(print).join(",")}]`;
  const pairs = Object.entries(value).filter(([, item]) => item !== undefined);
  return `{${pairs.map(([key, item]) => `${JSON.stringify(key)}:${print(item)}`).join(",")}}`;
}

/** Cases of which only `.spec` is of interest. */
export const ofSpec = (section, spec, values) => ({ section, spec, cases: values.map((value) => ({ value })) });
/** Cases of which only the field `.spec.a` is of interest. */
export const ofField = (section, schema, values) =>
  ofSpec(
    section,
    object({ a: schema }),
    values.map((a) => ({ a })),
  );
/** Changes of `.spec`: pairs of what it was and what it becomes. */
export const ofChange = (section, spec, pairs) => ({
  section,
  spec,
  cases: pairs.map(([old, value]) => ({ value, old })),
});
/** Cases about whole objects. */
export const ofRoot = (section, root, objects) => ({
  section,
  root,
  cases: objects.map((whole) => ({ object: whole })),
});

export const object = (properties, more = {}) => ({ type: "object", properties, ...more });
export const list = (items, more = {}) => ({ type: "array", items, ...more });
export const map = (additionalProperties, more = {}) => ({ type: "object", additionalProperties, ...more });
export const STRING = { type: "string" };
export const INTEGER = { type: "integer" };
export const NUMBER = { type: "number" };
export const BOOLEAN = { type: "boolean" };
export const ANY = { "x-kubernetes-preserve-unknown-fields": true };

/** A validation rule. */
export const rule = (text, more = {}) => ({ rule: text, ...more });
/** A schema with rules. */
export const ruled = (schema, ...rules) => ({
  ...schema,
  "x-kubernetes-validations": rules.map((each) => (typeof each === "string" ? rule(each) : each)),
});
/** An object with rules. */
export const spec = (properties, ...rules) => ruled(object(properties), ...rules);
/** Something small, so that its rules are cheap. */
export const short = { ...STRING, maxLength: 20 };
export const few = (items, more = {}) => list(items, { maxItems: 10, ...more });
export const fewKeys = (values) => map(values, { maxProperties: 10 });

const HEAD = { apiVersion: "example.org/v1", kind: "Case", metadata: { name: "a", namespace: "b" } };
/** The whole schema of a group. */
export const schemaOf = (group) => group.root ?? object({ spec: group.spec });
/** The whole object of a case. */
export const objectOf = (one) => one.object ?? { ...HEAD, spec: one.value };
/** What it was before, if that is of interest. */
export const oldOf = (one) => (one.old === undefined ? undefined : { ...HEAD, spec: one.old });
