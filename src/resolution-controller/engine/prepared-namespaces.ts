// What has to be resolved in each namespace now? The problems of all namespaces are prepared together, once for each state of objects and
// catalogs and for each set of terms.

import { readRuntimeList } from "../../input/objects/runtime-constraints.ts";
import { preparedQuestion } from "../../job/prepared.ts";
import { ownCatalogs, type Position } from "../../live/cluster-catalogs.ts";
import { RUNTIME_KEY } from "../../model/config-map.ts";
import { sameItems } from "../../model/grouped.ts";
import { DEFAULT_OPTIONS, type Installed, type Problem } from "../../model/problem.ts";
import { affectingParts } from "../../plan/affecting-operators.ts";
import { forgetLargeWorlds } from "../../resolve/catalog-world.ts";
import { chooseNamespaces } from "../../resolve/prepare/asked-namespaces.ts";
import { heldByFlag } from "../../resolve/prepare/hold.ts";
import { missingDefinitions } from "../../resolve/prepare/not-given.ts";
import type { Given, PreparationWarning } from "../../resolve/prepare/problem-inputs.ts";
import { type ClusterDemands, readDemands } from "../../resolve/prepare/runtime-constraints.ts";
import { termsOf } from "../resolution-spec.ts";
import type { AdviceTerms, ObjectName, RadiusRequest } from "../threads.ts";
import { AnswerReaches } from "./answer-reaches.ts";
import type { HeldCatalogs, UsedCatalogs } from "./held-catalogs.ts";
import type { ObjectMirror } from "./object-mirror.ts";
import type { ProblemDigests } from "./problem-digest.ts";

/** The problem of one namespace, and what was noticed when it was prepared. */
export interface PreparedNamespace {
  readonly problem: Problem;
  /** The API groups whose kinds could matter for the answer; undefined: any could. */
  readonly apiGroups: readonly string[] | undefined;
  readonly used: UsedCatalogs;
  /** Those of the namespace, and those that concern all of them. */
  readonly warnings: readonly PreparationWarning[];
}

interface Prepared {
  readonly problems: ReadonlyMap<string, Problem>;
  readonly warnings: readonly PreparationWarning[];
}

/**
 * Of a file it is a surprise that it has no runtime constraints, of a cluster it is not. Of unknown CRDs each namespace has a warning of its
 * own: one about all namespaces would make every answer depend on what is installed anywhere.
 */
const NOT_OF_ALL: ReadonlySet<string> = new Set(["runtime-constraints-not-given", "crds-not-given"]);

export interface PreparedNamespacesOptions {
  readonly mirror: ObjectMirror;
  readonly catalogs: HeldCatalogs;
  readonly digests: ProblemDigests;
  readonly configMap: ObjectName;
  /** Where catalogs are read from. */
  readonly position: Position;
}

export class PreparedNamespaces {
  readonly #options: PreparedNamespacesOptions;
  /** Of the state that is known. */
  #prepared: Prepared | undefined;
  readonly #reaches: AnswerReaches;
  #used: UsedCatalogs | undefined;
  #state = "";

  constructor(options: PreparedNamespacesOptions) {
    this.#options = options;
    this.#reaches = new AnswerReaches(options.digests);
  }

