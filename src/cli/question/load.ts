// What is to be resolved? Loads inputs and prepares a problem for each namespace, or loads a saved problem.

import { constraintFindings } from "../../constraint/constraint-findings.ts";
import { ConstraintReader, constraintOptions } from "../../constraint/read-requirements.ts";
import { DEFAULT_LIMITS } from "../../input/limits.ts";
import { readRuntimeList } from "../../input/objects/runtime-constraints.ts";
import { readProblem } from "../../input/read-problem.ts";
import { preparedQuestion } from "../../job/prepared.ts";
import { operatorQuestion } from "../../live/questions.ts";
import type { Catalog } from "../../model/catalog.ts";
import { RUNTIME_CONFIG_MAP } from "../../model/config-map.ts";
import { distinctFindings, type Finding, losesObjects } from "../../model/finding.ts";
import { wholeSource } from "../../model/place.ts";
import type { Problem } from "../../model/problem.ts";
import { emptyNamespaceText } from "../../render/sentence/warning.ts";
import { solveAll } from "../../resolve/cluster-state.ts";
import { changedProblems } from "../../resolve/no-effect.ts";
import {
  chooseNamespaces,
  type EmptyNamespace,
  hasInvalidSubscription,
  type NamespaceChoice,
  nothingAsked,
} from "../../resolve/prepare/asked-namespaces.ts";
import { usableCatalogs } from "../../resolve/prepare/catalogs-in-reach.ts";
import { parseNamedRequest } from "../../resolve/prepare/named-request.ts";
import { missingDefinitions } from "../../resolve/prepare/not-given.ts";
import type {
  Given,
  NamedRequest,
  PreparationWarning,
  RuntimeConstraintsText,
} from "../../resolve/prepare/problem-inputs.ts";
import { type ClusterDemands, readDemands } from "../../resolve/prepare/runtime-constraints.ts";
import { InputFiles } from "../../source/input-files.ts";
import { withoutUrlSecrets } from "../../text/url-secrets.ts";
import { counted } from "../../text/words.ts";
import { type Choose, withFetchedBundles } from "../catalogs/fetch-bundles.ts";
import type { RunSetting } from "../catalogs/remote-setting.ts";
import { type LoadedSettings, loadSettings } from "../crd/settings.ts";
import { deadline } from "../deadline.ts";
import { EXIT, type ExitCode, worstOf } from "../exit-code.ts";
import { type Inputs, loadInputs } from "../inputs.ts";
import type { Terminal } from "../terminal.ts";
import { wholeText } from "../whole-text.ts";
import { preparedChanges, replayedChanges } from "./changes.ts";
import { COMPOUND_GATE, nodeProperties, type ResolveFlags, resolveOptions } from "./options.ts";

/** Why nothing can be resolved. */
interface Wrong {
  readonly message: string;
  readonly code: ExitCode;
  /** The named namespace has nothing, and others have Subscriptions. */
  readonly empty?: EmptyNamespace;
}

/** What is to be resolved, and the findings about its input. */
export interface Question {
  readonly problems: readonly Problem[];
  readonly warnings: readonly PreparationWarning[];
  readonly findings: readonly Finding[];
  readonly codes: readonly ExitCode[];
  readonly files: InputFiles;
  /** Why nothing can be resolved, if that is so. */
  readonly wrong?: Wrong | undefined;
  /** What other runtime constraints would require of this cluster; not for a saved problem. */
  readonly demandsOf?: (text: RuntimeConstraintsText) => ClusterDemands;
  /** The same question about other content of its catalogs; not for a saved problem. */
  readonly again?: {
    readonly catalogs: readonly Catalog[];
    readonly withCatalogs: (catalogs: readonly Catalog[]) => Question;
    /** How images are read, if that is known from a cluster. */
    readonly setting?: RunSetting;
  };
}

