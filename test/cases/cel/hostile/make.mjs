// Inputs that are too long to be kept.
import { writeFileSync } from "node:fs";
import { join } from "node:path";

export default function make(directory) {
  const nested = `${"[".repeat(5000)}${"]".repeat(5000)}`;
  const parentheses = `${"(".repeat(5000)}1${")".repeat(5000)}`;
  const lines = [
    `{"id": 1, "expression": "a == 1", "data": {"a": ${nested}}}`,
    `{"id": 2, "expression": "${parentheses}"}`,
    `{"id": 3, "expression": "${"1 + ".repeat(20000)}1"}`,
    `{"id": 4, "expression": "${"x".repeat(200000)}"}`,
    `{"id": 5, "expression": "'${"[".repeat(50000)}'.parseJSON()", "env": "placement"}`,
  ];
  writeFileSync(join(directory, "deep.jsonl"), `${lines.join("\n")}\n`);
  const long = `${"true || ".repeat(2000)}nme`;
  writeFileSync(
    join(directory, "long.yaml"),
    `apiVersion: cluster.open-cluster-management.io/v1beta1
kind: Placement
metadata: { name: long, namespace: default }
spec: { predicates: [ { requiredClusterSelector: { celSelector: { celExpressions: [ "${long}" ] } } } ] }
`,
  );
}
