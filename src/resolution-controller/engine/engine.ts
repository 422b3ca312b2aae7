// What does an engine worker do? It has the objects and the catalogs of the cluster, and answers for one namespace at a time. It reads
// catalogs, too: that is mostly waiting.

import { DEFAULT_LIMITS } from "../../input/limits.ts";
import { packCatalog } from "../../input/packed/pack-catalog.ts";
import { explained } from "../../job/explained.ts";
import { ownCatalogs, type Position } from "../../live/cluster-catalogs.ts";
import type { Finding } from "../../model/finding.ts";
import { clusterPlace, printShown } from "../../model/place.ts";
import { CLUSTER_SCOPE, type Problem } from "../../model/problem.ts";
import { failureOfOne, NetFailure } from "../../net/failure.ts";
import { makePlan } from "../../plan/make-plan.ts";
import { loadNews, type RemoteNews } from "../../remote/load-remote.ts";
import type { RemoteSetting } from "../../remote/setting.ts";
import { advisedStatus } from "../../render/advice/advised-status.ts";
import { blastRadiusText } from "../../render/sentence/blast-radius.ts";
import { blastRadius } from "../../resolve/blast-radius/blast-radius.ts";
import { solve } from "../../resolve/cluster-state.ts";
import { isAskedOfOlmV1 } from "../../resolve/olmv1/resolution.ts";
import type { Fix, Resolution } from "../../resolve/resolution.ts";
import { resolve } from "../../resolve/resolve.ts";
import { InputFiles } from "../../source/input-files.ts";
import type {
  AdviceAnswer,
  AdviceContent,
  AdviceRequest,
  AdviceTerms,
  CatalogNews,
  CatalogRequest,
  EngineFunctions,
  ObjectName,
  PackedCatalog,
} from "../threads.ts";
import { HeldCatalogs, keyOf } from "./held-catalogs.ts";
import { ObjectMirror } from "./object-mirror.ts";
import { type PreparedNamespace, PreparedNamespaces } from "./prepared-namespaces.ts";
import { ProblemDigests } from "./problem-digest.ts";

export interface EngineOptions {
  /** Of this program: another one may answer otherwise. */
  readonly version: string;
  readonly configMap: ObjectName;
  /** Where catalogs are read from. */
  readonly position: Position;
  /** How catalogs are read. */
  readonly remote: () => Promise<Omit<RemoteSetting, "onProgress">>;
  /** The command that tries a fix for a problem, which is asked on these terms. */
  readonly commandOf: (problem: Problem, terms: AdviceTerms) => (fix: Fix) => string;
  /** Milliseconds for the search of one answer; the best answer until then counts. */
  readonly limit: number;
  /** Monotonic milliseconds. */
  readonly now: () => number;
}

/** A chain of updates that is longer than this is not planned to its end. */
const MAX_GENERATIONS = 20;
/** Milliseconds for what a change of the runtime constraints would do: a write of the ConfigMap waits for it. */
const RADIUS_LIMIT = 1000;
/** Reading and compiling a list cannot be interrupted; this is some hundred rules. In characters. */
const MAX_RADIUS_TEXT = 65_536;
/** Milliseconds until the reading of a catalog is given up. */
const READ_LIMIT = 90_000;

/** What the reading thread may call. */
export function startEngine(options: EngineOptions): EngineFunctions {
  const mirror = new ObjectMirror();
  const catalogs = new HeldCatalogs();
  const { configMap, position } = options;
  const remote = lastKnown(options.remote);
  const digests = new ProblemDigests((catalog) => catalogs.digestOf(catalog));
  const prepared = new PreparedNamespaces({ mirror, catalogs, digests, configMap, position });
  return {
    change: (changes) => mirror.take(changes),
    know: (facts) => mirror.know(facts),
    hold: (states) => catalogs.set(states),
    read: (request) => readCatalog(request, mirror, { position, remote }),
    advise: async (request) => {
      const namespace = prepared.of(request.namespace, request.terms);
      const invalid = mirror.requestFindings(request.namespace);
      const adviser = { mirror, digests, options };
      if (namespace === undefined)
        return withoutRequests(() => prepared.withoutRequests(request.namespace), { ...adviser, invalid });
      return advise(request, namespace, {
        ...adviser,
        invalid: [...invalid, ...mirror.otherFindings(request.namespace)],
      });
    },
    radius: (request) => {
      if (request.text.length > MAX_RADIUS_TEXT) return undefined;
      const end = options.now() + RADIUS_LIMIT;
      return blastRadiusText(
        blastRadius({
          ...prepared.proposed(request),
          contentOf: (catalog) => catalogs.digestOf(catalog),
          isOver: () => options.now() > end,
        }),
      );
    },
  };
}

