// Why is a cluster outside of the eligible sets, in words?

import { expect, test } from "vitest";
import type { ClusterReason, ClusterReport } from "../../placement/placement-result.ts";
import { clusterReasonText } from "./placement-reason.ts";

type Outside = Extract<ClusterReason, { readonly kind: "outside" }>;

test.each<[Pick<Outside, "own" | "unbound" | "wanted">, string]>([
  [{ own: [], unbound: [], wanted: [] }, "it is in no ManagedClusterSet"],
  [{ own: ["sea"], unbound: ["sea"], wanted: [] }, "it is only in sea, not bound to the namespace apps"],
  [{ own: ["sea"], unbound: [], wanted: ["land"] }, "the Placement selects only from land; the cluster is in sea"],
  [{ own: ["sea", "all"], unbound: ["sea"], wanted: ["sea"] }, "it is in sea, not bound to the namespace apps"],
])("%o", (sets, text) => {
  const reason: Outside = { kind: "outside", namespace: "apps", ...sets };
  expect(clusterReasonText({ reason, checks: [] } as unknown as ClusterReport)).toBe(text);
});
