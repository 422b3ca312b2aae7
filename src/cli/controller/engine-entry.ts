// An engine worker of the resolution controller: it offers the functions of engine.ts, with the cache, the registries and the commands of
// this command line.

import { parentPort, workerData } from "node:worker_threads";
import { type Port, ThreadLink } from "../../controller/thread-link.ts";
import { DEFAULT_LIMITS } from "../../input/limits.ts";
import { ApiServer } from "../../kube/api-server.ts";
import { openConnection } from "../../kube/connection.ts";
import { servedApis } from "../../kube/discovery.ts";
import { clusterMirrors } from "../../live/mirror-sets.ts";
import { proxiedCatalogd } from "../../live/proxied-catalogd.ts";
import { startEngine } from "../../resolution-controller/engine/engine.ts";
import type { EngineSetting } from "../../resolution-controller/threads.ts";
import { type RunSetting, settingOf } from "../catalogs/remote-setting.ts";
import { commandOf } from "./advice-command.ts";

/** Milliseconds that the search for one answer may take; the best answer until then counts. */
const LIMIT = 10_000;

const { connection: choice, version, configMap, insecureRegistry } = workerData as EngineSetting;
const connection = openConnection(choice, process.env);
const server = new ApiServer(connection);

/** The mirrors of the cluster may change at any time. */
async function remote(): Promise<RunSetting> {
  const setting = await settingOf({ insecureRegistry, maxDocumentBytes: DEFAULT_LIMITS.maxDocumentBytes }, () => {});
  const { apis } = await servedApis(server);
  const mirrors = await clusterMirrors(server, apis, () => {});
  return { ...setting, mirrors: [...setting.mirrors, ...mirrors] };
}

new ThreadLink(
  parentPort as Port,
  startEngine({
    ...{ version, configMap, remote, commandOf },
    position: {
      isInside: connection.context === undefined,
      namespace: undefined,
      isOfClusterScope: false,
      server: connection.server,
      proxied: (service, path) => proxiedCatalogd(server, connection.server, service, path),
    },
    limit: LIMIT,
    now: () => performance.now(),
  }),
);
