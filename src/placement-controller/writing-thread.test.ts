import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { LEASE_TIMES, runningProcess, smallCluster, threadFile } from "../../test/controller/controller-bed.ts";
import { eventually } from "../../test/eventually.ts";
import { placementController } from "./writing-thread.ts";

const folder = mkdtempSync(join(tmpdir(), "plimsoll-placement-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const DELAYS = { median: 0, p99: 0, worst: 0, longestCollection: 0, collections: 0 };

const LEASES = "/apis/coordination.k8s.io/v1/namespaces/home/leases";

/** Says what it was started with, and measures nothing. */
const THREAD = `
  import { parentPort, workerData } from "node:worker_threads";
  const fields = { setting: JSON.stringify(workerData) };
  parentPort.on("message", ({ is, id }) => {
    const result = { text: "", delays: ${JSON.stringify(DELAYS)} };
    if (is === "call") parentPort.postMessage({ is: "result", id, result });
  });
  parentPort.postMessage({ is: "call", id: 1, name: "log", argument: { level: "info", message: "started", fields } });
`;

function running(server: string) {
  return runningProcess(
    (surroundings) => [
      placementController(
        {
          ...{ connection: { asGroups: [] }, compat: "ocm", tieBreak: "hash", onExpiredScore: undefined },
          ...{ decisionScores: "all", writesAtOnce: 3, namespace: "home", leaseName: "lease", identity: "one" },
          ...{ ...LEASE_TIMES, ocmNamespace: "hub", debugAddress: "127.0.0.1:0" },
        },
        { ...surroundings, thread: threadFile(folder, THREAD) },
      ),
    ],
    server,
  );
}

test("the reading thread is started with the connection and what it needs", async () => {
  const { url } = await smallCluster();
  const { says, end } = running(url);
  const setting = { compat: "ocm", tieBreak: "hash", decisionScores: "all", writesAtOnce: 3 };
  await says({
    message: "started",
    controller: "placement",
    setting: JSON.stringify({ connection: { asGroups: [] }, setting }),
  });
  await end();
});

test("it leads if OCM's controller does not run, and says so", async () => {
  const { url } = await smallCluster();
  const { says, ask, end } = running(url);
  await says({ message: "OCM's placement controller does not run", namespace: "hub" });
  await says({ message: "leading", controller: "placement" });
  const [, text] = await ask("/metrics", "metrics");
  expect(text).toContain('plimsoll_leading{controller="placement"} 1\n');
  expect(text).toContain("plimsoll_ocm_controller_detected 0\n");
  await end();
});

test("it does not lead while OCM's controller runs, although it has the Lease, and says why", async () => {
  const path = "/apis/coordination.k8s.io/v1/namespaces/hub/leases/placement-lock";
  const spec = { holderIdentity: "theirs", renewTime: "2026-03-01T12:00:00.000000Z", leaseDurationSeconds: 600 };
  const { url, requests } = await smallCluster({ objects: { [path]: { spec } } });
  const { says, ask, lines, end } = running(url);
  await says({ level: "warn", lease: "placement-lock", holder: "theirs", controller: "placement" });
  await eventually(() => expect(requests.map(({ method, path }) => `${method} ${path}`)).toContain(`POST ${LEASES}`));
  const [, text] = await ask("/metrics", "metrics");
  expect(text).toContain('plimsoll_leading{controller="placement"} 0\n');
  expect(text).toContain("plimsoll_ocm_controller_detected 1\n");
  expect(lines.map(({ message }) => message)).not.toContain("leading");
  await end();
});

test("the debug address is answered", async () => {
  const { url } = await smallCluster();
  const { ask, end } = running(url);
  expect((await ask("/placements/apps/web", "debug"))[0]).toBe(401);
  await end();
});
