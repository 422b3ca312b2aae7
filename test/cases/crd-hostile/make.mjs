// Schemas that would cost too much if they were believed.
import { writeFileSync } from "node:fs";
import { join } from "node:path";

const definition = (schema) => ({
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "winches.example.com" },
  spec: {
    group: "example.com",
    names: { kind: "Winch", plural: "winches" },
    scope: "Namespaced",
    versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: schema } }],
  },
});

const nested = (depth) => {
  let schema = { type: "string", maxLength: 3 };
  for (let at = 0; at < depth; at++) schema = { type: "object", properties: { a: schema } };
  return schema;
};

const spec = (properties, more = {}) => ({
  type: "object",
  properties: { spec: { type: "object", properties, ...more } },
});

export default function make(directory) {
  const write = (name, value) => writeFileSync(join(directory, name), `${JSON.stringify(value, null, 1)}\n`);
  const text = { type: "string" };
  const crew = { type: "integer" };
  const list = { type: "array", items: text };
  write("plain.json", definition(spec({ text, crew, list })));
  const tree = { type: "object", $ref: "#/definitions/tree", properties: { child: { $ref: "#" } } };
  write("references.json", definition({ ...spec({ text, crew: { type: "string" }, list, tree }), definitions: { tree } }));
  write("deep.json", definition(spec({ text, crew: { type: "string" }, list, deep: nested(200) })));
  write("bomb.json", definition(spec({ text: { ...text, pattern: "^(a+)+$" }, crew: { type: "string" }, list })));
  write("bad-pattern.json", definition(spec({ text: { ...text, pattern: "(?=a)(" }, crew: { type: "string" }, list })));
  const rules = [{ rule: "self.list.all(a, self.list.all(b, self.list.all(c, a + b != c)))" }];
  write("expensive.json", definition(spec({ text, crew, list }, { "x-kubernetes-validations": rules })));
  const broken = [{ rule: "self.lst.size( > 1" }, { rule: "self.crew < 3" }];
  write("bad-rule.json", definition(spec({ text, crew, list }, { "x-kubernetes-validations": broken })));
  write("objects.json", {
    apiVersion: "example.com/v1",
    kind: "Winch",
    metadata: { name: "many", namespace: "quay" },
    spec: { text: `${"a".repeat(5000)}!`, crew: 4, list: Array.from({ length: 200 }, (_, index) => `item ${index}`) },
  });
}