  /** Undefined if nothing is requested in the namespace. */
  of(namespace: string, terms: AdviceTerms): PreparedNamespace | undefined {
    const used = this.#usedNow();
    this.#prepared ??= this.#prepare(used);
    const { problems, warnings } = this.#prepared;
    const whole = problems.get(namespace);
    if (whole === undefined) return undefined;
    forgetLargeWorlds(whole);
    const { problem, apiGroups } = affectingParts(whole, this.#reaches.of(whole));
    const ofAll = warnings.filter(
      (one) => !NOT_OF_ALL.has(one.code) && (one.namespace === undefined || one.namespace === namespace),
    );
    return {
      problem: withTerms(problem, terms),
      apiGroups,
      used,
      warnings: [...ofAll, ...missingDefinitions([whole])],
    };
  }

  /** A namespace where no request can be read: the constraints and catalogs that count there. */
  withoutRequests(namespace: string): Pick<PreparedNamespace, "problem" | "used"> {
    const used = this.#usedNow();
    const [problem] = preparedQuestion({ ...this.#given(used), namespaces: [namespace] }, [], undefined).problems;
    return { problem: problem as Problem, used };
  }

  /** The problems of all namespaces that are resolved, and what they would be with other runtime constraints. */
  proposed({ text, terms }: RadiusRequest): {
    readonly problems: readonly Problem[];
    readonly demands: ClusterDemands;
  } {
    const used = this.#usedNow();
    this.#prepared ??= this.#prepare(used);
    const place = { source: this.#options.configMap.name, line: 1, column: 1, path: ["data", RUNTIME_KEY] };
    const whole = [...this.#prepared.problems.values()];
    for (const problem of whole) forgetLargeWorlds(problem);
    return {
      problems: whole.flatMap((problem) => {
        const its = terms.get(problem.namespace) ?? termsOf(undefined);
        return its === "off" ? [] : [withTerms(problem, its)];
      }),
      demands: readDemands({ ...this.#given(used), runtimeConstraints: { text, place } }),
    };
  }

  /** The catalogs that the objects of the cluster name now. */
  #usedNow(): UsedCatalogs {
    const { mirror, catalogs, position } = this.#options;
    const state = `${mirror.version} ${catalogs.version}`;
    if (this.#used !== undefined && this.#state === state) return this.#used;
    this.#state = state;
    this.#prepared = undefined;
    const used = catalogs.used(ownCatalogs(mirror.objects, position));
    // What could be reached refers to the content of catalogs, which would stay in memory: another engine may be asked the next time.
    if (!sameItems(used.catalogs, this.#used?.catalogs ?? [])) this.#reaches.clear();
    this.#used = used;
    return used;
  }

  #prepare(used: UsedCatalogs): Prepared {
    const { problems, warnings } = preparedQuestion(this.#given(used), [], undefined);
    // What could be done in other namespaces instead would make the answer depend on everything in them.
    const alone = problems.map(({ neighbours: _, ...problem }) => problem);
    const byNamespace = new Map(alone.map((problem) => [problem.namespace, problem]));
    this.#reaches.keep(byNamespace);
    return { problems: byNamespace, warnings };
  }

  /** What all namespaces are prepared from. */
  #given({ catalogs, unavailable }: UsedCatalogs): Given {
    const { mirror, configMap } = this.#options;
    const { objects } = mirror;
    const choice = chooseNamespaces({ isAll: true }, objects);
    return {
      ...{ catalogs, unavailable, objects, configMap },
      namespaces: choice.kind === "chosen" ? choice.namespaces : [],
      named: [],
      removed: [],
      held: [],
      nodeProperties: [],
      serverProperties: mirror.properties,
      readList: readRuntimeList,
      options: DEFAULT_OPTIONS,
    };
  }
}

/** A Resolution holds with a field what the command holds with a flag. */
function heldBySpec(installed: Installed, names: readonly string[], requests: Problem["requests"]): Installed {
  const one = heldByFlag(installed, names, requests);
  return one.hold?.by === "flag" ? { ...one, hold: { ...one.hold, text: "spec.hold of the Resolution" } } : one;
}

/** The same problem on the terms of an administrator. */
function withTerms(problem: Problem, { isManual, hold, allOrNothing }: AdviceTerms): Problem {
  const { requests, installed, options } = problem;
  return {
    ...problem,
    requests: isManual ? requests.map((one) => ({ ...one, approval: "Manual" as const })) : requests,
    installed: installed.map((one) => heldBySpec(one, hold, requests)),
    options: { ...options, allOrNothing },
  };
}
