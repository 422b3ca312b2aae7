// What is to be resolved? The inputs and flags of a run become a problem for each namespace; or the problem is one that
// was saved before.

import { bundleConstraintFindings, operatorConstraintFindings } from "../../constraint/constraint-findings.ts";
import { ConstraintReader, constraintOptions } from "../../constraint/read-requirements.ts";
import { DEFAULT_LIMITS } from "../../input/limits.ts";
import { readRuntimeList } from "../../input/objects/runtime-constraints.ts";
import { UnreadableError } from "../../input/read-documents.ts";
import { readProblem } from "../../input/read-problem.ts";
import type { Catalog } from "../../model/catalog.ts";
import type { ClusterObjects, RejectedObject } from "../../model/cluster-objects.ts";
import { RUNTIME_CONFIG_MAP } from "../../model/config-map.ts";
import { compareFindings, type Finding, finding } from "../../model/finding.ts";
import { wholeSource } from "../../model/place.ts";
import type { Problem, UnavailableCatalog } from "../../model/problem.ts";
import { changedProblems } from "../../resolve/no-effect.ts";
import type { Given, NamedRequest, PreparationWarning } from "../../resolve/prepare/given.ts";
import { misnamedCatalog } from "../../resolve/prepare/misnamed-catalog.ts";
import { parseNamedRequest } from "../../resolve/prepare/named-request.ts";
import { missingDefinitions } from "../../resolve/prepare/not-given.ts";
import { namespacesWithSubscriptions, prepareProblems } from "../../resolve/prepare/prepare-problems.ts";
import { InputFiles, STDIN } from "../../source/input-files.ts";
import { didYouMean } from "../../text/did-you-mean.ts";
import { type LoadedSettings, loadSettings } from "../crd/settings.ts";
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
  /** Others have something, but not the namespace that was named. */
  readonly isEmptyNamespace?: true;
}

/** What is to be resolved, and what is wrong with where it came from. */
export interface Question {
  readonly problems: readonly Problem[];
  readonly warnings: readonly PreparationWarning[];
  readonly findings: readonly Finding[];
  readonly codes: readonly ExitCode[];
  readonly files: InputFiles;
  /** Why nothing can be resolved at all, where that is so. */
  readonly wrong?: Wrong | undefined;
}

/** Packages of the command line, named or added; or what is wrong with one of them. */
export function namedRequests(texts: readonly string[]): readonly NamedRequest[] | string {
  const named: NamedRequest[] = [];
  for (const text of texts) {
    const request = parseNamedRequest(text);
    if (typeof request === "string") return request;
    named.push(request);
  }
  return named;
}

/** Loads the inputs and prepares the problems of the namespaces that are asked for; `command` is the one that was typed. */
export async function askedQuestion(
  named: readonly NamedRequest[],
  flags: ResolveFlags,
  terminal: Terminal,
  command = "resolve",
): Promise<Question> {
  const inputs = await loadInputs(flags, terminal, flags.namespace, [
    (flags.runtimeConstraintsConfigmap ?? RUNTIME_CONFIG_MAP).name,
  ]);
  const { findings, files } = inputs;
  const namespaces = namespacesOf(flags, inputs.objects);
  if (typeof namespaces === "string")
    return {
      problems: [],
      warnings: [],
      findings,
      codes: inputs.codes,
      files,
      wrong: wrongly({ message: namespaces }, flags, inputs),
    };
  const settings = await loadSettings(flags.crdSettings, files);
  const { given, codes } = await givenOf(inputs, namespaces, named, flags);
  const options = { ...given.options, crdSeverities: Object.fromEntries(settings.choices) };
  const prepared = prepareProblems(settings.choices.size === 0 ? given : { ...given, options });
  const asked = changedProblems(prepared.problems, preparedChanges(flags));
  const [only] = flags.catalog;
  const misnamed = only && misnamedCatalog(given, only.path);
  const aboutRuntime = prepared.problems.flatMap(({ runtime }) => runtime.problems);
  const aboutConstraints = flags.strictInput ? wrongConstraints(given) : [];
  return {
    problems: asked.problems,
    warnings: [...(misnamed === undefined ? [] : [misnamed]), ...prepared.warnings, ...asked.warnings],
    findings: withoutRepeats([...findings, ...settings.findings, ...aboutRuntime, ...aboutConstraints]),
    codes: [
      ...inputs.codes,
      ...lostRequestCodes(inputs.objects, namespaces),
      ...(aboutConstraints.length > 0 ? [EXIT.invalidInput] : []),
      ...settingsCodes(settings),
      ...(codes.length === 0 && aboutRuntime.length > 0 ? [EXIT.invalidInput] : codes),
    ],
    files,
    wrong: wrongly(whyNothing(prepared.problems, flags, inputs, command), flags, inputs),
  };
}