interface Adviser {
  readonly mirror: ObjectMirror;
  readonly digests: ProblemDigests;
  /** What is wrong with the requests of the namespace, and with its other objects. */
  readonly invalid: readonly Finding[];
  readonly options: EngineOptions;
}

async function advise(
  { terms, known }: AdviceRequest,
  namespace: PreparedNamespace,
  { mirror, digests, invalid, options }: Adviser,
): Promise<AdviceAnswer> {
  const { problem, warnings } = namespace;
  const messages = invalid.map(({ message }) => message);
  const shared = await sharedContent(namespace, mirror, options);
  const noticed = [shared.doubtfulCatalogs, withoutPlaces(warnings), messages, shared.constraintErrors];
  const inputs = digests.digest(problem, [options.version, terms, noticed]);
  if (inputs === known) return { inputs };
  const begun = options.now();
  const isOver = (): boolean => options.now() - begun > options.limit;
  const solved = solve(problem, (one) => answered(one, namespace, isOver));
  const took = options.now() - begun;
  if (solved.kind === "bug") return { inputs, content: { ...shared, status: bugStatus(), bug: solved.message }, took };
  const status = advisedStatus({
    resolution: solved.resolution,
    plan: planOf(problem, solved.resolution, isOver),
    command: options.commandOf(problem, terms),
  });
  const { apiGroups } = namespace;
  const content: AdviceContent = {
    ...shared,
    apiGroups,
    status: withInvalid(blamed(status, shared.constraintErrors), invalid),
  };
  return { inputs, content, took: options.now() - begun, ...(isOver() && { isCut: true as const }) };
}

/** What holds for a namespace whatever is requested there. */
async function sharedContent(
  { problem, used }: Pick<PreparedNamespace, "problem" | "used">,
  mirror: ObjectMirror,
  { configMap }: EngineOptions,
): Promise<Omit<AdviceContent, "status">> {
  return {
    constraintErrors: await placedTexts(problem.runtime.problems, mirror, configMap),
    constraints: problem.runtime.entries.length,
    doubtfulCatalogs: used.doubtful.filter((one) => isInReach(one, problem)),
    catalogs: problem.catalogs.length + problem.unavailable.length,
    isOfClusterScope: problem.namespace === CLUSTER_SCOPE,
  };
}

/** Nothing is requested, as far as is known here; or it cannot be read. */
async function withoutRequests(
  prepare: () => Pick<PreparedNamespace, "problem" | "used">,
  { mirror, invalid, options }: Adviser,
): Promise<AdviceAnswer> {
  const [first] = invalid;
  if (first === undefined) return { inputs: "", isUnknown: true };
  const summary = "no request can be read";
  const status = { outcome: "Undecided" as const, summary, reason: first.message, counts: NOTHING };
  const shared = await sharedContent(prepare(), mirror, options);
  return { inputs: "", content: { ...shared, status: withInvalid(status, invalid) } };
}

const NOTHING = { operators: 0, updates: 0, heldBack: 0, unsatisfied: 0, pendingApproval: 0 };

function answered(problem: Problem, { warnings }: PreparedNamespace, isOver: () => boolean): Resolution {
  const resolution = resolve(problem, isOver);
  const explaining = { warnings, isList: false, replaced: [], heldBack: "beyond-approval" as const, stop: isOver };
  return explained({ kind: "solved", problem, resolution }, problem, explaining);
}

/** What has to happen until nothing moves; undefined if nothing is to change now. */
function planOf(problem: Problem, { operators }: Resolution, isOver: () => boolean) {
  if (isAskedOfOlmV1(problem) || operators.every(({ action }) => action === "keep")) return undefined;
  const [plan] = makePlan([problem], { maxGenerations: MAX_GENERATIONS, prune: false }, isOver);
  return plan;
}

function bugStatus(): AdviceContent["status"] {
  const summary = "no answer because of an error in Plimsoll";
  return { outcome: "Undecided", summary, reason: summary, counts: NOTHING };
}

/** Nothing else matters until the runtime constraints can be read. */
function blamed(status: AdviceContent["status"], [first]: readonly string[]): AdviceContent["status"] {
  return first === undefined ? status : { ...status, reason: `the runtime constraints cannot be read: ${first}` };
}

