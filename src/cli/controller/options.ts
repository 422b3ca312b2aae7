// Which flags does `controller` have, and which values go together?

import { isIP } from "node:net";
import { type Command, InvalidArgumentError } from "commander";
import type { LogLevel } from "../../controller/log.ts";
import { notEmpty, oneOf, positiveInteger, readDuration, repeatable } from "../option-values.ts";

/** The flags of `controller`. Times are in milliseconds. */
export interface ControllerFlags {
  readonly controllers: readonly string[];
  readonly context?: string;
  readonly kubeconfig?: string;
  readonly as?: string;
  readonly asGroup?: readonly string[];
  readonly namespace?: string;
  readonly leaseName: string;
  readonly identity?: string;
  readonly leaseDuration: number;
  readonly renewDeadline: number;
  readonly retryPeriod: number;
  readonly healthAddress: string;
  readonly metricsAddress: string;
  readonly debugAddress: string;
  readonly compat?: "ocm";
  readonly tieBreak: "name" | "hash";
  readonly onExpiredScore: "error" | "keep";
  readonly ocmNamespace: string;
  readonly writesAtOnce: number;
  readonly logLevel: LogLevel;
}

/** The controllers that there are. */
const CONTROLLERS = ["placement"];

export function withControllerOptions(command: Command): Command {
  return command
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
    .option("--lease-name <NAME>", "name of the Lease", notEmpty, "plimsoll-placement")
    .option("--identity <NAME>", "holder of the Lease (default: POD_NAME, or the host, and a random part)", notEmpty)
    .option("--lease-duration <TIME>", "after this time without renewal another process leads", readDuration, 15_000)
    .option("--renew-deadline <TIME>", "after this time without renewal a leader stops writing", readDuration, 10_000)
    .option("--retry-period <TIME>", "time between two renewals", readDuration, 2_000)
    .option("--health-address <[HOST]:PORT|off>", "where /livez and /readyz are answered", address, "127.0.0.1:8081")
    .option("--metrics-address <[HOST]:PORT|off>", "where /metrics is answered", address, "127.0.0.1:8080")
    .option("--debug-address <HOST:PORT|off>", "where reasons are answered; loopback only", loopback, "127.0.0.1:8082")
    .option("--compat <ocm>", "behave like Open Cluster Management", oneOf(["ocm"]))
    .option("--tie-break <name|hash>", "order of clusters with equal scores", oneOf(["name", "hash"]), "name")
    .option(
      "--on-expired-score <error|keep>",
      "keep: expired scores still count for clusters that are selected already",
      oneOf(["error", "keep"]),
      "error",
    )
    .option(
      "--ocm-namespace <NAME>",
      "where OCM's own controller runs; nothing is written while it is alive",
      notEmpty,
      "open-cluster-management-hub",
    )
    .option("--writes-at-once <N>", "how many Placements are written at the same time", positiveInteger, 16)
    .option("--log-level <LEVEL>", "debug, info, warn or error", oneOf(["debug", "info", "warn", "error"]), "info");
}

function names(text: string): readonly string[] {
  const given = text.split(",").map((word) => word.trim());
  for (const name of given) oneOf(CONTROLLERS)(name);
  return [...new Set(given)];
}

/** HOST:PORT, with an IPv6 address in brackets; `:PORT` for all addresses of both families; `off` for none. */
function address(text: string): string {
  if (text === "off") return text;
  const parts = addressParts(text);
  const isAddress = parts !== undefined && (["", "localhost"].includes(parts.host) || isIP(parts.host) !== 0);
  if (!isAddress || parts.port > 65_535)
    throw new InvalidArgumentError(
      "It must be an IP address and a port, such as 127.0.0.1:8080 or [::1]:8080; :8080 for all addresses, off for none.",
    );
  return text;
}

/** The two parts of an address, an IPv6 address without its brackets. */
function addressParts(text: string): { readonly host: string; readonly port: number } | undefined {
  const [, bracketed, plain = "", port] = /^(?:\[([0-9a-fA-F:.]+)\]|([^:[\]]*)):([0-9]{1,5})$/.exec(text) ?? [];
  return port === undefined ? undefined : { host: bracketed ?? plain, port: Number(port) };
}

function loopback(text: string): string {
  const { host = "off" } = addressParts(address(text)) ?? {};
  if (host === "off" || host === "localhost" || host === "::1" || /^127\./.test(host)) return text;
  throw new InvalidArgumentError("It must be a loopback address, such as 127.0.0.1:8082; use kubectl port-forward.");
}

/** What is wrong with the command line as a whole. */
export function wrongForController(flags: ControllerFlags): string | undefined {
  const { leaseDuration, renewDeadline, retryPeriod } = flags;
  if (leaseDuration < 5_000 || leaseDuration > 600_000) return "--lease-duration must be from 5s to 10m.";
  if (renewDeadline > leaseDuration * 0.8)
    return "--renew-deadline must be at most 80% of --lease-duration: the rest is for requests that are under way.";
  if (retryPeriod < 100 || retryPeriod > renewDeadline / 2)
    return "--retry-period must be at least 100ms and at most half of --renew-deadline.";
  return sameAddress(flags);
}

/** The flags of the addresses, in the order in which they are listened on. */
function addressFlags({ healthAddress, metricsAddress, debugAddress }: ControllerFlags) {
  return [
    { flag: "--health-address", address: healthAddress },
    { flag: "--metrics-address", address: metricsAddress },
    { flag: "--debug-address", address: debugAddress },
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
