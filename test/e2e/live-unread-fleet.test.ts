// What does `place` do if clusters, sets or bindings may not be read? It takes no cluster away from a Placement, and says so.

import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { caseDocuments } from "../case-documents.ts";
import { exampleDocuments } from "../example-documents.ts";
import { type Cluster, startCluster } from "./cluster.ts";
import { type Ran, runCommand, testFolder } from "./command.ts";
import { FLEET_RESOURCES } from "./controller/kinds.ts";
import { writeKubeconfig } from "./kubeconfig.ts";
import { loadObjects } from "./load-objects.ts";
import { namesOf, rolesOf, type UserRights } from "./user-rights.ts";

const folder = testFolder("unread-fleet");
let cluster: Cluster;

/** For each kind of a fleet a user who may read all the others. */
const USERS: UserRights = Object.fromEntries(
  FLEET_RESOURCES.map((unread) => [
    `no-${unread}`,
    { "cluster.open-cluster-management.io": FLEET_RESOURCES.filter((resource) => resource !== unread) },
  ]),
);

beforeAll(async () => {
  cluster = await startCluster({ users: namesOf(USERS) });
  const documentsOf = (path: string) => caseDocuments(path, readFileSync(path), (value) => value);
  await loadObjects(cluster.admin, documentsOf("test/e2e/crds.yaml"));
  await loadObjects(cluster.admin, [
    ...exampleDocuments("fleet"),
    ...documentsOf("examples/harbour/what-if/decisions.yaml"),
    ...rolesOf(USERS),
  ]);
});
afterAll(() => cluster?.stop());

async function placedAs(user: string, args: readonly string[]): Promise<Ran> {
  const token = cluster.tokens[user] as string;
  const kubeconfig = writeKubeconfig(folder, { server: cluster.server, name: user, user: { token } });
  return runCommand(["place", "--live", "--kubeconfig", kubeconfig, "--now", "2026-11-01T00:00:00Z", ...args], folder);
}

describe("what a Placement has, it keeps", () => {
  test.each([
    [
      "managedclusters",
      "ManagedCluster",
      "so the clusters are unknown",
      "no ManagedCluster could be read, so it is unknown which clusters may be used",
    ],
    [
      "managedclustersets",
      "ManagedClusterSet",
      "so the sets of clusters are unknown",
      'the ManagedClusterSet "prod" is missing, and may be in what could not be read, so it is unknown which clusters may be used',
    ],
    [
      "managedclustersetbindings",
      "ManagedClusterSetBinding",
      "so it is unknown which sets a namespace may use",
      "a ManagedClusterSetBinding of the namespace may be in what could not be read, so it is unknown which clusters may be used",
    ],
  ])("if %s may not be read", async (resource, kind, unknown, why) => {
    const { code, out, err } = await placedAs(`no-${resource}`, ["default/placement2", "harbour-apps/quiet-clusters"]);
    expect(err).toContain(`error[PL014]: reading ${kind} objects is forbidden, ${unknown}\n`);
    expect(err).toContain(`cannot list resource "${resource}"`);
    expect(out).toContain("  Kept: hamburg, lisbon\n");
    expect(out).toContain("  Kept: auckland\n");
    expect(out).toContain(why);
    expect(out).toContain(`--> cluster/${kind}\n`);
    expect(out).toContain("✗ default/placement2: undecided, since not everything that concerns it could be read; ");
    expect(out).not.toContain("misconfigured");
    expect(out).not.toContain("no members");
    expect(code).toBe(4);
    const decided = await placedAs(`no-${resource}`, ["default/placement2", "-o", "name"]);
    expect(decided.out).toBe("default/placement2 hamburg\ndefault/placement2 lisbon\n");
    expect(decided.err).toContain(
      "1 Placement is undecided, since not everything that concerns it could be read: default/placement2",
    );
  });
});

test("without PlacementDecisions, the answer is as if there were none, and that is said", async () => {
  const all = await placedAs("admin", ["default/placement2", "-o", "name"]);
  expect(all.out).toBe("default/placement2 bergen\ndefault/placement2 hamburg\ndefault/placement2 lisbon\n");
  const { code, out, err } = await placedAs("no-placementdecisions", ["default/placement2", "-o", "name"]);
  expect(err).toContain("so the earlier decisions are unknown, and the answer is as if there were none\n");
  expect(out).toBe("default/placement2 auckland\ndefault/placement2 bergen\ndefault/placement2 hamburg\n");
  expect(code).toBe(4);
});

test("without Placements there is no answer, not an empty one", async () => {
  const { code, out, err } = await placedAs("no-placements", []);
  expect(err).toContain("error[PL014]: reading Placement objects is forbidden, so the Placements are unknown\n");
  expect(err).toContain("plimsoll: no Placement could be read; fix the input.\n");
  expect([code, out]).toEqual([4, ""]);
});
