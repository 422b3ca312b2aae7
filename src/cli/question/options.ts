// Which flags does `resolve` have in addition to the shared ones, and what do they mean?

import { type Command, InvalidArgumentError, Option } from "commander";
import { BoundFault, checkBounds } from "../../input/document.ts";
import { readJson, TextFault } from "../../input/json-text.ts";
import { DEFAULT_LIMITS } from "../../input/limits.ts";
import { plainVersion, versionFault } from "../../job/cluster-fact.ts";
import type { Property } from "../../model/catalog.ts";
import type { Json } from "../../model/json.ts";
import { DEFAULT_OPTIONS, type ResolveOptions } from "../../model/problem.ts";
import { FORMATS } from "../../render/output-formats.ts";
import { parseNamedRequest } from "../../resolve/prepare/named-request.ts";
import type { NamedRequest } from "../../resolve/prepare/problem-inputs.ts";
import { readConfigMapName } from "../catalogs/options.ts";
import { withLiveOptions } from "../live/options.ts";
import { compatOption, hidden, notEmpty, oneOf, positiveInteger, readSeconds, repeatable } from "../option-values.ts";
import { type SharedOptions, withSharedOptions } from "../shared-options.ts";

/** The flags of `resolve`. */
export interface ResolveFlags extends SharedOptions {
  readonly namespace?: string;
  /** The ClusterExtensions of OLM v1. */
  readonly scope?: "cluster";
  readonly allNamespaces?: boolean;
  readonly add: readonly string[];
  readonly remove: readonly string[];
  readonly hold: readonly string[];
  readonly drop: readonly string[];
  readonly instead: readonly NamedRequest[];
  readonly approve: readonly string[];
  /** Counted from 1. */
  readonly withoutConstraint: readonly number[];
  readonly release: readonly string[];
  readonly partly?: boolean;
  readonly kubeVersion?: string;
  readonly openshiftVersion?: string;
  readonly property: readonly Property[];
  readonly runtimeConstraints?: string;
  /** Proposed runtime constraints: what would they change? */
  readonly whatIfConstraints?: string;
  readonly runtimeConstraintsConfigmap?: { readonly namespace: string; readonly name: string };
  readonly crdSettings?: string;
  readonly featureGates: FeatureGates;
  readonly compat: readonly string[];
  readonly compoundScope?: "solution" | "bundle";
  readonly allOrNothing?: boolean;
  readonly installOptional?: boolean;
  readonly ignoreUnavailable?: boolean;
  readonly maxConflicts?: number;
  readonly celCostLimit?: number;
  /** In seconds. */
  readonly timeout?: number;
  readonly failOn?: "held-back";
  readonly requireProof?: boolean;
  readonly saveProblem?: string;
  readonly replay?: string;
  readonly locked?: string;
  /** False: custom resources of a live cluster are not read. */
  readonly instances: boolean;
  readonly fetchBundles?: boolean;
}

/** Whether each gate is on, by name. */
export type FeatureGates = Readonly<Record<string, boolean>>;

/** The gate that bundles with compound constraints need. */
export const COMPOUND_GATE = "CompoundConstraintsV1Alpha1";
const GATES: readonly string[] = [COMPOUND_GATE];

/**
 * Adds the flags of `resolve` to a command that asks the same question. `outputs` are its output formats; the first is the
 * default.
 */
export function withResolveOptions(command: Command, outputs: readonly string[] = FORMATS.resolve): Command {
  const scope = new Option("--scope <SCOPE>", "cluster: resolve the ClusterExtensions of OLM v1");
  const asking = command
    .option(
      "-n, --namespace <NAME>",
      "namespace to resolve (default: that of the context, or the only one with Subscriptions)",
    )
    .option("-A, --all-namespaces", "resolve every namespace that has Subscriptions, and the ClusterExtensions")
    .addOption(scope.argParser(oneOf(["cluster"])));
  const flags = withLimits(withReadings(withCluster(withWhatIf(asking))));
  if (command.name() === "resolve")
    flags.addOption(
      hidden("--locked <FILE>", "exit 1 unless the answer matches the next generation of this lock file"),
    );
  return withSharedOptions(
    withLiveOptions(flags)
      .addOption(hidden("--no-instances", "do not read the custom resources of a live cluster"))
      .addOption(hidden("--fetch-bundles", "fetch manifests that a catalog leaves out from the images of its bundles")),
    outputs,
  ).addHelpText("after", alsoOf(command.name()));
}