/** The requests of the command line, or what is wrong with one of them. */
export function namedRequests(texts: readonly string[]): readonly NamedRequest[] | string {
  const named: NamedRequest[] = [];
  for (const text of texts) {
    const request = parseNamedRequest(text);
    if (typeof request === "string") return request;
    named.push(request);
  }
  return named;
}

/** What the flags of a command ask, which is called `command`: about the inputs, or a saved problem. */
export async function loadQuestion(
  named: readonly NamedRequest[],
  flags: ResolveFlags,
  terminal: Terminal,
  command = "resolve",
  choose: Choose = (problems) => chosenByAnswer(problems, flags),
): Promise<Question> {
  const question =
    flags.replay === undefined
      ? await askedQuestion(named, flags, terminal, command)
      : await savedQuestion(flags.replay, named, flags);
  terminal.endPhase(() =>
    flags.replay === undefined ? preparedText(question) : `read the saved problem ${flags.replay}`,
  );
  // What is explained need not be requested.
  const isAsked = question.wrong === undefined || command === "explain";
  if (flags.fetchBundles !== true || !isAsked) return question;
  return withFetchedBundles(question, choose, { flags, files: question.files, terminal });
}

/** The operators of the answer, also those that stay: their definitions are what others replace. */
export function chosenByAnswer(
  problems: readonly Problem[],
  { timeout }: Pick<ResolveFlags, "timeout">,
): ReturnType<Choose> {
  return [...solveAll(problems, deadline(timeout))].flatMap((one) =>
    one.kind === "solved" ? one.resolution.operators : [],
  );
}

function preparedText({ problems }: Question): string {
  const requests = problems.reduce((sum, problem) => sum + problem.requests.length, 0);
  const isOfCluster = problems.length === 1 && problems[0]?.scope === "cluster";
  return `prepared ${isOfCluster ? "the cluster scope" : counted(problems.length, "namespace")} with ${counted(requests, "request")}`;
}

/** Loads the inputs and prepares a problem for each namespace. */
export async function askedQuestion(
  named: readonly NamedRequest[],
  flags: ResolveFlags,
  terminal: Terminal,
  command = "resolve",
): Promise<Question> {
  const configMap = flags.runtimeConstraintsConfigmap ?? RUNTIME_CONFIG_MAP;
  const inputs = await loadInputs(flags, terminal, {
    namespace: flags.namespace,
    names: [configMap.name],
    isClusterDefault: true,
    wantsCatalogs: true,
    isOfClusterScope: flags.scope === "cluster",
    cluster: (catalogsOf) =>
      operatorQuestion(catalogsOf, flags.runtimeConstraints === undefined ? configMap : undefined, flags.instances),
  });
  const { findings, files } = inputs;
  if (inputs.missingCluster !== undefined) {
    const message = noInputText(inputs.missingCluster, named.length > 0 || command === "explain", command);
    return { problems: [], warnings: [], findings, codes: [], files, wrong: { message, code: EXIT.usage } };
  }
  const { namespace, scope } = flags;
  const choice = chooseNamespaces(
    { namespace, scope, isAll: flags.allNamespaces === true, preferred: inputs.cluster?.namespace },
    inputs.objects,
  );
  if (choice.kind !== "chosen") {
    const wrong = refusal({ message: noNamespaceText(choice, inputs, command) }, flags, inputs);
    return { problems: [], warnings: [], findings, codes: inputs.codes, files, wrong };
  }
  const { namespaces } = choice;
  const settings = await loadSettings(flags.crdSettings, files);
  const { given, codes } = await givenOf(inputs, namespaces, named, flags);
  const options = { ...given.options, crdSeverities: Object.fromEntries(settings.choices) };
  const asked = settings.choices.size === 0 ? given : { ...given, options };
  const [only] = flags.catalog.map(({ path }) => withoutUrlSecrets(path));
  const prepared = preparedQuestion(asked, preparedChanges(flags), only);
  const reader = new ConstraintReader(constraintOptions(options));
  const aboutConstraints = flags.strictInput
    ? constraintFindings(given.catalogs, given.objects.installedOperators, reader)
    : [];
  const nothing = nothingAsked(prepared.unchanged, flags.namespace, inputs.objects);
  const question: Question = {
    problems: prepared.problems,
    warnings: prepared.warnings,
    findings: distinctFindings([...findings, ...settings.findings, ...prepared.findings, ...aboutConstraints]),
    codes: [
      ...inputs.codes,
      ...(hasInvalidSubscription(inputs.objects, namespaces) ? [EXIT.invalidInput] : []),
      ...(aboutConstraints.length > 0 ? [EXIT.invalidInput] : []),
      ...settingsCodes(settings),
      ...(codes.length === 0 ? runtimeCodes(prepared.findings, flags) : codes),
    ],
    files,
    demandsOf: (runtimeConstraints) => readDemands({ ...asked, runtimeConstraints, readList: readRuntimeList }),
    wrong: nothing && refusal(nothingText(nothing, command, inputs, scope), flags, inputs),
  };
  const images = inputs.setting === undefined ? {} : { setting: inputs.setting };
  const withCatalogs = (catalogs: readonly Catalog[]): Question => {
    const { problems, warnings } = preparedQuestion({ ...asked, catalogs }, preparedChanges(flags), only);
    return { ...question, problems, warnings, again: { catalogs, withCatalogs, ...images } };
  };
  return { ...question, again: { catalogs: asked.catalogs, withCatalogs, ...images } };
}

