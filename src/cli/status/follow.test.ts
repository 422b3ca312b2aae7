// Are the Resolutions of a cluster followed, whatever its server does? On an API server in memory.

import { expect, test } from "vitest";
import { ManualClock } from "../../../test/controller/manual-clock.ts";
import { MemoryApi } from "../../../test/controller/memory-api.ts";
import type { JsonObject } from "../../model/json.ts";
import { NetFailure } from "../../net/failure.ts";
import { followResolutions } from "./follow.ts";

const COLLECTION = "/apis/plimsoll.dev/v1alpha1/resolutions";

function pathOf(namespace: string): string {
  return `/apis/plimsoll.dev/v1alpha1/namespaces/${namespace}/resolutions/plimsoll`;
}

function resolution(namespace: string, status: JsonObject = {}): JsonObject {
  return {
    ...{ apiVersion: "plimsoll.dev/v1alpha1", kind: "Resolution", metadata: { name: "plimsoll", namespace } },
    spec: { mode: "Advise" },
    status: { outcome: "Resolved", ...status },
  };
}

/** Follows the Resolutions of a server; what is printed, in order. */
function scene(...namespaces: readonly string[]) {
  const api = new MemoryApi();
  for (const namespace of namespaces) api.put(pathOf(namespace), resolution(namespace));
  const clock = new ManualClock();
  const stop = new AbortController();
  const events: string[] = [];
  const ended = (): Promise<NetFailure> =>
    followResolutions({
      ...{ server: api, namespace: undefined, clock, random: () => 0, signal: stop.signal },
      begin: (resolutions) => {
        events.push(`begin ${resolutions.map((one) => one.namespace).join(" ")}`);
        return (change, one) => events.push(`${change} ${one.namespace} ${one.status?.outcome}`);
      },
      report: (findings) => events.push(...findings.map(({ message, place }) => `${place.source}: ${message}`)),
      say: (sentence) => events.push(`say ${sentence}`),
    });
  return { api, clock, stop, events, ended };
}

test("a list by namespace, and then each change", async () => {
  const { api, clock, stop, events, ended } = scene("drydock", "bridge");
  const end = ended();
  await clock.pass(0);
  expect(events.splice(0)).toEqual(["begin bridge drydock"]);
  api.put(pathOf("cargo"), resolution("cargo"));
  api.patch(pathOf("bridge"), { status: { outcome: "Partial" } });
  api.remove(pathOf("drydock"));
  expect(events).toEqual(["added cargo Resolved", "changed bridge Partial", "deleted drydock Resolved"]);
  stop.abort();
  expect((await end).kind).toBe("cancelled");
});

test("what cannot be read is reported once, and again if it is something else", async () => {
  const { api, clock, stop, events, ended } = scene();
  api.put(pathOf("bridge"), resolution("bridge", { outcome: 5 }));
  const end = ended();
  await clock.pass(0);
  const place = "cluster/bridge/Resolution/plimsoll";
  expect(events.splice(0)).toEqual([`${place}: status.outcome must be text, but is a number`, "begin bridge"]);
  api.patch(pathOf("bridge"), { status: { reason: "new" } });
  expect(events.splice(0)).toEqual(["changed bridge undefined"]);
  api.patch(pathOf("bridge"), { status: { reason: 6 } });
  expect(events.splice(0)).toEqual([
    `${place}: status.reason must be text, but is a number`,
    "changed bridge undefined",
  ]);
  stop.abort();
  await end;
});

test.each([
  ["goes on where it was", false],
  ["begins with a list, if the server has forgotten that", true],
])("a watch that breaks is said, and %s", async (_, forgets) => {
  const { api, clock, stop, events, ended } = scene("bridge", "cargo");
  const end = ended();
  await clock.pass(0);
  api.breakWatches();
  api.patch(pathOf("bridge"), { status: { outcome: "Undecided" } });
  api.remove(pathOf("cargo"));
  if (forgets) api.breakWatches(true);
  await clock.pass(20_000);
  const changes = ["changed bridge Undecided", "deleted cargo Resolved"];
  const again = "say reading the cluster again";
  expect(events).toEqual([
    "begin bridge cargo",
    "say the connection broke; trying again",
    ...(forgets ? [...changes, again] : [again, ...changes]),
  ]);
  stop.abort();
  await end;
});

test.each<[NetFailure["kind"]]>([["not-found"], ["forbidden"], ["unreachable"], ["unauthorized"]])(
  "a first list that fails ends it at once: %s",
  async (kind) => {
    const { api, events, ended } = scene("bridge");
    api.unreadable.set(COLLECTION, new NetFailure(kind, "no"));
    expect(await ended()).toMatchObject({ kind, message: "no" });
    expect(events).toEqual([]);
  },
);

test("a right that is lost ends it after some seconds, a definition that is removed at once", async () => {
  const { api, clock, events, ended } = scene("bridge");
  const end = ended();
  await clock.pass(0);
  api.unreadable.set(COLLECTION, new NetFailure("forbidden", "no"));
  api.breakWatches();
  await clock.pass(20_000);
  expect((await end).kind).toBe("forbidden");
  expect(events).toEqual(["begin bridge", "say the connection broke; trying again"]);

  api.unreadable.clear();
  const again = ended();
  await clock.pass(0);
  api.unreadable.set(COLLECTION, new NetFailure("not-found", "no"));
  api.breakWatches();
  await clock.pass(1000);
  expect((await again).kind).toBe("not-found");
});

test("something else in the list is skipped", async () => {
  const { api, clock, stop, events, ended } = scene("bridge");
  api.put(pathOf("cargo"), { ...resolution("cargo"), kind: "Placement" });
  const end = ended();
  await clock.pass(0);
  expect(events).toEqual(["say a Resolution could not be read: an item is not of the kind Resolution", "begin bridge"]);
  stop.abort();
  await end;
});
