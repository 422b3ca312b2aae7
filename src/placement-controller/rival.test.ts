import { expect, test } from "vitest";
import { ManualClock } from "../../test/controller/manual-clock.ts";
import { NetFailure } from "../net/failure.ts";
import { type Rival, RivalWatch } from "./rival.ts";

const LEASE = "/apis/coordination.k8s.io/v1/namespaces/hub/leases/placement-lock";
const DEPLOYMENT = "/apis/apps/v1/namespaces/hub/deployments/cluster-manager-placement-controller";

/** A hub with some objects by path; a failure is thrown. */
function watching(objects: Record<string, object>) {
  const clock = new ManualClock();
  const found: (Rival | undefined)[] = [];
  const stop = new AbortController();
  const server = {
    getOnce: async (path: string): Promise<string> => {
      const object = objects[path] ?? new NetFailure("not-found", "there is none");
      if (object instanceof NetFailure) throw object;
      return JSON.stringify(object);
    },
  };
  const watch = new RivalWatch({ server, namespace: "hub", clock, onChange: (rival) => found.push(rival) });
  const ended = watch.run(stop.signal);
  const end = async (): Promise<void> => {
    stop.abort();
    await ended;
  };
  return { watch, clock, found, end };
}

function lease(holderIdentity: string, renewTime: string, leaseDurationSeconds: unknown = 137): object {
  return { spec: { holderIdentity, renewTime, leaseDurationSeconds } };
}

test("neither Lease nor Deployment: the way is clear; before that is known, it is not", async () => {
  const { watch, clock, found, end } = watching({});
  expect(watch.isClear).toBe(false);
  await clock.pass(0);
  expect([watch.isClear, found]).toEqual([true, [undefined]]);
  await end();
});

test("a Lease counts until it was not renewed for its duration, on our clock", async () => {
  const objects: Record<string, object> = { [LEASE]: lease("ocm-1", "2001-01-01T00:00:00.000000Z") };
  const { watch, clock, found, end } = watching(objects);
  await clock.pass(0);
  expect([watch.isClear, found]).toEqual([false, [{ is: "lease", holder: "ocm-1" }]]);
  await clock.pass(100_000);
  objects[LEASE] = lease("ocm-1", "2001-01-01T00:01:40.000000Z");
  await clock.pass(136_000);
  expect(watch.isClear).toBe(false);
  clock.set(0); // the wall clock does not matter
  await clock.pass(4_000);
  expect([watch.isClear, found.length]).toEqual([true, 2]);
  objects[LEASE] = lease("ocm-2", "2001-01-01T00:09:00.000000Z");
  await clock.pass(2_000);
  expect([watch.isClear, found.at(-1)]).toEqual([false, { is: "lease", holder: "ocm-2" }]);
  objects[LEASE] = lease("", "2001-01-01T00:09:01.000000Z");
  await clock.pass(2_000);
  expect(watch.isClear).toBe(true);
  await end();
});

test.each([[-5], ["soon"], [1e12], [undefined]])(
  "a Lease with the duration %s counts for at most ten minutes",
  async (duration) => {
    const { watch, clock, end } = watching({ [LEASE]: lease("ocm", "x", duration) });
    await clock.pass(60_000);
    expect(watch.isClear).toBe(false);
    await clock.pass(600_000);
    expect(watch.isClear).toBe(true);
    await end();
  },
);

test.each([
  [{ spec: {} }, 1],
  [{ spec: { replicas: 3 } }, 3],
  [{ spec: { replicas: 0 }, status: { replicas: 1 } }, 1],
])("the Deployment %j has replicas: %i", async (deployment, replicas) => {
  const { watch, clock, found, end } = watching({ [DEPLOYMENT]: deployment });
  await clock.pass(0);
  expect([watch.isClear, found]).toEqual([false, [{ is: "deployment", replicas }]]);
  await end();
});

test("a Deployment without replicas does not count", async () => {
  const { watch, clock, end } = watching({ [DEPLOYMENT]: { spec: { replicas: 0 } } });
  await clock.pass(0);
  expect(watch.isClear).toBe(true);
  await end();
});

test("what cannot be found out counts as alive, and is reported once", async () => {
  const failure = new NetFailure("forbidden", "forbids reading");
  const objects: Record<string, object> = { [LEASE]: failure };
  const { watch, clock, found, end } = watching(objects);
  await clock.pass(10_000);
  expect([watch.isClear, found]).toEqual([false, [{ is: "unknown", failure }]]);
  delete objects[LEASE];
  await clock.pass(2_000);
  expect([watch.isClear, found.at(-1)]).toEqual([true, undefined]);
  await end();
});

test("what is found in one of them counts at once, although the other one cannot be read", async () => {
  const failure = new NetFailure("unreachable", "the connection was closed");
  for (const [readable, object, unread, is] of [
    [LEASE, lease("ocm", "x"), DEPLOYMENT, "lease"],
    [DEPLOYMENT, { spec: { replicas: 1 } }, LEASE, "deployment"],
  ] as const) {
    const objects: Record<string, object> = {};
    const { watch, clock, found, end } = watching(objects);
    await clock.pass(0);
    expect(watch.isClear).toBe(true);
    objects[readable] = object;
    objects[unread] = failure;
    await clock.pass(2_000);
    expect([watch.isClear, found.at(-1)]).toMatchObject([false, { is }]);
    await end();
  }
});

test.each([
  new NetFailure("unreachable", "the connection was closed"),
  // An API server that has just started forbids everything until it has read its roles.
  new NetFailure("forbidden", "no", { status: 403 }),
])("one question without an answer ($kind) changes nothing; fifteen seconds without one do", async (failure) => {
  const objects: Record<string, object> = {};
  const { watch, clock, found, end } = watching(objects);
  await clock.pass(0);
  objects[LEASE] = failure;
  await clock.pass(10_000);
  expect([watch.isClear, found]).toEqual([true, [undefined]]);
  await clock.pass(8_000);
  expect([watch.isClear, found.at(-1)]).toEqual([false, { is: "unknown", failure }]);
  delete objects[LEASE];
  await clock.pass(2_000);
  expect([watch.isClear, found.at(-1)]).toEqual([true, undefined]);
  await end();
});