/**
 * Constraints that a cluster did not return are unreachable; others that cannot be read are invalid, except in a comparison: it
 * may be about their repair.
 */
function runtimeCodes(findings: readonly Finding[], { whatIfConstraints }: ResolveFlags): readonly ExitCode[] {
  const invalid = whatIfConstraints === undefined ? [EXIT.invalidInput] : [];
  return findings.flatMap(({ code }) => (code === "PL014" ? [EXIT.unreachable] : invalid));
}

/** Invalid settings fail the run: other severities would apply than intended. */
function settingsCodes({ findings, isUnreachable }: LoadedSettings): readonly ExitCode[] {
  if (findings.length === 0) return [];
  return [isUnreachable ? EXIT.unreachable : EXIT.invalidInput];
}

/** Loads a saved problem and applies the changes of the flags. */
export async function savedQuestion(
  path: string,
  named: readonly NamedRequest[],
  flags: ResolveFlags,
): Promise<Question> {
  const { maxDocumentBytes } = flags;
  const files = new InputFiles({ ...DEFAULT_LIMITS, maxDocumentBytes });
  const nothing = { problems: [], warnings: [], files };
  const file = await wholeText(path, maxDocumentBytes);
  if ("unreadable" in file) return { ...nothing, findings: [file.unreadable], codes: [EXIT.unreachable] };
  const { problem, findings } = readProblem(file.text, file.source);
  if (problem === undefined) return { ...nothing, findings, codes: [EXIT.invalidInput] };
  const codes = problem.runtime.problems.length > 0 ? [EXIT.invalidInput] : [];
  const { problems, warnings } = changedProblems([withGate(problem, flags)], replayedChanges(flags, named));
  return { problems, warnings: [...missingDefinitions([problem]), ...warnings], findings, codes, files };
}

/** A feature gate can also be disabled; that is not a change that could fix anything. */
function withGate(problem: Problem, { featureGates }: ResolveFlags): Problem {
  const isOpen = featureGates[COMPOUND_GATE] ?? problem.options.compoundConstraints;
  return { ...problem, options: { ...problem.options, compoundConstraints: isOpen } };
}

