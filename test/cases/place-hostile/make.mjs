// What cannot be kept in a repository: an empty directory, a claim of ten megabytes, a file that is no text, one that
// ends too early.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

export default function make(directory) {
  mkdirSync(join(directory, "empty"));
  const huge = {
    apiVersion: "cluster.open-cluster-management.io/v1",
    kind: "ManagedCluster",
    metadata: { name: "huge", labels: { "cluster.open-cluster-management.io/clusterset": "forge" } },
    status: { clusterClaims: [{ name: "platform", value: "x".repeat(10_000_000) }] },
  };
  writeFileSync(join(directory, "huge.json"), JSON.stringify(huge));
  writeFileSync(join(directory, "binary.yaml"), Buffer.from([0x00, 0xff, 0xfe, 0x80]));
  writeFileSync(join(directory, "truncated.yaml.gz"), gzipSync("kind: Placement\n".repeat(100)).subarray(0, 20));
}
