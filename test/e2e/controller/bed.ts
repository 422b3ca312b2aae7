// What does every test of the controller stand on? One hub for its file, the controller behind a recording proxy, with the rights of
// its service account, and the watcher from outside, which must not have seen anything wrong after any test.

import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { type JsonObject, partOf } from "../../../src/model/json.ts";
import type { ClusterOptions } from "../cluster.ts";
import { type ApiProxy, startProxy } from "../proxy.ts";
import { type Account, HOME, installAccount } from "./account.ts";
import { type ControllerOptions, type ControllerProcess, startController } from "./controller-process.ts";
import { type DecisionWatcher, watchDecisions } from "./decision-watcher.ts";
import { type Hub, startHub } from "./hub.ts";
import { Scope } from "./scope.ts";
import { expressed } from "./specs.ts";
import { until } from "./until.ts";

/** What a file of tests wants. */
export interface BedOptions extends ClusterOptions {
  /** Further flags of the controller. */
  readonly flags?: readonly string[];
  /** False if the tests start it themselves. */
  readonly isStarted?: boolean;
}

/** The parts that tests use; they are there from `beforeAll` on. */
export interface Bed {
  readonly hub: Hub;
  /** Between the controller and the API server; it sees every request of the controller. */
  readonly proxy: ApiProxy;
  readonly watcher: DecisionWatcher;
  /** The controller that was started last. */
  readonly controller: ControllerProcess;
  /** Starts a controller, one more if there is one. */
  start(options?: Partial<ControllerOptions>): Promise<ControllerProcess>;
  /** The token of a pod of the controller. */
  tokenOf(pod: string): Promise<string>;
  /** The objects of a test; they are deleted after it. */
  scope(name: string): Promise<Scope>;
  /** Waits until the controller has seen everything that was written until now, of every kind; returns how many milliseconds that took. */
  fence(): Promise<number>;
}

/** What is there from `beforeAll` on. */
interface Parts extends Pick<Bed, "hub" | "proxy" | "watcher"> {
  readonly account: Account;
}

/** Starts everything before the tests of a file, and ends it after them. */
export function controllerBed({ flags = [], isStarted = true, ...options }: BedOptions = {}): Bed {
  let parts: Parts | undefined;
  const running: ControllerProcess[] = [];
  const scopes: Scope[] = [];
  const fence = { rounds: 0 };
  let known = 0;
  const there = (): Parts => {
    if (parts === undefined) throw new Error("the hub is not there yet");
    return parts;
  };
  const bed: Bed = {
    get hub() {
      return there().hub;
    },
    get proxy() {
      return there().proxy;
    },
    get watcher() {
      return there().watcher;
    },
    get controller() {
      return running.at(-1) as ControllerProcess;
    },
    async start(others = {}) {
      const { proxy, account } = there();
      const { flags: more = [], ...rest } = others;
      const { server } = proxy;
      const token = rest.token ?? (await account.tokenOf(rest.identity ?? "controller"));
      const started = await startController({ server, ...HOME, ...rest, token, flags: [...flags, ...more] });
      running.push(started);
      return started;
    },
    tokenOf: (pod) => there().account.tokenOf(pod),
    async scope(name) {
      const { hub, watcher } = there();
      const scope = new Scope(name, hub, watcher);
      scopes.push(scope);
      await scope.open();
      return scope;
    },
    async fence() {
      const from = performance.now();
      await passFence(there(), fence);
      return performance.now() - from;
    },
  };
  beforeAll(async () => {
    const hub = await startHub(options);
    const account = await installAccount(hub);
    const proxy = await startProxy({ server: hub.server });
    const watcher = await watchDecisions(hub);
    parts = { hub, proxy, watcher, account };
    if (isStarted) await bed.start();
  });
  afterEach(async () => {
    for (const scope of scopes.splice(0)) await scope.close();
    await bed.watcher.settled();
    const { violations } = bed.watcher;
    const before = known;
    known = violations.length;
    expect(violations.slice(before)).toEqual([]);
  });
  afterAll(async () => {
    for (const controller of running) await controller.kill();
    parts?.watcher.stop();
    await parts?.proxy.stop();
    await parts?.hub.stop();
  });
  return bed;
}

/** How many fences a hub had. */
interface Fences {
  rounds: number;
}

/**
 * One more set, binding, cluster and score, and then a Placement that asks for one more cluster, and selects only those of which all of
 * this is known: when its status speaks of that, the controller has seen what was written before of these kinds. And a label on its
 * PlacementDecision, which the controller removes when it has seen it.
 */
async function passFence({ hub, watcher }: Pick<Bed, "hub" | "watcher">, fences: Fences): Promise<void> {
  const scope = new Scope("fence", hub, watcher);
  const round = `r${fences.rounds++}`;
  await scope.clusters([round], { set: round });
  await scope.set(round);
  await scope.bind(round);
  await scope.score(round, "fence", { ready: 1 });
  const numberOfClusters = fences.rounds;
  if (numberOfClusters === 1) {
    await scope.placement("fence", { numberOfClusters, ...expressed('managedCluster.hasScore("fence", "ready")') });
  } else {
    await scope.edit("placement", "fence", { spec: { numberOfClusters } });
  }
  await scope.reaches("fence", { selected: numberOfClusters, reason: "AllDecisionsScheduled" });
  await scope.edit("decision", "fence-decision-1", { metadata: { labels: { fence: round } } });
  await until("the controller has removed a label", async () => {
    const { metadata } = await scope.get("decision", "fence-decision-1");
    return partOf(metadata as JsonObject, "labels").fence === undefined || undefined;
  });
}
