// May another process lead? Not while the server may still carry out a write of this one.

import { expect, test } from "vitest";
import { ManualClock } from "../../test/controller/manual-clock.ts";
import type { WriteRequest } from "../kube/api-server.ts";
import { type FailureKind, NetFailure } from "../net/failure.ts";
import { PendingWrites } from "./pending-writes.ts";

const REQUEST: WriteRequest = { method: "PATCH", path: "/things/x", body: {}, timeout: 4000 };

/** A write that is under way, and what ends it. */
function pending() {
  const clock = new ManualClock();
  let done: (text: string) => void = () => undefined;
  let failed: (failure: Error) => void = () => undefined;
  const answer = new Promise<string>((resolve, reject) => {
    [done, failed] = [resolve, reject];
  });
  const writes = new PendingWrites({ server: { write: () => answer }, clock, doubt: 5000 });
  expect(writes.areOver).toBe(true);
  const written = writes.write(REQUEST);
  expect(writes.areOver).toBe(false);
  return { clock, writes, written, done, failed };
}

test("a write is over when it is answered", async () => {
  const { writes, written, done } = pending();
  let hasEnded = false;
  const ended = writes.ended().then(() => {
    hasEnded = true;
  });
  await Promise.resolve();
  expect(hasEnded).toBe(false);
  done("{}");
  expect(await written).toBe("{}");
  await ended;
  expect(writes.areOver).toBe(true);
});

test("after a bug, as after a failure without an answer, it may still be carried out", async () => {
  const { clock, writes, written, failed } = pending();
  failed(new TypeError("a bug"));
  await expect(written).rejects.toThrow("a bug");
  expect(writes.areOver).toBe(false);
  await clock.pass(5000);
  expect(writes.areOver).toBe(true);
});

test.for<[FailureKind, boolean, boolean]>([
  ["conflict", false, true],
  ["forbidden", false, true],
  ["not-sent", false, true],
  ["unreachable", true, true],
  ["timeout", false, false],
  ["unreachable", false, false],
  ["cancelled", false, false],
  ["server", false, false],
])("after a failure (%s, nothing was sent: %s) it is over at once: %s", async ([kind, isUnsent, isOver]) => {
  const { clock, writes, written, failed } = pending();
  failed(new NetFailure(kind, "it failed", { isUnsent }));
  await expect(written).rejects.toThrow("it failed");
  await writes.ended();
  expect(writes.areOver).toBe(isOver);
  await clock.pass(4999);
  expect(writes.areOver).toBe(isOver);
  await clock.pass(1);
  expect(writes.areOver).toBe(true);
});
