// How does a process run its controllers? They start and end together; servers for probes and metrics are shared. The process ends when it
// is asked to, or when one of them fails.

import { healthRoute } from "./health-checks.ts";
import { type HttpServer, type HttpServerOptions, type Route, startHttpServer } from "./http-server.ts";
import { joinedMetrics } from "./joined-metrics.ts";
import { bugFields, type Log } from "./log.ts";
import { METRICS_TYPE } from "./metrics.ts";
import { ProcessMetrics } from "./process-metrics.ts";

/** One of the controllers of a process. */
export interface Controller {
  readonly name: string;
  /** Does everything that it consists of answer? */
  readonly isAlive: boolean;
  /** Has it read everything that can be read? */
  readonly isSettled: boolean;
  /** Besides those that all controllers share. */
  readonly servers?: readonly ControllerServer[];
  /** In the text format of Prometheus. Names that other controllers have, too, have a label that differs. */
  metrics(): Promise<string>;
  /** Works until it is stopped; rejects if it fails. */
  run(): Promise<void>;
  /** Ends it, also if it does not run yet, or has failed. */
  stop(): Promise<void>;
}

/** A server over HTTP. */
export interface ControllerServer {
  /** In the log. */
  readonly name: string;
  /** `HOST:PORT`; undefined: not at all. */
  readonly address: string | undefined;
  readonly routes: HttpServerOptions["routes"];
}

export interface ProcessSetting {
  /** Of this program. */
  readonly version: string;
  /** `HOST:PORT`; undefined: not at all. */
  readonly healthAddress: string | undefined;
  readonly metricsAddress: string | undefined;
}

export interface ProcessSurroundings {
  readonly log: Log;
  /** Asks it to end. */
  readonly signal: AbortSignal;
}

/** Milliseconds for a request and its answer: some answers take long, probes must not wait behind slow clients. */
const ANSWER_LIMIT = 30_000;
const PROBE_LIMIT = 2000;

/** Runs until it is asked to end; rejects if a controller fails, or if an address cannot be listened on. All controllers are stopped then. */
export async function runControllers(
  controllers: readonly Controller[],
  setting: ProcessSetting,
  { log, signal }: ProcessSurroundings,
): Promise<void> {
  const servers: HttpServer[] = [];
  try {
    await startServers(servers, controllers, setting, log);
    await Promise.race([aborted(signal), Promise.all(controllers.map((controller) => controller.run()))]);
    log.info("stopping");
  } finally {
    await Promise.all([
      ...controllers.map((controller) => controller.stop()),
      ...servers.map((server) => server.close()),
    ]);
    log.flush();
  }
  log.info("stopped");
}

/** Starts the servers that are wanted, one after the other. */
async function startServers(
  started: HttpServer[],
  controllers: readonly Controller[],
  { version, healthAddress, metricsAddress }: ProcessSetting,
  log: Log,
): Promise<void> {
  const wanted: readonly (ControllerServer & { readonly timeLimit?: number })[] = [
    { name: "health", address: healthAddress, routes: probes(controllers), timeLimit: PROBE_LIMIT },
    { name: "metrics", address: metricsAddress, routes: { "/metrics": metricsRoute(controllers, version) } },
    ...controllers.flatMap(({ servers = [] }) => servers),
  ];
  for (const { name, address, routes, timeLimit = ANSWER_LIMIT } of wanted) {
    if (address === undefined) continue;
    const onError = (error: unknown): void => log.error("a request failed", { server: name, ...bugFields(error) });
    const server = await startHttpServer({ address, routes, timeLimit, onError });
    log.info("listening", { server: name, address: server.address });
    started.push(server);
  }
}

/** Every controller has to be alive, and to have read everything. */
function probes(controllers: readonly Controller[]): Readonly<Record<string, Route>> {
  const checksOf = (check: string, passes: (controller: Controller) => boolean) =>
    Object.fromEntries(controllers.map((one) => [`${one.name}/${check}`, () => passes(one)]));
  const alive = checksOf("reading-thread", ({ isAlive }) => isAlive);
  const ready = { ...alive, ...checksOf("synced", ({ isSettled }) => isSettled) };
  return { "/livez": healthRoute("livez", alive), "/readyz": healthRoute("readyz", ready) };
}

function metricsRoute(controllers: readonly Controller[], version: string): Route {
  const metrics = new ProcessMetrics(version);
  return {
    handle: async () => {
      const texts = await Promise.all(controllers.map((controller) => controller.metrics()));
      return { status: 200, contentType: METRICS_TYPE, body: joinedMetrics([metrics.text(), ...texts]) };
    },
  };
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((done) => signal.addEventListener("abort", () => done(), { once: true }));
}
