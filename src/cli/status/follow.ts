// How are the Resolutions of a cluster followed? Listed once and then watched; what a watch misses is listed again.

import type { Clock } from "../../controller/clock.ts";
import { Reflector, type ReflectorState } from "../../controller/reflector.ts";
import { Store, type StoreChange, type Versioned } from "../../controller/store.ts";
import type { ApiServer } from "../../kube/api-server.ts";
import { type ResolutionItem, resolutionItem, resolutionsPath } from "../../live/resolutions.ts";
import { compareFindings, type Finding } from "../../model/finding.ts";
import { compareNamespaced } from "../../model/problem.ts";
import type { ResolutionAdvice } from "../../model/resolution-advice.ts";
import { NetFailure } from "../../net/failure.ts";
import type { StatusChange } from "../../render/status/report.ts";

export interface Following {
  readonly server: Pick<ApiServer, "list" | "watch">;
  /** Undefined: all. */
  readonly namespace: string | undefined;
  readonly clock: Clock;
  /** At least 0, less than 1. */
  readonly random: () => number;
  readonly signal: AbortSignal;
  /** Takes the Resolutions of the first list, by namespace and name; the result takes every change from then on. */
  readonly begin: (
    resolutions: readonly ResolutionAdvice[],
  ) => (change: StatusChange, resolution: ResolutionAdvice) => void;
  /** Takes what cannot be read of one Resolution, or of those of the first list. */
  readonly report: (findings: readonly Finding[]) => void;
  /** Takes sentences about the server. */
  readonly say: (sentence: string) => void;
}

type Item = ResolutionItem & Versioned;

/** Follows them until they cannot be read, or it is cancelled; the result is why. */
export async function followResolutions(following: Following): Promise<NetFailure> {
  const { server, namespace, clock, random, signal, begin, report, say } = following;
  const over = new AbortController();
  signal.addEventListener("abort", () => over.abort(), { once: true });
  let take: ReturnType<Following["begin"]> | undefined;
  let end = new NetFailure("cancelled", "the watch was cancelled");
  let isFailing = false;
  const store = new Store<Item>((change) => {
    if (take === undefined) return;
    reportNew(change, report);
    const { item, before } = change;
    if (item !== undefined) take(before === undefined ? "added" : "changed", item.resolution);
    else if (before !== undefined) take("deleted", before.resolution);
  });
  const onState = (state: ReflectorState): void => {
    if (state.is === "failing") {
      const { failure, isLost, isSynced } = state;
      if (isLost || !isSynced) {
        end = failure;
        over.abort();
        // A server that has just started forbids everything for a moment.
      } else if (failure.kind !== "forbidden") say(`${failure.message}; trying again`);
      isFailing = true;
    } else if (state.is === "synced") {
      if (isFailing) say("reading the cluster again");
      isFailing = false;
      if (take !== undefined) return;
      const items = [...store.values()].sort((a, b) => compareNamespaced(a.resolution, b.resolution));
      const findings = items.flatMap((item) => item.findings).sort(compareFindings);
      if (findings.length > 0) report(findings);
      take = begin(items.map(({ resolution }) => resolution));
    }
  };
  const onSkipped = (why: string): void => say(`a Resolution could not be read: ${why}`);
  const path = resolutionsPath(namespace);
  const reflector = new Reflector<Item>({ path, server, store, read, onState, onSkipped, clock, random });
  await reflector.run(over.signal);
  return end;
}

function read(text: string): Item | string {
  const item = resolutionItem(text);
  return typeof item === "string" ? item : { ...item, key: item.resolution.place.source };
}

/** Reports what could be read before this change. */
function reportNew({ item, before }: StoreChange<Item>, report: Following["report"]): void {
  const known = before?.findings ?? [];
  const findings = (item?.findings ?? []).filter((one) => !known.some((other) => compareFindings(one, other) === 0));
  if (findings.length > 0) report(findings);
}
