// What does a cluster say about its Resolutions, and about why it says nothing?

import { expect, test } from "vitest";
import type { ApiServer, ListOptions, ListResult } from "../kube/api-server.ts";
import { NetFailure } from "../net/failure.ts";
import { listResolutions, unreadResolutions } from "./resolutions.ts";

const DONE: ListResult = { items: 0, isCutOff: false, kind: "", apiVersion: "", overlong: 0, resourceVersion: "1" };

/** A server that lists so, and the path that it was asked for. */
function listing(list: (options: ListOptions, take: (text: string) => void) => Partial<ListResult> | undefined) {
  const paths: string[] = [];
  const server: Pick<ApiServer, "list"> = {
    list: async (path, options, take) => {
      paths.push(path);
      return { ...DONE, ...list(options, take) };
    },
  };
  return { server, paths };
}

function item(namespace: string, more: object = {}): string {
  return JSON.stringify({ metadata: { name: "plimsoll", namespace, resourceVersion: "7" }, ...more });
}

test("they are listed in their order, with what cannot be read of them", async () => {
  const counts: number[] = [];
  const { server, paths } = listing((_, take) => {
    take(item("drydock"));
    take(item("bridge", { status: { outcome: 1 } }));
    return undefined;
  });
  const { resolutions, findings, isIncomplete } = await listResolutions(server, undefined, (count) =>
    counts.push(count),
  );
  expect(paths).toEqual(["/apis/plimsoll.dev/v1alpha1/resolutions"]);
  expect(resolutions.map(({ namespace, unread }) => [namespace, unread])).toEqual([
    ["bridge", ["status.outcome"]],
    ["drydock", []],
  ]);
  expect(findings.map(({ place }) => [place.source, place.path])).toEqual([
    ["cluster/bridge/Resolution/plimsoll", ["status", "outcome"]],
  ]);
  expect([counts, isIncomplete]).toEqual([[1, 2], false]);
});

test("a list that begins again counts once", async () => {
  const { server, paths } = listing(({ onRestart }, take) => {
    take(item("bridge"));
    take("{}");
    onRestart?.();
    take(item("cargo"));
    return undefined;
  });
  const { resolutions, findings } = await listResolutions(server, "cargo", () => {});
  expect(paths).toEqual(["/apis/plimsoll.dev/v1alpha1/namespaces/cargo/resolutions"]);
  expect([resolutions.map(({ namespace }) => namespace), findings]).toEqual([["cargo"], []]);
});

test("what is no Resolution, too long, or too much is said", async () => {
  const { server } = listing((_, take) => {
    take("text");
    take(item("bridge", { kind: "Placement" }));
    return { overlong: 2, isCutOff: true, items: 100_000 };
  });
  const { findings, isIncomplete } = await listResolutions(server, undefined, () => {});
  expect(isIncomplete).toBe(true);
  expect(findings.map(({ code, message }) => [code, message])).toEqual([
    ["PL014", expect.stringMatching(/^2 Resolution objects of the cluster could not be read: /)],
    ["PL014", "2 Resolution objects of the cluster could not be read: longer than an object may be"],
    ["PL014", "there are more than 100000 Resolution objects; the others are not read"],
  ]);
});

test.each<[NetFailure, string | undefined, "list" | "list and watch", string]>([
  [
    new NetFailure("not-found", "has no such path"),
    undefined,
    "list",
    "the cluster does not serve resolutions.plimsoll.dev (v1alpha1): the resolution controller is not installed. Its definition is deploy/resolution/crd.yaml; without the controller nothing is advised",
  ],
  [
    new NetFailure("forbidden", "forbids it", { words: "User cannot list" }),
    undefined,
    "list",
    "reading the Resolutions in all namespaces is forbidden: User cannot list; allow list of resolutions.plimsoll.dev there, or ask about one namespace with -n",
  ],
  [
    new NetFailure("forbidden", "forbids it"),
    "bridge",
    "list and watch",
    "reading the Resolutions in the namespace bridge is forbidden: forbids it; allow list and watch of resolutions.plimsoll.dev there",
  ],
  [
    new NetFailure("unreachable", "does not answer", { help: "try again" }),
    undefined,
    "list",
    "does not answer; try again",
  ],
  [new NetFailure("unreachable", "does not answer"), undefined, "list", "does not answer"],
])("%s", (failure, namespace, verbs, text) => {
  expect(unreadResolutions(failure, namespace, verbs)).toBe(text);
});
