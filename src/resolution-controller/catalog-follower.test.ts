import { expect, test } from "vitest";
import { ManualClock } from "../../test/controller/manual-clock.ts";
import { CatalogFollower } from "./catalog-follower.ts";
import type { CatalogNews, CatalogRequest } from "./threads.ts";

/** A read that ends when the test says so. */
interface Read {
  readonly request: CatalogRequest;
  readonly end: (news: CatalogNews) => void;
}

function bed() {
  const clock = new ManualClock();
  const reads: Read[] = [];
  const news: CatalogNews[] = [];
  let changes = 0;
  const follower = new CatalogFollower({
    read: (request) => new Promise((end) => void reads.push({ request, end })),
    ...{ clock, random: () => 0.5, period: 300_000 },
    onChange: () => changes++,
    onNews: (_, one) => void news.push(one),
  });
  const put = async (name: string, refresh: string, source = "one"): Promise<void> => {
    follower.put(name, { key: name, name, namespace: "", refresh, source } as never);
    await clock.pass(0);
  };
  const end = async (index: number, how: CatalogNews): Promise<void> => {
    reads[index]?.end(how);
    await clock.pass(0);
  };
  return { ...{ clock, reads, news, follower, put, end }, changes: () => changes };
}

function content(digest: string): CatalogNews {
  return { is: "changed", content: { digest, prefix: "", bytes: new SharedArrayBuffer(0), bundles: 0 }, way: "" };
}

const UNCHANGED: CatalogNews = { is: "unchanged" };

test("an older read does not overwrite what a newer one has brought", async () => {
  const { put, reads, end, follower } = bed();
  await put("harbour", "A");
  await put("harbour", "B");
  // If both are read at the same time, the newer one ends first.
  await end(1, content("new"));
  await end(0, content("old"));
  await end(1, content("new"));
  expect(reads.map(({ request }) => request.known)).toEqual([undefined, "old"]);
  expect(follower.states()).toMatchObject([{ content: { digest: "new" } }]);
});

test("a catalog that changes while it is read, or waits to be read, is read once more, or once", async () => {
  const { put, reads, end } = bed();
  for (const refresh of ["A", "B", "C"]) await put("harbour", refresh);
  for (const name of ["quarry", "mill", "forge", "kiln"]) await put(name, "A");
  await put("kiln", "B");
  expect(reads.map(({ request }) => request.name)).toEqual(["harbour", "quarry", "mill", "forge"]);
  await end(0, content("old"));
  await end(1, UNCHANGED);
  expect(reads.slice(4).map(({ request }) => request.name)).toEqual(["kiln", "harbour"]);
  for (let index = 2; index < 6; index++) await end(index, UNCHANGED);
  expect(reads.length).toBe(6);
});

test("another source is read at once, and what is still being read of the one before does not count", async () => {
  const { put, end, follower, news } = bed();
  await put("harbour", "A", "one");
  await put("harbour", "B", "two");
  await end(1, content("of two"));
  await end(0, content("of one"));
  expect(follower.states()).toMatchObject([{ content: { digest: "of two" } }]);
  expect(news.length).toBe(1);
});

test("a catalog that is removed, and comes back, is another one", async () => {
  const { put, end, follower } = bed();
  await put("harbour", "A");
  follower.remove("harbour");
  await put("harbour", "A");
  await end(0, { is: "failed", why: "gone" });
  expect(follower.isSettled).toBe(false);
  await end(1, content("new"));
  expect(follower.states()).toMatchObject([{ content: { digest: "new" } }]);
});

test("four are read at the same time; those that take long do not count, up to sixteen", async () => {
  const { clock, put, reads, end } = bed();
  for (let index = 0; index < 30; index++) await put(`catalog-${index}`, "A");
  expect(reads.length).toBe(4);
  await clock.pass(4999);
  expect(reads.length).toBe(4);
  await clock.pass(1);
  expect(reads.length).toBe(8);
  await clock.pass(60_000);
  expect(reads.length).toBe(16);
  await end(0, UNCHANGED);
  expect(reads.length).toBe(17);
  expect(reads.map(({ request }) => request.name)).toEqual(reads.map((_, index) => `catalog-${index}`));
});

test("a catalog that has changed after failures is read at once, and again soon", async () => {
  const { clock, put, reads, end } = bed();
  await put("harbour", "A");
  for (let index = 0; index < 8; index++) {
    await end(index, { is: "failed", why: "no answer" });
    await clock.pass(60_000);
  }
  const read = reads.length;
  await end(read - 1, { is: "failed", why: "no answer" });
  await put("harbour", "B");
  expect(reads.length).toBe(read + 1);
  await end(read, { is: "failed", why: "no answer" });
  await clock.pass(1000);
  expect(reads.length).toBe(read + 2);
});

test("that a catalog is not asked is no news of it, for ten minutes at a time", async () => {
  const { clock, put, reads, end, follower, changes } = bed();
  const notAskedFor = async (milliseconds: number): Promise<void> => {
    const last = clock.monotonic() + milliseconds;
    while (clock.monotonic() < last) {
      await end(reads.length - 1, { is: "not-asked", why: "the engine ended" });
      await clock.pass(60_000);
    }
  };
  await put("harbour", "A");
  await notAskedFor(540_000);
  expect([follower.isSettled, changes()]).toEqual([false, 0]);
  await end(reads.length - 1, content("new"));
  await put("harbour", "B");
  await notAskedFor(540_000);
  expect(changes()).toBe(1);
  await notAskedFor(120_000);
  expect(follower.states()).toMatchObject([{ content: { digest: "new" }, why: "the engine ended" }]);
  expect(changes()).toBe(2);
  await end(reads.length - 1, UNCHANGED);
  expect(follower.states()[0]).not.toHaveProperty("why");
});

test("after the end nothing is read", async () => {
  const { clock, put, reads, end, follower, changes } = bed();
  await put("harbour", "A");
  follower.stop();
  await end(0, content("new"));
  await clock.pass(3_600_000);
  expect([reads.length, changes()]).toEqual([1, 0]);
});