/** A Subscription of these namespaces that cannot be used is a request without an answer: the input has to be corrected. */
function lostRequestCodes({ rejected }: ClusterObjects, namespaces: readonly string[]): readonly ExitCode[] {
  const isLost = ({ kind, namespace }: RejectedObject): boolean =>
    kind === "Subscription" && (namespace === undefined || namespaces.includes(namespace));
  return rejected.some(isLost) ? [EXIT.invalidInput] : [];
}

/** Every mistake in the constraints of everything that was given. */
function wrongConstraints({ catalogs, objects, options }: Given): readonly Finding[] {
  const reader = new ConstraintReader(constraintOptions(options));
  return [
    ...catalogs.flatMap((catalog) => bundleConstraintFindings(catalog, reader)),
    ...objects.installedOperators.flatMap((operator) => operatorConstraintFindings(operator, reader)),
  ];
}

/** Settings that cannot be understood fail the run: something else would be serious than somebody meant. */
function settingsCodes({ findings, isUnreachable }: LoadedSettings): readonly ExitCode[] {
  if (findings.length === 0) return [];
  return [isUnreachable ? EXIT.unreachable : EXIT.invalidInput];
}

/** Reads a problem that was saved, and changes it as the flags say. */
export async function savedQuestion(
  path: string,
  named: readonly NamedRequest[],
  flags: ResolveFlags,
): Promise<Question> {
  const { maxDocumentBytes } = flags;
  const files = new InputFiles({ ...DEFAULT_LIMITS, maxDocumentBytes });
  const nothing = { problems: [], warnings: [], files };
  const source = path === "-" ? STDIN : path;
  try {
    const { problem, findings } = readProblem(await wholeText(path, maxDocumentBytes), source);
    if (problem === undefined) return { ...nothing, findings, codes: [EXIT.invalidInput] };
    const codes = problem.runtime.problems.length > 0 ? [EXIT.invalidInput] : [];
    const { problems, warnings } = changedProblems([withGate(problem, flags)], replayedChanges(flags, named));
    return { problems, warnings: [...missingDefinitions([problem]), ...warnings], findings, codes, files };
  } catch (error) {
    if (!(error instanceof UnreadableError)) throw error;
    return { ...nothing, findings: [unreadable(source, error)], codes: [EXIT.unreachable] };
  }
}

/** A gate can also be shut, which is nothing that could help. */
function withGate(problem: Problem, { featureGates }: ResolveFlags): Problem {
  const isOpen = featureGates[COMPOUND_GATE] ?? problem.options.compoundConstraints;
  return { ...problem, options: { ...problem.options, compoundConstraints: isOpen } };
}

function unreadable(source: string, error: UnreadableError): Finding {
  return finding("PL001", wholeSource(source), { message: `${source} cannot be read: ${error.message}` });
}

