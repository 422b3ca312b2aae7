// An engine worker of the resolution controller: it offers the functions of engine.ts, with the cache, the registries and the commands of
// this command line.

import { parentPort, workerData } from "node:worker_threads";
import { Command } from "commander";
import { type Port, ThreadLink } from "../../controller/thread-link.ts";
import { DEFAULT_LIMITS } from "../../input/limits.ts";
import { ApiServer } from "../../kube/api-server.ts";
import { openConnection } from "../../kube/connection.ts";
import { servedApis } from "../../kube/discovery.ts";
import { clusterMirrors } from "../../live/mirror-sets.ts";
import { proxiedCatalogd } from "../../live/proxied-catalogd.ts";
import { CLUSTER_SCOPE, type Problem } from "../../model/problem.ts";
import { startEngine } from "../../resolution-controller/engine/engine.ts";
import type { AdviceTerms, EngineSetting } from "../../resolution-controller/threads.ts";
import type { Fix } from "../../resolve/resolution.ts";
import { type RunSetting, settingOf } from "../catalogs/remote-setting.ts";
import { fixCommands } from "../question/fix-command.ts";
import { withResolveOptions } from "../question/options.ts";

/** Milliseconds that the search for one answer may take; the best answer until then counts. */
const LIMIT = 10_000;

const { connection: choice, version, configMap, insecureRegistry } = workerData as EngineSetting;
const connection = openConnection(choice, process.env);
const server = new ApiServer(connection);
const known = withResolveOptions(new Command("resolve")).options;

/** The command that asks the same on the same cluster, outside of the controller. No flag makes every Subscription Manual. */
function commandOf(problem: Problem, { hold, allOrNothing }: AdviceTerms): (fix: Fix) => string {
  const { namespace } = problem;
  const where =
    namespace === CLUSTER_SCOPE ? { flag: "--scope", value: "cluster" } : { flag: "--namespace", value: namespace };
  const terms = [
    ...hold.map((value) => ({ flag: "--hold", value })),
    ...(allOrNothing ? [{ flag: "--all-or-nothing" }] : []),
  ];
  return fixCommands({ name: "resolve", known, words: [], flags: [{ flag: "--live" }, where, ...terms] }, [problem]);
}

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
