// What does the API server say about the cluster? Its version, that of OpenShift, and the APIs that it serves: asked at the start, once a
// minute, and soon after a definition has changed. A server that has just started does not serve everything yet: what it no longer serves
// counts when it has said so twice.

import { type Clock, sleep } from "../controller/clock.ts";
import type { ApiServer } from "../kube/api-server.ts";
import { servedApis, serverVersion } from "../kube/discovery.ts";
import { objectPath } from "../kube/path.ts";
import { openshiftVersion, versionProperty } from "../live/server-facts.ts";
import type { Property } from "../model/catalog.ts";
import { isSame, type Json } from "../model/json.ts";
import { failureOfOne, NetFailure } from "../net/failure.ts";
import type { ClusterFacts } from "./threads.ts";

export interface FollowedFactsOptions {
  readonly server: Pick<ApiServer, "get">;
  readonly clock: Clock;
  readonly onChange: () => void;
  readonly onFailure: (failure: NetFailure) => void;
}

/** What is asked. */
export interface ServerFacts extends Pick<ClusterFacts, "versions" | "apis"> {
  /** Groups whose server has not answered yet: their APIs are not known. */
  readonly unreadGroups: readonly string[];
}

const PERIOD = 60_000;
/** After a change of a definition: the server needs a moment to serve it, and others may follow. */
const SOON = 1000;
const RETRY_AFTER = 5000;

const CLUSTER_VERSIONS = { group: "config.openshift.io", version: "v1", plural: "clusterversions" };

export class FollowedFacts {
  readonly #options: FollowedFactsOptions;
  #facts: ServerFacts | undefined;
  /** Facts without something that was there before, and for which there was no reason to go. */
  #doubtful: ServerFacts | undefined;
  #wake = new AbortController();
  #isSoon = false;
  /** A definition has changed since the last question. */
  #hasChanged = false;

  constructor(options: FollowedFactsOptions) {
    this.#options = options;
  }

  /** Undefined until they are known. */
  get facts(): ServerFacts | undefined {
    return this.#facts;
  }

  /** A definition has changed. */
  soon(): void {
    if (this.#isSoon) return;
    this.#isSoon = true;
    this.#options.clock.after(SOON, () => {
      this.#isSoon = false;
      this.#hasChanged = true;
      this.#wake.abort();
    });
  }

  async follow(signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    while (!signal.aborted) {
      this.#wake = new AbortController();
      const wait = (await this.#ask()) ? PERIOD : RETRY_AFTER;
      await sleep(clock, wait, AbortSignal.any([signal, this.#wake.signal])).catch(() => undefined);
    }
  }

  /** Is it what was known before? Otherwise it is asked again soon. */
  async #ask(): Promise<boolean> {
    const { server, onChange, onFailure } = this.#options;
    const isExpected = this.#hasChanged;
    this.#hasChanged = false;
    try {
      const facts = await askedFacts(server, this.#facts);
      if (isSame(facts, this.#facts)) {
        this.#doubtful = undefined;
        return true;
      }
      const isDoubtful = !isExpected && hasLost(facts, this.#facts) && !isSame(facts, this.#doubtful);
      this.#doubtful = isDoubtful ? facts : undefined;
      if (isDoubtful) return false;
      this.#facts = facts;
      onChange();
      return false;
    } catch (error) {
      const failure = failureOfOne(error);
      if (failure.kind !== "cancelled") onFailure(failure);
      return false;
    }
  }
}

/** Is an API not served any more? */
function hasLost({ apis }: ServerFacts, before: ServerFacts | undefined): boolean {
  const served = new Set(apis.map(apiKey));
  return (before?.apis ?? []).some((api) => !served.has(apiKey(api)));
}

function apiKey({ group, version, kind }: ServerFacts["apis"][number]): string {
  return JSON.stringify([group, version, kind]);
}

/** Of a group whose server does not answer, what was known before counts. */
async function askedFacts(server: Pick<ApiServer, "get">, before: ServerFacts | undefined): Promise<ServerFacts> {
  const version = await serverVersion(server);
  const served = await servedApis(server);
  const unread = new Set(served.unreadGroups);
  const unknown = new Set(before?.unreadGroups);
  const known = new Set(before?.apis.map(({ group }) => group).filter((group) => !unknown.has(group)));
  const isKept = (group: string): boolean => unread.has(group) && known.has(group);
  const kept = (before?.apis ?? []).filter(({ group }) => isKept(group));
  const apis = [...served.apis.filter(({ group }) => !isKept(group)), ...kept];
  const versions: Property[] = [...versionProperty("kubernetes.version", version)];
  if (apis.some(({ group, kind }) => group === CLUSTER_VERSIONS.group && kind === "ClusterVersion"))
    versions.push(...versionProperty("openshift.version", await openshiftOf(server)));
  return { versions, apis, unreadGroups: served.unreadGroups.filter((group) => !known.has(group)) };
}

/** A version that must not be read is unknown. */
async function openshiftOf(server: Pick<ApiServer, "get">): Promise<string | undefined> {
  try {
    return openshiftVersion(JSON.parse(await server.get(objectPath(CLUSTER_VERSIONS, undefined, "version"))) as Json);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    if (error instanceof NetFailure && (error.kind === "forbidden" || error.kind === "not-found")) return undefined;
    throw error;
  }
}
