// Which cluster do all tests share? One with the kinds of crds.yaml, the bundled example and the read role as users get it.
// Tests only read it: a test that writes, or needs other objects, starts a cluster of its own.

import type { TestProject } from "vitest/node";
import { documentsOf } from "../case-documents.ts";
import { exampleDocuments } from "../example-documents.ts";
import { type ClusterAddress, startCluster } from "./cluster.ts";
import { loadObjects } from "./load-objects.ts";

declare module "vitest" {
  interface ProvidedContext {
    readonly cluster: ClusterAddress;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { admin, stop, server, tokens, servers } = await startCluster({ users: { "without-rights": [] } });
  try {
    await loadObjects(admin, documentsOf("test/e2e/crds.yaml"));
    await loadObjects(admin, documentsOf("deploy/read-role.yaml"));
    await loadObjects(admin, [...exampleDocuments("cluster"), ...exampleDocuments("fleet")]);
  } catch (error) {
    await stop();
    throw error;
  }
  project.provide("cluster", { server, tokens, servers });
  return stop;
}