async function givenOf(
  { catalogs, objects }: Inputs,
  namespaces: readonly string[],
  named: readonly NamedRequest[],
  flags: ResolveFlags,
): Promise<{ readonly given: Given; readonly codes: readonly ExitCode[] }> {
  const usable = catalogs.filter(isUsable);
  const given: Given = {
    catalogs: usable,
    unavailable: unavailableOf(flags, catalogs),
    objects,
    namespaces,
    named,
    removed: flags.remove,
    held: flags.hold,
    nodeProperties: nodeProperties(flags),
    configMap: flags.runtimeConstraintsConfigmap,
    readList: readRuntimeList,
    options: resolveOptions(flags),
  };
  const path = flags.runtimeConstraints;
  if (path === undefined) return { given, codes: [] };
  const place = wholeSource(path === "-" ? STDIN : path);
  try {
    const text = await wholeText(path, flags.maxDocumentBytes);
    const start = { source: place.source, line: 1, column: 1 };
    return { given: { ...given, runtimeConstraints: { text, place: start } }, codes: [] };
  } catch (error) {
    if (!(error instanceof UnreadableError)) throw error;
    // Rules that are there and cannot be read hold everything up, as those that make no sense.
    const readList = () => ({ items: [], problems: [unreadable(place.source, error)] });
    return { given: { ...given, runtimeConstraints: { text: "", place }, readList }, codes: [EXIT.unreachable] };
  }
}

/** A catalog of which nothing is left is as good as one that cannot be reached. */
function isUsable({ packages }: Catalog): boolean {
  return packages.size > 0;
}

function unavailableOf({ catalog: references }: ResolveFlags, loaded: readonly Catalog[]): UnavailableCatalog[] {
  return references.flatMap(({ name, namespace, priority }) => {
    const found = loaded.find((one) => one.name === name && one.namespace === namespace);
    if (found !== undefined && isUsable(found)) return [];
    const reason = found === undefined ? "it could not be loaded" : "nothing in it can be used";
    return [{ name, namespace, priority, reason }];
  });
}

/** The namespaces that are to be resolved, or why that cannot be told. */
function namespacesOf({ namespace, allNamespaces }: ResolveFlags, objects: ClusterObjects): readonly string[] | string {
  const known = namespacesWithSubscriptions(objects);
  if (allNamespaces) return known.length > 0 ? known : "-A needs Subscriptions, and none were given with -f.";
  if (namespace !== undefined) return [namespace];
  if (known.length > 1)
    return `Subscriptions are in several namespaces: ${known.join(", ")}; choose one with -n, or all with -A.`;
  return known.length === 1 ? known : ["default"];
}

/** Nothing is asked for and nothing runs: what is missing. */
function whyNothing(
  problems: readonly Problem[],
  { namespace }: ResolveFlags,
  { objects }: Inputs,
  command: string,
): Omit<Wrong, "code"> | undefined {
  if (problems.some(({ requests, installed, gone }) => requests.length + installed.length + gone.length > 0))
    return undefined;
  const known = namespacesWithSubscriptions(objects);
  if (namespace !== undefined && known.length > 0) {
    const meant = didYouMean(namespace, known);
    const nearest = meant === undefined ? "" : ` Did you mean ${meant}?`;
    const message = `namespace ${JSON.stringify(namespace)} has no Subscriptions and no operators.${nearest} There are ${known.join(", ")}.`;
    return { message, isEmptyNamespace: true };
  }
  return {
    message: `nothing is asked for; name a package or give Subscriptions: plimsoll ${command} --catalog ./catalog etcd`,
  };
}

/** The command line is wrong, unless no Subscription is left of files that could not be read: then they are. */
function wrongly(why: Omit<Wrong, "code"> | undefined, { filename }: ResolveFlags, inputs: Inputs): Question["wrong"] {
  if (why === undefined) return undefined;
  const isLeftOut = ({ dropped }: Finding): boolean => dropped === "document" || dropped === "file";
  const isUnknown = filename.length > 0 && inputs.objects.subscriptions.length === 0 && inputs.findings.some(isLeftOut);
  if (!isUnknown) return { ...why, code: EXIT.usage };
  return {
    message: "what is asked for cannot be read; mend the input, or name a package.",
    code: inputs.codes.length === 0 ? EXIT.invalidInput : worstOf(inputs.codes),
  };
}

function withoutRepeats(findings: readonly Finding[]): readonly Finding[] {
  const sorted = [...findings].sort(compareFindings);
  return sorted.filter((item, index) => {
    const before = sorted[index - 1];
    return before === undefined || compareFindings(before, item) !== 0;
  });
}