const alsoOf = (name: string): string => `More flags of ${name}:
  --compat olm,ocm,olmv1  --compound-scope solution|bundle  --feature-gates GATE=true|false  --ignore-unavailable
  --max-conflicts N  --cel-cost-limit N  --timeout SECONDS  --require-proof${name === "explain" ? "" : "  --save-problem FILE"}
  --replay FILE [--release PACKAGE] [--partly]  --crd-settings FILE${name === "resolve" ? "  --locked FILE" : ""}
  --runtime-constraints-configmap NAMESPACE/NAME  --no-instances`;

function withWhatIf(command: Command): Command {
  return command
    .addOption(listOf("--add <PACKAGE>", "what if: request a package, like naming it as an argument"))
    .addOption(listOf("--drop <PACKAGE>", "what if: drop its requests; installed operators stay"))
    .addOption(
      repeatable(
        "--instead <REQUEST>",
        "what if: replace the requests for a package: [CATALOG/]PACKAGE[@RANGE][:CHANNEL]",
        readWish,
      ),
    )
    .addOption(listOf("--remove <PACKAGE>", "what if: remove the operator; lists what breaks"))
    .addOption(listOf("--hold <PACKAGE>", "what if: keep the operator at its version"))
    .addOption(listOf("--approve <PACKAGE>", "what if: approve its Manual Subscriptions"))
    .addOption(
      repeatable(
        "--without-constraint <NUMBER>",
        "what if: ignore the runtime constraint with this number",
        positiveInteger,
      ),
    )
    .addOption(listOf("--release <PACKAGE>", "undo a --hold or --remove of the saved problem").hideHelp())
    .addOption(hidden("--partly", "undo the --all-or-nothing of the saved problem"));
}

function withCluster(command: Command): Command {
  const facts = command
    .option("--kube-version <VERSION>", "Kubernetes version of the cluster", clusterVersion)
    .option("--openshift-version <VERSION>", "OpenShift version of the cluster", clusterVersion)
    .addOption(
      repeatable(
        "--property <TYPE=TEXT>",
        "property of the cluster; TYPE:=JSON for values other than strings",
        readProperty,
      ),
    )
    .option("--runtime-constraints <FILE>", "runtime constraints of the administrator: ConfigMap or plain list");
  if (command.name() === "resolve")
    facts.option("--what-if-constraints <FILE>", "compare: what would these constraints change?");
  return facts
    .addOption(
      hidden(
        "--runtime-constraints-configmap <NAMESPACE/NAME>",
        "ConfigMap with the runtime constraints",
        readConfigMapName,
      ),
    )
    .addOption(hidden("--crd-settings <FILE>", "severities of CRD findings"));
}

function withReadings(command: Command): Command {
  return command
    .option("--all-or-nothing", "change nothing unless every request is satisfied")
    .option("--install-optional", "also install operators for optional requirements")
    .option("--fail-on <WHAT>", "held-back: exit 1 if an operator is held back", oneOf(["held-back"]))
    .addOption(hidden("--ignore-unavailable", "ignore catalogs that could not be read"))
    .addOption(hidden("--compound-scope <SCOPE>", "scope of compound constraints", oneOf(["solution", "bundle"])))
    .addOption(compatOption().hideHelp())
    .addOption(gatesOption());
}

function withLimits(command: Command): Command {
  return command
    .addOption(hidden("--max-conflicts <N>", "maximum number of conflicts of the search", positiveInteger))
    .addOption(hidden("--cel-cost-limit <N>", "maximum cost of one CEL evaluation", positiveInteger))
    .addOption(hidden("--timeout <SECONDS>", "maximum time of the search", readSeconds))
    .addOption(hidden("--require-proof", "exit 5 if the answer is not proven to be the best"))
    .addOption(hidden("--save-problem <FILE>", "write all inputs of the answer to a file"))
    .addOption(hidden("--replay <FILE>", "resolve a saved problem"));
}

