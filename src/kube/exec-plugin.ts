// Which credentials does a credential plugin give? kubectl's protocol: a command of the kubeconfig is run, reads
// KUBERNETES_EXEC_INFO and prints an ExecCredential.
//
// client-node's own (ExecAuth) sets no KUBERNETES_EXEC_INFO, so that plugins which check it fail; it never ends a plugin
// that hangs, runs it again for every request if the credential has no expiration, and makes the plugin's whole
// standard error the message.

import { isAbsolute } from "node:path";
import { isatty } from "node:tty";
import { NetFailure } from "../net/failure.ts";
import { fileReason } from "../net/file-text.ts";
import { withoutSecrets } from "../net/hide-secrets.ts";
import { field, listField, parsedJson, textField } from "../net/json-fields.ts";
import { run as runProgram } from "../net/program.ts";
import { quoted, timeText } from "../text/words.ts";
import { pathIn } from "./kubeconfig.ts";

/** What an ExecCredential holds. */
export interface ExecCredential {
  readonly token: string | undefined;
  readonly certificate: string | undefined;
  readonly key: string | undefined;
  /** In milliseconds of the epoch; undefined if it does not say. */
  readonly expires: number | undefined;
}

export interface ExecPlugin {
  /** `exec` of the user in the kubeconfig. */
  readonly written: unknown;
  readonly user: string;
  /** The directory of the kubeconfig. */
  readonly directory: string;
  /** What `provideClusterInfo` passes on. */
  readonly cluster: Readonly<Record<string, unknown>>;
  readonly environment: NodeJS.ProcessEnv;
}

const API_VERSIONS = ["client.authentication.k8s.io/v1", "client.authentication.k8s.io/v1beta1"];

/** A person who logs in with a browser takes longer than a program. */
const MAX_INTERACTIVE_WAIT = 5 * 60_000;
const MAX_PLUGIN_WAIT = 60_000;

/** Runs the plugin. `timeout` in milliseconds; undefined is the default. */
export async function execCredential(
  plugin: ExecPlugin,
  signal: AbortSignal,
  timeout: number | undefined,
): Promise<ExecCredential> {
  const { written, user } = plugin;
  const writtenCommand = textField(written, "command");
  if (writtenCommand === undefined)
    throw new NetFailure("config", `the credential plugin of the user ${quoted(user)} has no command`);
  const apiVersion = textField(written, "apiVersion");
  if (apiVersion === undefined || !API_VERSIONS.includes(apiVersion))
    throw new NetFailure(
      "config",
      `the credential plugin of the user ${quoted(user)} has the apiVersion ${quoted(apiVersion ?? "")}, which is not supported`,
      { help: `use ${API_VERSIONS.join(" or ")}` },
    );
  const command =
    /[/\\]/.test(writtenCommand) && !isAbsolute(writtenCommand)
      ? pathIn(plugin.directory, writtenCommand)
      : writtenCommand;
  const interactive = isInteractive(plugin);
  const limit = interactive ? MAX_INTERACTIVE_WAIT : MAX_PLUGIN_WAIT;
  const output = await run(plugin, command, {
    apiVersion,
    interactive,
    signal,
    timeout: timeout === undefined || timeout <= 0 ? limit : Math.min(limit, timeout),
  });
  return credentialIn(plugin, apiVersion, output);
}

/** The plugin for messages. Its arguments may contain secrets. */
function named({ written, user }: ExecPlugin): string {
  return `the credential plugin ${quoted(textField(written, "command") ?? "")} of the user ${quoted(user)}`;
}

/** May the plugin ask the user? Only if standard input is a terminal. */
function isInteractive(plugin: ExecPlugin): boolean {
  const mode = textField(plugin.written, "interactiveMode") ?? "IfAvailable";
  if (mode === "Never") return false;
  const hasTerminal = isatty(0);
  if (mode === "Always" && !hasTerminal)
    throw new NetFailure("credentials", `${named(plugin)} needs a terminal, and standard input is none`, {
      help: "run the command in a terminal, or use credentials that need no login",
    });
  return hasTerminal;
}

