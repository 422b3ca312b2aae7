import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { atEnd } from "../../test/at-end.ts";
import { ManualClock } from "../../test/controller/manual-clock.ts";
import { eventually } from "../../test/eventually.ts";
import { bodyOf, constraintsMap, review, UID } from "../../test/webhook/review-body.ts";
import { ReviewThread } from "./review-thread.ts";

const BUILT = pathToFileURL("dist/bin/review-thread-entry.js");
const LIMIT = 2000;
const good = bodyOf(review({ object: constraintsMap("[]") }));

/** A thread whose file is a text: it has `take`, which gets the body of each call and answers with `answer`. */
function scriptedThread(take: string): URL {
  const code = `
    import { parentPort } from "node:worker_threads";
    parentPort.on("message", ({ is, id, argument }) => {
      const answer = (result) => parentPort.postMessage({ is: "result", id, result });
      (${take})(argument, answer);
    });`;
  return new URL(`data:text/javascript,${encodeURIComponent(code)}`);
}

function started(entry: URL) {
  const clock = new ManualClock();
  const failures: string[] = [];
  const thread = new ReviewThread({
    setting: { configMap: { namespace: "olm", name: "olm-runtime-constraints" }, compat: false },
    ...{ clock, limit: LIMIT, entry, onFailure: ({ message }) => failures.push(message) },
  });
  atEnd(() => thread.close());
  return { clock, failures, thread };
}

test("the built thread reviews as the function does", async () => {
  const { thread, clock } = started(BUILT);
  expect(await thread.review(good)).toEqual({
    ...{ is: "judged", uid: UID, kind: "ConfigMap" },
    ...{ verdict: { warnings: [] }, proposed: { text: "[]" } },
  });
  const many = await Promise.all([good, bodyOf({}), good].map((body) => thread.review(body)));
  expect(many.map(({ is }) => is)).toEqual(["judged", "unreadable", "judged"]);
  expect(clock.waiting).toBe(0);
});

/** Hangs if a body begins with 0, ends if it begins with 1, throws if with 2. */
const MOODY = `(body, answer) => {
  if (body[0] === 1) process.exit(7);
  if (body[0] === 2) throw new Error("a bug");
  if (body[0] === 0) for (;;);
  answer({ is: "unreadable", why: String(body[0]) });
}`;

describe("a thread is replaced", () => {
  const well = { is: "unreadable", why: "9" };

  test("if it takes too long, and what waits behind it fails, too", async () => {
    const { thread, clock, failures } = started(scriptedThread(MOODY));
    expect(await thread.review(Uint8Array.of(9))).toEqual(well);
    const hanging = thread.review(Uint8Array.of(0));
    const waiting = thread.review(Uint8Array.of(9));
    const both = Promise.allSettled([hanging, waiting]);
    await clock.pass(LIMIT);
    const reason = expect.objectContaining({ message: "a review takes longer than 2000 ms" });
    expect(await both).toEqual([
      { status: "rejected", reason },
      { status: "rejected", reason },
    ]);
    expect(failures).toEqual(["a review takes longer than 2000 ms"]);
    expect(await thread.review(Uint8Array.of(9))).toEqual(well);
  });

  test.each([
    [1, "the thread of reviews ended with 7"],
    [2, "a bug"],
  ])("if it ends: %d", async (mood, why) => {
    const { thread, failures } = started(scriptedThread(MOODY));
    await expect(thread.review(Uint8Array.of(mood))).rejects.toThrow(why);
    expect(failures).toEqual([why]);
    expect(await thread.review(Uint8Array.of(9))).toEqual(well);
  });

  test("if it cannot be started", async () => {
    const { thread, failures } = started(pathToFileURL("dist/bin/no-such-thread.js"));
    await expect(thread.review(good)).rejects.toThrow("no-such-thread");
    await eventually(() => expect(failures).toEqual([expect.stringContaining("no-such-thread")]));
  });
});

test("after its end nothing is reviewed", async () => {
  const { thread, failures } = started(scriptedThread(MOODY));
  const under = thread.review(Uint8Array.of(0));
  const failed = expect(under).rejects.toThrow("no review is made any more");
  await thread.close();
  await failed;
  await expect(thread.review(good)).rejects.toThrow("no review is made any more");
  expect(failures).toEqual([]);
});
