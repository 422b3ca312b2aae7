// `plimsoll controller`: keeps a cluster in the state that the engines compute, until it is stopped.

import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { SYSTEM_CLOCK } from "../../controller/clock.ts";
import { bugFields, Log } from "../../controller/log.ts";
import { type Connection, openConnection } from "../../kube/connection.ts";
import { NetFailure } from "../../net/failure.ts";
import { runPlacementController } from "../../placement-controller/writing-thread.ts";
import { engineVersion } from "../engine-version.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { refuse } from "../question/usage-error.ts";
import { openTerminal } from "../terminal.ts";
import { type ControllerFlags, refusedAddress, wrongForController } from "./options.ts";

export { withControllerOptions as addFlags } from "./options.ts";

/** Runs the command until a signal ends it. */
export async function run(flags: ControllerFlags): Promise<ExitCode> {
  const terminal = openTerminal({ color: "auto" });
  const wrong = wrongForController(flags);
  if (wrong !== undefined) return refuse(wrong, terminal);
  const choice = choiceOf(flags);
  const connection = connected(choice);
  if (connection instanceof NetFailure) {
    const { message, help } = connection;
    return refuse(`${message}${help === undefined ? "" : `; ${help}`}.`, terminal, EXIT.unreachable);
  }
  const log = new Log({ level: flags.logLevel, clock: SYSTEM_CLOCK, write: (line) => terminal.err(line) });
  log.info("starting", { version: engineVersion(), controllers: flags.controllers.join(",") });
  try {
    await runPlacementController(
      {
        version: engineVersion(),
        connection: choice,
        namespace: flags.namespace ?? connection.namespace ?? "default",
        identity: leaseHolder(flags),
        ...{ leaseName: flags.leaseName, ocmNamespace: flags.ocmNamespace, writesAtOnce: flags.writesAtOnce },
        ...{ leaseDuration: flags.leaseDuration, renewDeadline: flags.renewDeadline, retryPeriod: flags.retryPeriod },
        ...{ compat: flags.compat, tieBreak: flags.tieBreak, onExpiredScore: flags.onExpiredScore },
        decisionScores: flags.decisionScores,
        healthAddress: addressOf(flags.healthAddress),
        metricsAddress: addressOf(flags.metricsAddress),
        debugAddress: addressOf(flags.debugAddress),
      },
      { connection, clock: SYSTEM_CLOCK, random: Math.random, log, signal: stopSignal() },
    );
    return EXIT.yes;
  } catch (error) {
    const refused = refusedAddress(error, flags);
    if (refused !== undefined) {
      log.error("cannot listen", { ...refused, help: `give ${refused.flag} another address, or off` });
      return EXIT.usage;
    }
    log.error("failed", bugFields(error));
    return EXIT.bug;
  } finally {
    // Otherwise the process would wait until the repetitions of a line are due, for up to a minute.
    log.flush();
  }
}

/** Who holds the Lease. The random part keeps replicas with the same flags apart: each would take the Lease of the other for its own. */
export function leaseHolder({ identity }: Pick<ControllerFlags, "identity">): string {
  return `${identity ?? process.env.POD_NAME ?? hostname()}_${randomUUID()}`;
}

function choiceOf({ context, kubeconfig, as, asGroup = [] }: ControllerFlags) {
  return {
    ...(context !== undefined && { context }),
    ...(kubeconfig !== undefined && { kubeconfig }),
    ...(as !== undefined && { as }),
    asGroups: asGroup,
  };
}

function connected(choice: ReturnType<typeof choiceOf>): Connection | NetFailure {
  try {
    return openConnection(choice, process.env);
  } catch (error) {
    if (error instanceof NetFailure) return error;
    throw error;
  }
}

function addressOf(flag: string): string | undefined {
  return flag === "off" ? undefined : flag;
}

/** Kubernetes ends a pod with SIGTERM, a terminal with SIGINT. */
function stopSignal(): AbortSignal {
  const stop = new AbortController();
  process.removeAllListeners("SIGINT");
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => stop.abort());
  return stop.signal;
}
