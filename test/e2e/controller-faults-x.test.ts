import { mkdtempSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { test } from "vitest";
import { ApiServer } from "../../src/kube/api-server.ts";
import { openConnection } from "../../src/kube/connection.ts";
import { storedFields } from "../../src/placement-controller/stored-fields.ts";
import { startHub } from "./controller/hub.ts";
import { writeKubeconfig } from "./kubeconfig.ts";
test("x", async () => {
  const hub = await startHub();
  const kubeconfig = writeKubeconfig(mkdtempSync("/tmp/xx-"), { server: hub.server, name: "x", user: { token: hub.tokens.admin as string } });
  for (let i = 0; i < 15; i++) {
    const server = new ApiServer(openConnection({ kubeconfig, asGroups: [] } as never, {}));
    const t0 = Date.now();
    try {
      const read = await storedFields(server, undefined);
      console.log(i, Date.now() - t0, read.version.slice(-8), read.fields.decision);
    } catch (error) {
      console.log(i, Date.now() - t0, String(error));
    }
    server.close();
    await sleep(200);
  }
  await hub.stop();
});