/** The options of the resolver that the flags set. */
export function resolveOptions(flags: ResolveFlags): ResolveOptions {
  return {
    ...DEFAULT_OPTIONS,
    compat: flags.compat.includes("olm"),
    olmv1: flags.compat.includes("olmv1"),
    ...(flags.compoundScope !== undefined && { compoundScope: flags.compoundScope }),
    compoundConstraints: flags.featureGates[COMPOUND_GATE] ?? DEFAULT_OPTIONS.compoundConstraints,
    allOrNothing: flags.allOrNothing === true,
    installOptional: flags.installOptional === true,
    ignoreUnavailable: flags.ignoreUnavailable === true,
    maxConflicts: flags.maxConflicts ?? DEFAULT_OPTIONS.maxConflicts,
    celCostLimit: flags.celCostLimit ?? DEFAULT_OPTIONS.celCostLimit,
  };
}

/** The properties of the cluster that the flags set. */
export function nodeProperties({ kubeVersion, openshiftVersion, property }: ResolveFlags): readonly Property[] {
  return [
    ...(kubeVersion === undefined ? [] : [{ type: "kubernetes.version", value: kubeVersion }]),
    ...(openshiftVersion === undefined ? [] : [{ type: "openshift.version", value: openshiftVersion }]),
    ...property,
  ];
}

function listOf(flags: string, description: string): Option {
  return repeatable(flags, description, notEmpty);
}

/** Reads a flag that names a package, and perhaps a catalog, a range and a channel. */
export function readWish(text: string): NamedRequest {
  const request = parseNamedRequest(text);
  if (typeof request === "string") throw new InvalidArgumentError(`${capital(request)}.`);
  return request;
}

function readProperty(text: string): Property {
  const equals = text.indexOf("=");
  const isJson = equals > 0 && text[equals - 1] === ":";
  const type = text.slice(0, isJson ? equals - 1 : Math.max(equals, 0));
  if (type === "") throw new InvalidArgumentError("Write TYPE=TEXT, or TYPE:=JSON for a value that is not a string.");
  const value = text.slice(equals + 1);
  return { type, value: isJson ? readValue(value, text.length - value.length) : value };
}

/** `before` is the number of characters before the JSON in its argument, for positions in the argument. */
function readValue(json: string, before: number): Json {
  try {
    const value = readJson(json, DEFAULT_LIMITS.maxDepth);
    checkBounds(value, DEFAULT_LIMITS);
    return value;
  } catch (error) {
    if (error instanceof BoundFault) throw new InvalidArgumentError(`${error.message}.`);
    if (!(error instanceof TextFault)) throw error;
    const column = before + [...json.slice(0, error.position)].length + 1;
    throw new InvalidArgumentError(
      `What follows := is not JSON: ${error.message} (column ${column}); write TYPE=TEXT for a string.`,
    );
  }
}

/** A version as clusters report it; the property has no leading v. */
function clusterVersion(text: string): string {
  const fault = versionFault(text);
  if (fault !== undefined) throw new InvalidArgumentError(`${capital(fault)}.`);
  return plainVersion(text);
}

function capital(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

function gatesOption(): Option {
  const option = hidden("--feature-gates <GATES>", "GATE=true|false, separated by commas");
  option.defaultValue = {};
  return option.argParser((text: string, gates: FeatureGates) => ({ ...gates, ...readGates(text) }));
}

function readGates(text: string): FeatureGates {
  return Object.fromEntries(
    text.split(",").map((part) => {
      const [gate = "", value, ...more] = part.split("=").map((word) => word.trim());
      oneOf(GATES)(gate);
      if ((value !== "true" && value !== "false") || more.length > 0)
        throw new InvalidArgumentError(`Write ${gate}=true or ${gate}=false.`);
      return [gate, value === "true"];
    }),
  );
}
