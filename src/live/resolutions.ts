// Which Resolutions does a cluster have? Each is read defensively; a list that fails says what is missing: the definition, or a right.

import { RESOLUTION_KIND, readResolution } from "../input/objects/resolution.ts";
import type { ApiServer } from "../kube/api-server.ts";
import type { ServedApi } from "../kube/discovery.ts";
import { listPath } from "../kube/path.ts";
import { customResourceOf } from "../model/definition-of.ts";
import { type Finding, FindingList } from "../model/finding.ts";
import { own, partOf } from "../model/json.ts";
import { compareNamespaced } from "../model/problem.ts";
import type { ResolutionAdvice } from "../model/resolution-advice.ts";
import { RESOLUTION_GROUP, RESOLUTION_VERSION } from "../model/resolution-object.ts";
import type { NetFailure } from "../net/failure.ts";
import { clusterItem } from "./cluster-item.ts";
import { tooManyObjects, unreadItems } from "./gap.ts";

const API: ServedApi = {
  ...{ group: RESOLUTION_GROUP, version: RESOLUTION_VERSION, kind: RESOLUTION_KIND },
  ...{ plural: "resolutions", namespaced: true, verbs: [] },
};
const RESOURCE = `resolutions.${RESOLUTION_GROUP}`;

/** No real cluster has this many namespaces. */
const MAX_RESOLUTIONS = 100_000;

/** The path of the Resolutions of a namespace, or of all. */
export function resolutionsPath(namespace: string | undefined): string {
  return listPath(API, namespace);
}

/** A Resolution that the server sent. */
export interface ResolutionItem {
  readonly resolution: ResolutionAdvice;
  readonly resourceVersion: string;
  /** What cannot be read of it. */
  readonly findings: readonly Finding[];
}

/** The Resolution of a text; a string is the reason why it is none. */
export function resolutionItem(text: string): ResolutionItem | string {
  const item = clusterItem(text, API);
  if (typeof item === "string") return item;
  const { kept: findings, report } = new FindingList();
  const { object, place } = item;
  const resource = customResourceOf(object, `${API.group}/${API.version}`, API.kind, place);
  const resourceVersion = own(partOf(object, "metadata"), "resourceVersion");
  return {
    resolution: readResolution(resource, "", report),
    resourceVersion: typeof resourceVersion === "string" ? resourceVersion : "",
    findings,
  };
}

/** The Resolutions of a cluster, by namespace and name. */
export interface ListedResolutions {
  readonly resolutions: readonly ResolutionAdvice[];
  readonly findings: readonly Finding[];
  /** Some could not be read at all. */
  readonly isIncomplete: boolean;
}

/** Lists the Resolutions of a namespace, or of all; `onObjects` is called with the number of those that have arrived. */
export async function listResolutions(
  server: Pick<ApiServer, "list">,
  namespace: string | undefined,
  onObjects: (count: number) => void,
): Promise<ListedResolutions> {
  let items: ResolutionItem[] = [];
  let faults: string[] = [];
  const onRestart = (): void => {
    items = [];
    faults = [];
  };
  const result = await server.list(resolutionsPath(namespace), { maxItems: MAX_RESOLUTIONS, onRestart }, (text) => {
    const item = resolutionItem(text);
    if (typeof item === "string") faults.push(item);
    else items.push(item);
    onObjects(items.length + faults.length);
  });
  const { overlong, isCutOff } = result;
  const [fault] = faults;
  const lost = [
    ...(fault === undefined ? [] : [unreadItems(RESOLUTION_KIND, faults.length, fault)]),
    ...(overlong === 0 ? [] : [unreadItems(RESOLUTION_KIND, overlong, "longer than an object may be")]),
    ...(isCutOff ? [tooManyObjects(RESOLUTION_KIND, result.items)] : []),
  ];
  return {
    resolutions: items.map(({ resolution }) => resolution).sort(compareNamespaced),
    findings: [...items.flatMap(({ findings }) => findings), ...lost],
    isIncomplete: lost.length > 0,
  };
}

/** Why the Resolutions cannot be read, and what to do. */
export function unreadResolutions(
  { kind, message, words, help }: NetFailure,
  namespace: string | undefined,
  verbs: "list" | "list and watch",
): string {
  const where = namespace === undefined ? "in all namespaces" : `in the namespace ${namespace}`;
  if (kind === "not-found")
    return `the cluster does not serve ${RESOURCE} (${RESOLUTION_VERSION}): the resolution controller is not installed. Its definition is deploy/resolution/crd.yaml; without the controller nothing is advised`;
  if (kind === "forbidden") {
    const other = namespace === undefined ? ", or ask about one namespace with -n" : "";
    return `reading the Resolutions ${where} is forbidden: ${words ?? message}; allow ${verbs} of ${RESOURCE} there${other}`;
  }
  return help === undefined ? message : `${message}; ${help}`;
}