async function givenOf(
  { catalogs, references, objects, cluster }: Inputs,
  namespaces: readonly string[],
  named: readonly NamedRequest[],
  flags: ResolveFlags,
): Promise<{ readonly given: Given; readonly codes: readonly ExitCode[] }> {
  const given: Given = {
    ...usableCatalogs(references, catalogs),
    objects,
    namespaces,
    named,
    removed: flags.remove,
    held: flags.hold,
    nodeProperties: nodeProperties(flags),
    serverProperties: cluster?.properties,
    configMap: flags.runtimeConstraintsConfigmap,
    readList: readRuntimeList,
    options: resolveOptions(flags),
  };
  const path = flags.runtimeConstraints;
  if (path === undefined) return { given, codes: [] };
  const file = await wholeText(path, flags.maxDocumentBytes);
  if ("text" in file) {
    const place = { source: file.source, line: 1, column: 1 };
    return { given: { ...given, runtimeConstraints: { text: file.text, place } }, codes: [] };
  }
  // Constraints that cannot be read block everything, as invalid ones do.
  const readList = () => ({ items: [], problems: [file.unreadable] });
  const runtimeConstraints = { text: "", place: wholeSource(file.source) };
  return { given: { ...given, runtimeConstraints, readList }, codes: [EXIT.unreachable] };
}

function noNamespaceText(
  choice: Exclude<NamespaceChoice, { kind: "chosen" }>,
  { cluster }: Inputs,
  command: string,
): string {
  const orAll = command === "explain" ? "" : ", or all with -A";
  if (choice.kind === "several" && choice.hasExtensions)
    return `there are Subscriptions in ${choice.namespaces.join(", ")}, and ClusterExtensions; choose a namespace with -n, the ClusterExtensions with --scope cluster${orAll}.`;
  if (choice.kind === "several")
    return `Subscriptions are in several namespaces: ${choice.namespaces.join(", ")}; choose one with -n${orAll}.`;
  const none = cluster === undefined ? "none were given with -f" : "the cluster has none";
  return `-A needs Subscriptions or ClusterExtensions, and ${none}.`;
}

/** Neither files nor a cluster: what to give. */
function noInputText(why: string, isNamed: boolean, command: string): string {
  return `no input, and no cluster to read: ${why}; give a catalog${isNamed ? "" : " and a package"}: plimsoll ${command} --catalog ./catalog etcd`;
}

function nothingText(
  nothing: NonNullable<ReturnType<typeof nothingAsked>>,
  command: string,
  { cluster }: Inputs,
  scope: ResolveFlags["scope"],
): Pick<Wrong, "message" | "empty"> {
  if (nothing.code === "empty-namespace") return { message: emptyNamespaceText(nothing), empty: nothing };
  if (cluster === undefined)
    return {
      message: `nothing is requested; name a package or give Subscriptions: plimsoll ${command} --catalog ./catalog etcd; or read the cluster with --live`,
    };
  const missing = scope === "cluster" ? "ClusterExtensions" : "Subscriptions and no ClusterExtensions";
  return {
    message: `the cluster has no ${missing}; name a package: plimsoll ${command} --live${scope === "cluster" ? " --scope cluster" : ""} etcd`,
  };
}

/**
 * The command line is wrong, or names a namespace that does not exist; unless the Subscriptions may be in files that could
 * not be read.
 */
function refusal(why: Pick<Wrong, "message" | "empty">, { filename }: ResolveFlags, inputs: Inputs): Wrong {
  const isGiven = filename.length > 0 || inputs.cluster !== undefined;
  const mayBeUnread = isGiven && inputs.objects.subscriptions.length === 0 && inputs.findings.some(losesObjects);
  if (!mayBeUnread) return { ...why, code: why.empty === undefined ? EXIT.usage : EXIT.no };
  const isLost = inputs.findings.some(({ dropped }) => dropped === "cluster");
  return {
    message: isLost
      ? "the cluster could not be read, so its requests are unknown."
      : "the requests could not be read; fix the input, or name a package.",
    code: inputs.codes.length === 0 ? EXIT.invalidInput : worstOf(inputs.codes),
  };
}