/** What cannot be read belongs to the answer, too. */
function withInvalid(status: AdviceContent["status"], invalid: readonly Finding[]): AdviceContent["status"] {
  if (invalid.length === 0) return status;
  const more = invalid.map(({ code, message, place }) => ({
    code,
    message: `${printShown(place, undefined)}: ${message}`,
  }));
  return { ...status, warnings: [...more, ...(status.warnings ?? [])] };
}

function withoutPlaces(warnings: PreparedNamespace["warnings"]): unknown {
  return warnings.map(({ place: _, ...warning }) => warning);
}

function isInReach(one: { readonly name: string; readonly namespace?: string | undefined }, problem: Problem): boolean {
  const isSame = (other: typeof one): boolean => other.name === one.name && other.namespace === one.namespace;
  return problem.catalogs.some(isSame) || problem.unavailable.some(isSame);
}

/** Messages with their places; in the text of a ConfigMap with line and column. */
async function placedTexts(
  findings: readonly Finding[],
  mirror: ObjectMirror,
  { namespace, name }: ObjectName,
): Promise<readonly string[]> {
  if (findings.length === 0) return [];
  const ofConfigMap = clusterPlace("ConfigMap", namespace, name).source;
  const title = `ConfigMap ${namespace}/${name}`;
  const files = new InputFiles(DEFAULT_LIMITS);
  for (const [source, object] of mirror.texts()) files.keepObject(source, object);
  const shown = await files.locate(findings.map(({ place }) => place));
  return findings.map(({ place, message, help }) => {
    const where = printShown(place, shown.get(place)).replace(ofConfigMap, title);
    return `${where}: ${message}${help === undefined ? "" : `; ${help}`}`;
  });
}

type Remote = Awaited<ReturnType<EngineOptions["remote"]>>;

/** What the API server said last counts while it does not answer; if it has said nothing yet, its failure is the result. */
function lastKnown(ask: EngineOptions["remote"]): () => Promise<Remote | NetFailure> {
  let known: Remote | undefined;
  return async () => {
    try {
      known = await ask();
      return known;
    } catch (error) {
      const failure = failureOfOne(error);
      return known ?? failure;
    }
  };
}

interface CatalogReading {
  readonly position: Position;
  readonly remote: () => Promise<Remote | NetFailure>;
}

async function readCatalog(
  request: CatalogRequest,
  mirror: ObjectMirror,
  { position, remote }: CatalogReading,
): Promise<CatalogNews> {
  const own = ownCatalogs(mirror.objects, position).find((one) => keyOf(one) === keyOf(request));
  if (own === undefined) return { is: "failed", why: "it is not in use" };
  if (own.ways.length === 0) return { is: "failed", why: own.help };
  const setting = await remote();
  if (setting instanceof NetFailure) return { is: "not-asked", why: setting.message };
  const limit = AbortSignal.timeout(READ_LIMIT);
  const { name, namespace, priority, onlyFor } = own;
  const identity = { name, priority, ...(namespace !== undefined && { namespace }), ...(onlyFor && { onlyFor }) };
  try {
    const news = await loadNews(
      request.known,
      { ...identity, path: own.place.source },
      own.ways,
      new InputFiles(DEFAULT_LIMITS),
      { ...setting, signal: AbortSignal.any([setting.signal, limit]), onProgress: () => {} },
    );
    return newsOf(news);
  } catch (error) {
    if (!limit.aborted) throw error;
    return { is: "failed", why: `it was not read within ${READ_LIMIT / 1000} seconds` };
  }
}

function newsOf(news: RemoteNews): CatalogNews {
  if (news.kind === "unchanged") return { is: "unchanged" };
  if (news.kind === "unreachable") return { is: "failed", why: news.why ?? news.finding.message };
  const { catalog, digest = "", prefix = "", way = "" } = news;
  // An empty catalog is a mistake, or one that is about to be filled: nothing is concluded from it.
  if (catalog.packages.size === 0) return { is: "failed", why: "nothing in it can be used" };
  return { is: "changed", content: packed(packCatalog(catalog, prefix), { digest, prefix, catalog }), way };
}

function packed(
  bytes: Uint8Array,
  {
    digest,
    prefix,
    catalog,
  }: Pick<PackedCatalog, "digest" | "prefix"> & {
    readonly catalog: Extract<RemoteNews, { kind: "loaded" }>["catalog"];
  },
): PackedCatalog {
  const shared = new SharedArrayBuffer(bytes.length);
  new Uint8Array(shared).set(bytes);
  let bundles = 0;
  for (const one of catalog.packages.values()) bundles += one.bundles.size;
  return { digest, prefix, bytes: shared, bundles };
}