interface Running {
  readonly apiVersion: string;
  readonly interactive: boolean;
  readonly signal: AbortSignal;
  readonly timeout: number;
}

/** Its environment: ours, that of the kubeconfig, and the protocol's. */
function environmentOf(plugin: ExecPlugin, { apiVersion, interactive }: Running): NodeJS.ProcessEnv {
  const environment: NodeJS.ProcessEnv = { ...plugin.environment };
  for (const entry of listField(plugin.written, "env")) {
    const name = textField(entry, "name");
    if (name !== undefined) environment[name] = String(field(entry, "value") ?? "");
  }
  const withCluster = field(plugin.written, "provideClusterInfo") === true;
  const spec = { ...(withCluster ? { cluster: plugin.cluster } : {}), interactive };
  environment.KUBERNETES_EXEC_INFO = JSON.stringify({ kind: "ExecCredential", apiVersion, spec });
  return environment;
}

async function run(plugin: ExecPlugin, command: string, running: Running): Promise<string> {
  const { interactive, signal, timeout } = running;
  const ending = await runProgram({
    command,
    args: listField(plugin.written, "args").map(String),
    environment: environmentOf(plugin, running),
    isInteractive: interactive,
    signal,
    timeout,
  });
  switch (ending.end) {
    case "not-started":
      throw notStarted(plugin, ending.code);
    case "too-slow":
      throw new NetFailure("timeout", `${named(plugin)} did not end within ${timeText(timeout)}`, {
        help: "run the plugin alone to see what it waits for",
      });
    case "too-much":
      throw new NetFailure("credentials", `${named(plugin)} printed more than 1 MiB`);
    case "exited":
      if (ending.code === 0) return ending.output;
  }
  const { code, killedBy, errors } = ending;
  const how = code === null ? `was ended by ${killedBy}` : `failed with exit code ${code}`;
  const said = withoutSecrets(errors, secretsOf(plugin));
  throw new NetFailure("credentials", `${named(plugin)} ${how}${said === "" ? "" : `: ${said}`}`, {
    help: "run the plugin alone, or log in again",
  });
}

/** Values of its environment and arguments can be secrets that it repeats; short arguments are subcommands and flags. */
function secretsOf({ written }: ExecPlugin): readonly string[] {
  const values = listField(written, "env").map((entry) => String(field(entry, "value") ?? ""));
  const args = listField(written, "args").map(String);
  return [...values.filter((text) => text.length >= 6), ...args.filter((text) => text.length >= 16)];
}

function notStarted(plugin: ExecPlugin, code: string | undefined): NetFailure {
  const hint = textField(plugin.written, "installHint");
  if (code !== "ENOENT")
    return new NetFailure("credentials", `${named(plugin)} cannot be started: ${fileReason(code)}`);
  return new NetFailure("credentials", `${named(plugin)} is not installed`, {
    help: hint === undefined ? "install it, or correct the command in the kubeconfig" : withoutSecrets(hint),
  });
}

function credentialIn(plugin: ExecPlugin, apiVersion: string, output: string): ExecCredential {
  const wrong = (what: string): NetFailure =>
    new NetFailure("credentials", `${named(plugin)} ${what}`, { help: "run the plugin alone to see what it prints" });
  const credential = parsedJson(output);
  if (textField(credential, "kind") !== "ExecCredential") throw wrong("did not print an ExecCredential");
  const printed = textField(credential, "apiVersion");
  if (printed !== apiVersion)
    throw wrong(`printed an ExecCredential of ${quoted(printed ?? "")} instead of ${quoted(apiVersion)}`);
  const status = field(credential, "status");
  const token = textField(status, "token");
  const certificate = textField(status, "clientCertificateData");
  const key = textField(status, "clientKeyData");
  if ((certificate === undefined) !== (key === undefined))
    throw wrong(`printed a client certificate without its key, or a key without its certificate`);
  if (token === undefined && certificate === undefined) throw wrong("printed neither a token nor a client certificate");
  const written = textField(status, "expirationTimestamp");
  const expires = written === undefined ? undefined : Date.parse(written);
  if (Number.isNaN(expires)) throw wrong("printed an expirationTimestamp that is not a time");
  return { token, certificate, key, expires };
}
