// Which flags does `controller` have, and which values go together?

import { isIP } from "node:net";
import { type Command, InvalidArgumentError } from "commander";
import { addressParts, isLoopback } from "../../controller/http-server.ts";
import { DEFAULT_LEASE_TIMES, type LeaseTimes, wrongLeaseTime } from "../../controller/lease-times.ts";
import { LOG_LEVELS, type LogLevel } from "../../controller/log.ts";
import { RUNTIME_CONFIG_MAP } from "../../model/config-map.ts";
import type { ObjectName } from "../../resolution-controller/threads.ts";
import { readConfigMapName, readHost } from "../catalogs/options.ts";
import { recordFlags } from "../given-flags.ts";
import { notEmpty, oneOf, positiveInteger, readDuration, repeatable } from "../option-values.ts";

/** The controllers that there are. */
const CONTROLLERS = ["placement", "resolution", "webhook"] as const;
export type ControllerName = (typeof CONTROLLERS)[number];

/** The flags of `controller`. Times are in milliseconds. */
export interface ControllerFlags extends LeaseTimes {
  readonly controllers: readonly ControllerName[];
  readonly context?: string;
  readonly kubeconfig?: string;
  readonly as?: string;
  readonly asGroup?: readonly string[];
  readonly namespace?: string;
  readonly leaseName?: string;
  readonly identity?: string;
  readonly healthAddress: string;
  readonly metricsAddress: string;
  readonly debugAddress: string;
  readonly compat?: "ocm";
  readonly tieBreak: "name" | "hash";
  readonly onExpiredScore: "error" | "keep";
  readonly decisionScores: "sorted" | "all";
  readonly ocmNamespace: string;
  readonly writesAtOnce: number;
  readonly resolveWorkers: number;
  readonly catalogPeriod: number;
  readonly runtimeConstraintsConfigmap: ObjectName;
  readonly insecureRegistry?: readonly string[];
  readonly webhookAddress: string;
  readonly webhookSecret: string;
  readonly webhookConfiguration: string;
  readonly webhookService: string;
  readonly logLevel: LogLevel;
}

export function withControllerOptions(command: Command): Command {
  const options = command
    .requiredOption(
      "--controllers <NAMES>",
      `controllers to run, separated by commas: ${CONTROLLERS.join(", ")}`,
      names,
    )
    .option("--context <NAME>", "the cluster of this context (default: the current one of the kubeconfig)", notEmpty)
    .option(
      "--kubeconfig <FILE>",
      "kubeconfig to use (default: KUBECONFIG, ~/.kube/config, then the cluster of the pod)",
      notEmpty,
    )
    .option("--as <USER>", "user to impersonate", notEmpty)
    .addOption(repeatable("--as-group <GROUP>", "group to impersonate", notEmpty))
    .option("-n, --namespace <NAME>", "namespace of the Lease (default: that of the pod or of the context)", notEmpty)
    .option("--lease-name <NAME>", "name of the Lease, of a single controller (default: plimsoll-CONTROLLER)", notEmpty)
    .option(
      "--identity <NAME>",
      "prefix of the Lease holder; a random suffix is added (default: POD_NAME, or the name of the host)",
      notEmpty,
    )
    .option(
      "--lease-duration <TIME>",
      "how long others wait before they take over a Lease that is not renewed",
      readDuration,
      DEFAULT_LEASE_TIMES.leaseDuration,
    )
    .option(
      "--renew-deadline <TIME>",
      "how long the leader retries a failed renewal before it stops writing",
      readDuration,
      DEFAULT_LEASE_TIMES.renewDeadline,
    )
    .option(
      "--retry-period <TIME>",
      "time between two attempts to acquire or renew",
      readDuration,
      DEFAULT_LEASE_TIMES.retryPeriod,
    )
    .option("--health-address <[HOST]:PORT|off>", "where /livez and /readyz are answered", address, "127.0.0.1:8081")
    .option("--metrics-address <[HOST]:PORT|off>", "where /metrics is answered", address, "127.0.0.1:8080")
    .option(
      "--debug-address <HOST:PORT|off>",
      "address of the debug endpoint; loopback only",
      loopback,
      "127.0.0.1:8082",
    )
    .option("--compat <ocm>", "behave like Open Cluster Management", oneOf(["ocm"]))
    .option("--tie-break <name|hash>", "order of clusters with equal scores", oneOf(["name", "hash"]), "name")
    .option(
      "--on-expired-score <error|keep>",
      "keep: expired scores still count for clusters that are selected already",
      oneOf(["error", "keep"]),
      "error",
    )
    .option(
      "--decision-scores <sorted|all>",
      "scores in the PlacementDecisions of Placements with sortBy: Score, or of all Placements",
      oneOf(["sorted", "all"]),
      "sorted",
    )
    .option(
      "--ocm-namespace <NAME>",
      "where OCM's own controller runs; Plimsoll writes nothing while it runs",
      notEmpty,
      "open-cluster-management-hub",
    )
    .option(
      "--writes-at-once <N>",
      "how many Placements or Resolutions are written at the same time",
      positiveInteger,
      16,
    )
    .option("--resolve-workers <N>", "threads that resolve; each has all catalogs in memory", positiveInteger, 2)
    .option(
      "--catalog-period <TIME>",
      "time between two looks at a catalog that does not report changes",
      readDuration,
      5 * 60_000,
    )
    .option(
      "--runtime-constraints-configmap <NAMESPACE/NAME>",
      "ConfigMap with the runtime constraints (default: olm/olm-runtime-constraints)",
      readConfigMapName,
      RUNTIME_CONFIG_MAP,
    )
    .addOption(
      repeatable("--insecure-registry <HOST[:PORT]>", "a registry that may be read without verified TLS", readHost),
    )
    .option(
      "--webhook-address <[HOST]:PORT>",
      "address on which the webhook listens, over TLS",
      listening,
      "127.0.0.1:9443",
    )
    .option("--webhook-secret <NAME>", "Secret with the certificate of the webhook", notEmpty, "plimsoll-webhook-tls")
    .option(
      "--webhook-configuration <NAME>",
      "ValidatingWebhookConfiguration that gets its caBundle",
      notEmpty,
      "plimsoll-webhook",
    )
    .option("--webhook-service <NAME>", "Service of the webhook, for its certificate", notEmpty, "plimsoll-webhook")
    .option("--log-level <LEVEL>", LOG_LEVELS.join(", "), oneOf(LOG_LEVELS), "info");
  return recordFlags(options);
}

