// What is too much for a page: a reason of two megabytes.
import { writeFileSync } from "node:fs";
import { join } from "node:path";

export default function make(directory) {
  const resolution = {
    apiVersion: "plimsoll.dev/v1alpha1",
    kind: "Resolution",
    metadata: { name: "plimsoll", namespace: "long", generation: 1 },
    spec: { mode: "Advise" },
    status: { observedGeneration: 1, outcome: "Partial", reason: "x ".repeat(1_000_000) },
  };
  writeFileSync(join(directory, "long.json"), JSON.stringify(resolution));
}
