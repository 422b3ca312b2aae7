// What does the log say of a Placement that cannot be brought up to date? On an API server in memory.

import { expect, test } from "vitest";
import type { LogEntry } from "../../src/controller/controller-threads.ts";
import { type FailureKind, NetFailure } from "../../src/net/failure.ts";
import { oneOfEach, type Story } from "./hub-story.ts";

async function started(): Promise<Story> {
  const story = oneOfEach();
  story.start();
  await story.clock.pass(60_000);
  story.logged.length = 0;
  return story;
}

/** The lines about Placements. */
function saidOf({ logged }: Story): readonly LogEntry[] {
  return logged.filter(({ fields }) => fields.placement !== undefined);
}

test.each([
  ["conflict", "debug"],
  ["exists", "debug"],
  ["not-found", "debug"],
  ["forbidden", "warn"],
  ["server", "warn"],
] as const satisfies readonly (readonly [FailureKind, string])[])(
  "a write that fails with %s: %s",
  async (kind, level) => {
    const story = await started();
    const { api, clock } = story;
    let failures = 1;
    api.faultOf = () => (failures-- > 0 ? { refuse: new NetFailure(kind, "the server says no") } : undefined);
    story.putCluster("c2");
    await clock.pass(60_000);
    expect(saidOf(story)).toEqual([
      { level, message: "failed to write", fields: { placement: "apps/p0", why: "the server says no" } },
    ]);
    await story.stop();
  },
);

test("a read that fails after a write without an answer", async () => {
  const story = await started();
  const { api, clock } = story;
  let losses = 1;
  api.faultOf = () => (losses-- > 0 ? { lose: new NetFailure("timeout", "no answer") } : undefined);
  let failures = 1;
  api.faultOfRead = () => (failures-- > 0 ? new NetFailure("server", "no read") : undefined);
  story.putCluster("c2");
  await clock.pass(60_000);
  expect(saidOf(story).map(({ level, message, fields }) => [level, message, fields.why])).toEqual([
    ["warn", "failed to write", "no answer"],
    ["warn", "failed to read after a write without an answer", "no read"],
  ]);
  await story.stop();
});

test("a bug, with its stack", async () => {
  const story = await started();
  const { api, clock } = story;
  let bugs = 1;
  api.faultOf = () => {
    if (bugs-- > 0) throw new TypeError("x is not a function");
    return undefined;
  };
  story.putCluster("c2");
  await clock.pass(60_000);
  const said = saidOf(story);
  const { level, message, fields } = said[0] as LogEntry;
  expect([said.length, level, message, fields.why]).toEqual([1, "error", "failed to reconcile", "x is not a function"]);
  expect(fields.stack).toContain("logged.test.ts");
  expect(story.decided("p0-decision-1")).toEqual(["c1", "c2"]);
  await story.stop();
});

test("conflicts without end are reported like other failures after half a minute", async () => {
  const story = await started();
  const { api, clock } = story;
  api.faultOf = ({ path }) =>
    path.includes("placementdecisions") ? { refuse: new NetFailure("not-found", "no subresource") } : undefined;
  story.putCluster("c2");
  await clock.pass(25_000);
  expect(new Set(saidOf(story).map(({ level }) => level))).toEqual(new Set(["debug"]));
  expect(JSON.stringify(story.status("p0"))).not.toContain("DecisionsNotWritten");
  await clock.pass(60_000);
  expect(saidOf(story).at(-1)).toMatchObject({ level: "warn", fields: { why: "no subresource" } });
  expect(JSON.stringify(story.status("p0"))).toContain("DecisionsNotWritten");
  await story.stop();
});

test("a status that meets conflicts takes turns with the decisions, and reports at last why those fail", async () => {
  const story = await started();
  const { api, clock } = story;
  const attempts: string[] = [];
  let conflicts = 2;
  api.faultOf = ({ path }) => {
    if (path.includes("/events")) return undefined;
    const isDecision = path.includes("placementdecisions");
    attempts.push(isDecision ? "decision" : "status");
    if (isDecision) return { refuse: new NetFailure("forbidden", "no") };
    return conflicts-- > 0 ? { refuse: new NetFailure("conflict", "edited") } : undefined;
  };
  story.putCluster("c2");
  await clock.pass(300_000);
  // Since when the decisions fail is not forgotten: the status does not wait again.
  const turns = attempts.slice(attempts.indexOf("status"));
  expect(turns.slice(0, 6)).toEqual(["status", "decision", "status", "decision", "status", "decision"]);
  expect(JSON.stringify(story.status("p0"))).toContain("DecisionsNotWritten");
  await story.stop();
});
