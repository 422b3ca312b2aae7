// `plimsoll controller`: keeps a cluster in the state that the engines compute, until it is stopped.

import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { SYSTEM_CLOCK } from "../../controller/clock.ts";
import { type Controller, runControllers } from "../../controller/controller-process.ts";
import type { ControllerSurroundings, LeadingSetting } from "../../controller/leading-controller.ts";
import { bugFields, Log } from "../../controller/log.ts";
import { type Connection, openConnection } from "../../kube/connection.ts";
import { NetFailure } from "../../net/failure.ts";
import { placementController } from "../../placement-controller/writing-thread.ts";
import { resolutionController } from "../../resolution-controller/writing-thread.ts";
import { engineVersion } from "../engine-version.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { refuse } from "../question/usage-error.ts";
import { openTerminal } from "../terminal.ts";
import {
  type ControllerFlags,
  type ControllerName,
  leaseNameOf,
  refusedAddress,
  wrongForController,
} from "./options.ts";

import { webhookController } from "./webhook-controller.ts";

export { withControllerOptions as addFlags } from "./options.ts";

/** Runs the command until a signal ends it. */
export async function run(flags: ControllerFlags): Promise<ExitCode> {
  const terminal = openTerminal({ color: "auto" });
  const wrong = wrongForController(flags);
  if (wrong !== undefined) return refuse(wrong, terminal);
  const connection = connected(choiceOf(flags));
  if (connection instanceof NetFailure) {
    const { message, help } = connection;
    return refuse(`${message}${help === undefined ? "" : `; ${help}`}.`, terminal, EXIT.unreachable);
  }
  const log = new Log({ level: flags.logLevel, clock: SYSTEM_CLOCK, write: (line) => terminal.err(line) });
  log.info("starting", { version: engineVersion(), controllers: flags.controllers.join(",") });
  try {
    await runControllers(
      controllersOf(flags, { connection, clock: SYSTEM_CLOCK, random: Math.random, log }),
      {
        version: engineVersion(),
        healthAddress: addressOf(flags.healthAddress),
        metricsAddress: addressOf(flags.metricsAddress),
      },
      { log, signal: stopSignal() },
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

/** The controllers that are wanted; each has started its threads. */
function controllersOf(flags: ControllerFlags, surroundings: ControllerSurroundings): readonly Controller[] {
  const identity = leaseHolder(flags);
  const namespace = flags.namespace ?? surroundings.connection.namespace ?? "default";
  const { leaseDuration, renewDeadline, retryPeriod, writesAtOnce } = flags;
  const leading = { namespace, identity, leaseDuration, renewDeadline, retryPeriod, writesAtOnce };
  const settingOf = (name: ControllerName): LeadingSetting => ({ ...leading, leaseName: leaseNameOf(name, flags) });
  const wants = (name: ControllerName): boolean => flags.controllers.includes(name);
  const placement = wants("placement") ? placementOf(flags, settingOf("placement"), surroundings) : undefined;
  const resolution = wants("resolution") ? resolutionOf(flags, settingOf("resolution"), surroundings) : undefined;
  const webhook = wants("webhook") ? webhookOf(flags, namespace, resolution, surroundings) : undefined;
  return [placement, resolution, webhook].filter((one) => one !== undefined);
}

/** The webhook asks the engines of the resolution controller, if that runs beside it. */
function webhookOf(
  flags: ControllerFlags,
  namespace: string,
  resolution: ReturnType<typeof resolutionController> | undefined,
  surroundings: ControllerSurroundings,
): Controller {
  return webhookController(
    {
      ...{ namespace, address: flags.webhookAddress, secret: flags.webhookSecret },
      ...{ configuration: flags.webhookConfiguration, service: flags.webhookService },
      ...{ configMap: flags.runtimeConstraintsConfigmap, compat: flags.compat === "ocm" },
      ...(resolution && {
        blastRadius: (proposed) => resolution.reading.call("radius", { text: proposed?.text ?? "[]" }),
      }),
    },
    surroundings,
  );
}

function placementOf(
  flags: ControllerFlags,
  leading: LeadingSetting,
  surroundings: ControllerSurroundings,
): Controller {
  return placementController(
    {
      ...{ ...leading, connection: choiceOf(flags), ocmNamespace: flags.ocmNamespace },
      ...{ compat: flags.compat, tieBreak: flags.tieBreak, onExpiredScore: flags.onExpiredScore },
      ...{ decisionScores: flags.decisionScores, debugAddress: addressOf(flags.debugAddress) },
    },
    surroundings,
  );
}

function resolutionOf(flags: ControllerFlags, leading: LeadingSetting, surroundings: ControllerSurroundings) {
  return resolutionController(
    {
      ...{ ...leading, connection: choiceOf(flags), version: engineVersion() },
      ...{ configMap: flags.runtimeConstraintsConfigmap, resolveWorkers: flags.resolveWorkers },
      ...{ insecureRegistry: flags.insecureRegistry ?? [], catalogPeriod: flags.catalogPeriod },
    },
    surroundings,
  );
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