function names(text: string): readonly ControllerName[] {
  return [...new Set(text.split(",").map((word) => oneOf(CONTROLLERS)(word.trim())))];
}

/** HOST:PORT, with an IPv6 address in brackets; `:PORT` for all addresses of both families; `off` for none. */
function address(text: string): string {
  if (text === "off") return text;
  const parts = addressParts(text);
  const isAddress = parts !== undefined && (["", "localhost"].includes(parts.host) || isIP(parts.host) !== 0);
  if (!isAddress)
    throw new InvalidArgumentError(
      "It must be an IP address and a port, such as 127.0.0.1:8080 or [::1]:8080; :8080 for all addresses, off for none.",
    );
  return text;
}

function listening(text: string): string {
  if (text === "off") throw new InvalidArgumentError("Leave the webhook out of --controllers instead.");
  return address(text);
}

function loopback(text: string): string {
  const parts = addressParts(address(text));
  if (parts === undefined || isLoopback(parts.host)) return text;
  throw new InvalidArgumentError("It must be a loopback address, such as 127.0.0.1:8082; use kubectl port-forward.");
}

const LEASE_FLAGS: Readonly<Record<keyof LeaseTimes, string>> = {
  leaseDuration: "--lease-duration",
  renewDeadline: "--renew-deadline",
  retryPeriod: "--retry-period",
};

/** What is wrong with the command line as a whole. */
export function wrongForController(flags: ControllerFlags): string | undefined {
  const wrong = wrongLeaseTime(flags);
  if (wrong !== undefined) return `${LEASE_FLAGS[wrong.time]} ${wrong.rule}.`;
  const leading = flags.controllers.filter((name) => name !== "webhook");
  if (flags.leaseName !== undefined && leading.length > 1)
    return "--lease-name is the name of one Lease, but each controller has its own: leave it out, or run one controller.";
  return sameAddress(flags);
}

/** The name of the Lease of a controller. */
export function leaseNameOf(controller: ControllerName, { leaseName }: Pick<ControllerFlags, "leaseName">): string {
  return leaseName ?? `plimsoll-${controller}`;
}

/** The flags of the addresses, in the order in which they are listened on. */
function addressFlags({ controllers, ...flags }: ControllerFlags) {
  return [
    { flag: "--health-address", address: flags.healthAddress },
    { flag: "--metrics-address", address: flags.metricsAddress },
    ...(controllers.includes("placement") ? [{ flag: "--debug-address", address: flags.debugAddress }] : []),
    ...(controllers.includes("webhook") ? [{ flag: "--webhook-address", address: flags.webhookAddress }] : []),
  ].flatMap((one) => {
    const parts = addressParts(one.address);
    return parts === undefined ? [] : [{ ...one, ...parts }];
  });
}

function sameAddress(flags: ControllerFlags): string | undefined {
  const given = addressFlags(flags).filter(({ port }) => port !== 0);
  const [second] = given.filter(({ address }, at) => given.findIndex((one) => one.address === address) < at);
  const first = given.find(({ address }) => address === second?.address);
  return first && second && `${first.flag} and ${second.flag} must not be the same address.`;
}

/** An address that cannot be listened on. */
export interface RefusedAddress {
  readonly flag: string;
  readonly address: string;
  readonly why: string;
}

const WHY_REFUSED: Readonly<Record<string, string>> = {
  EADDRINUSE: "the port is in use",
  EADDRNOTAVAIL: "this machine does not have the address",
  EACCES: "ports below 1024 need a right that this process does not have",
  EAFNOSUPPORT: "this machine has no such addresses",
};

/** Which flag a failure to listen is about; undefined for any other failure. */
export function refusedAddress(error: unknown, flags: ControllerFlags): RefusedAddress | undefined {
  const {
    code = "",
    syscall,
    address: host,
    port,
  } = error as NodeJS.ErrnoException & {
    readonly address?: string;
    readonly port?: number;
  };
  const why = syscall === "listen" ? WHY_REFUSED[code] : undefined;
  const ofPort = addressFlags(flags).filter((one) => one.port === port);
  const meant = ofPort.find((one) => one.host === host) ?? ofPort[0];
  return why === undefined || meant === undefined ? undefined : { flag: meant.flag, address: meant.address, why };
}
