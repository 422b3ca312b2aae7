import { expect, test } from "vitest";
import { ManualClock } from "../../test/controller/manual-clock.ts";
import { NetFailure } from "../net/failure.ts";
import { FollowedFacts } from "./followed-facts.ts";

/** A server that serves these groups, each with one kind; a failure is answered by all. */
function scene(...groups: readonly string[]) {
  const clock = new ManualClock();
  const server = { groups: groups as readonly string[] | NetFailure, stale: [] as readonly string[], asked: 0 };
  const get = async (path: string): Promise<string> => {
    if (server.groups instanceof NetFailure) throw server.groups;
    if (path === "/version") {
      server.asked++;
      return '{"gitVersion":"v1.34.1"}';
    }
    const items = (path === "/apis" ? server.groups : []).map((name) => ({
      metadata: { name },
      versions: [
        {
          version: "v1",
          ...(server.stale.includes(name) && { freshness: "Stale" }),
          resources: [{ resource: "things", responseKind: { kind: "Thing" }, scope: "Namespaced", verbs: ["get"] }],
        },
      ],
    }));
    return JSON.stringify({ kind: "APIGroupDiscoveryList", items });
  };
  const changes: string[] = [];
  const failures: string[] = [];
  const facts = new FollowedFacts({
    ...{ server: { get }, clock },
    onChange: () => changes.push((facts.facts?.apis ?? []).map(({ group }) => group).join(" ")),
    onFailure: ({ kind }) => failures.push(kind),
  });
  const end = new AbortController();
  void facts.follow(end.signal);
  return { clock, server, facts, changes, failures, end };
}

test("asked at the start, once more, and then once a minute", async () => {
  const { clock, server, changes, end } = scene("a", "b");
  await clock.pass(0);
  expect([changes, server.asked]).toEqual([["a b"], 1]);
  await clock.pass(5_000);
  expect(server.asked).toBe(2);
  await clock.pass(120_000);
  expect([changes, server.asked]).toEqual([["a b"], 4]);
  end.abort();
});

test("a server that has just started does not serve everything yet: that is not believed", async () => {
  const { clock, server, changes, failures, end } = scene("a", "b");
  await clock.pass(5_000);
  server.groups = new NetFailure("unreachable", "it restarts");
  await clock.pass(60_000);
  expect(failures).toEqual(["unreachable"]);
  server.groups = ["a"];
  await clock.pass(5_000);
  server.groups = ["a", "b"];
  await clock.pass(5_000);
  expect(changes).toEqual(["a b"]);
  end.abort();
});

test("what it does not serve twice is gone, and what it serves is there at once", async () => {
  const { clock, server, changes, end } = scene("a", "b");
  await clock.pass(5_000);
  server.groups = ["a"];
  await clock.pass(60_000);
  expect(changes).toEqual(["a b"]);
  await clock.pass(5_000);
  expect(changes).toEqual(["a b", "a"]);
  server.groups = ["a", "c"];
  await clock.pass(5_000);
  expect(changes).toEqual(["a b", "a", "a c"]);
  end.abort();
});

test("of a group whose server does not answer, what was known counts; if nothing was, the group is named", async () => {
  const { clock, server, facts, changes, end } = scene("a", "b");
  server.stale = ["a"];
  await clock.pass(5_000);
  expect([changes, facts.facts?.unreadGroups]).toEqual([["b"], ["a"]]);
  server.stale = ["b"];
  await clock.pass(65_000);
  expect([changes, facts.facts?.unreadGroups]).toEqual([["b", "a b"], []]);
  end.abort();
});

test("a definition that was deleted is a reason: its API is gone at once", async () => {
  const { clock, server, facts, changes, end } = scene("a", "b");
  await clock.pass(5_000);
  server.groups = ["a"];
  facts.soon();
  await clock.pass(1_000);
  expect(changes).toEqual(["a b", "a"]);
  end.abort();
});
