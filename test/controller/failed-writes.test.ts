// What does the placement controller do when writes fail? On an API server in memory.

import { describe, expect, test } from "vitest";
import type { WriteRequest } from "../../src/kube/api-server.ts";
import { type JsonObject, own, partOf } from "../../src/model/json.ts";
import { NetFailure } from "../../src/net/failure.ts";
import { NAMESPACE, object, oneOfEach, PATHS, Story } from "./hub-story.ts";

describe("a write that fails", () => {
  /** The reason of the condition PlacementSatisfied. */
  const reasonOf = ({ api }: Story): unknown => {
    const conditions = (own(partOf(api.object(PATHS.placement("p0")) ?? {}, "status"), "conditions") ??
      []) as readonly JsonObject[];
    return conditions.find(({ type }) => type === "PlacementSatisfied")?.reason;
  };
  const isDecision = ({ path }: WriteRequest): boolean => path.includes("/placementdecisions");
  const started = async (): Promise<Story> => {
    const story = new Story(0);
    story.api.put(PATHS.placement("p0"), object("Placement", "v1beta1", "p0", { spec: {} }));
    story.api.put(PATHS.cluster("c1"), object("ManagedCluster", "v1", "c1", { spec: {} }));
    story.start();
    await story.settle();
    return story;
  };
  const addCluster = ({ api }: Story): void =>
    api.put(PATHS.cluster("c2"), object("ManagedCluster", "v1", "c2", { spec: {} }));

  test.each([
    ["forbidden", 403],
    ["server", 500],
  ] as const)("once (%s) is not worth a condition", async (kind, status) => {
    const story = await started();
    const { api, clock } = story;
    const reasons = new Set<unknown>();
    let failures = 1;
    api.faultOf = (request) =>
      isDecision(request) && failures-- > 0 ? { refuse: new NetFailure(kind, "no", { status }) } : undefined;
    addCluster(story);
    for (let step = 0; step < 200; step++) {
      await clock.pass(50);
      reasons.add(reasonOf(story));
    }
    expect([...reasons]).toEqual(["AllDecisionsScheduled"]);
    await story.stop();
  });

  test.each([
    ["forbidden", 403],
    ["server", 500],
  ] as const)("for long (%s) is reported, and no longer than it lasts", async (kind, status) => {
    const story = await started();
    const { api, clock } = story;
    api.faultOf = (request) => (isDecision(request) ? { refuse: new NetFailure(kind, "no", { status }) } : undefined);
    addCluster(story);
    await clock.pass(300_000);
    expect(reasonOf(story)).toBe("DecisionsNotWritten");
    api.faultOf = () => undefined;
    await clock.pass(40_000);
    expect(reasonOf(story)).toBe("AllDecisionsScheduled");
    await story.stop();
  });

  test("with Retry-After: 0 is not sent without end", async () => {
    const story = await started();
    const { api, clock } = story;
    let attempts = 0;
    api.faultOf = (request) => {
      if (!isDecision(request)) return undefined;
      attempts++;
      return { refuse: new NetFailure("throttled", "429", { status: 429, retryAfter: 0 }) };
    };
    addCluster(story);
    await clock.pass(10_000);
    expect(attempts).toBeLessThan(15);
    await story.stop();
  });

  test("because this process did not lead for a moment is done again", async () => {
    const story = await started();
    const { clock } = story;
    story.isLeading = false; // and the reading thread does not hear of it
    addCluster(story);
    await clock.pass(5000);
    story.isLeading = true;
    await clock.pass(60_000);
    await story.settle();
    story.judged(new Set());
    expect(story.selected()).toEqual({ [`${NAMESPACE}/p0`]: ["c1", "c2"] });
    await story.stop();
  });
});

const isOf = (plural: string) => (request: WriteRequest) => request.path.includes(`/${plural}`);
const FORBIDDEN = new NetFailure("forbidden", "no", { status: 403 });

test("without the right to write status, decisions go on", async () => {
  const story = oneOfEach();
  const { api, clock } = story;
  api.faultOf = (request) => (isOf("placements/")(request) ? { refuse: FORBIDDEN } : undefined);
  story.start();
  await clock.pass(60_000);
  story.putCluster("c2");
  await clock.pass(60_000);
  expect(story.decided("p0-decision-1")).toEqual(["c1", "c2"]);
  await story.stop();
});

test("while decisions cannot be written, the status claims nothing, and is not written again and again", async () => {
  const story = oneOfEach();
  const { api, clock } = story;
  story.start();
  await clock.pass(60_000);
  let attempts = 0;
  api.faultOf = (request) => {
    if (!isOf("placementdecisions")(request)) return undefined;
    attempts++;
    return { refuse: FORBIDDEN };
  };
  const { length } = api.writes;
  story.putCluster("c2");
  await clock.pass(600_000);
  expect(attempts).toBeLessThan(60);
  expect(api.writes.length - length).toBe(1);
  expect(own(story.status("p0"), "numberOfSelectedClusters")).toBe(1);
  await story.stop();
});

test("H20: while the second of two decisions cannot be created, the status claims neither the first nor all", async () => {
  const story = new Story(0);
  const { api, clock } = story;
  const clusters = Array.from({ length: 101 }, (_, at) => `c${at + 1}`);
  for (const name of clusters) story.putCluster(name);
  story.putPlacement("p0");
  let creates = 0;
  api.faultOf = ({ method }) => (method === "POST" && ++creates >= 2 ? { refuse: FORBIDDEN } : undefined);
  const claims = new Set<unknown>();
  api.onChange = () => void claims.add(own(story.status("p0"), "numberOfSelectedClusters"));
  story.start();
  await clock.pass(600_000);
  expect(creates).toBeGreaterThanOrEqual(3);
  expect(story.decided("p0-decision-1")).toHaveLength(100);
  expect(story.decided("p0-decision-2")).toBeUndefined();
  expect(JSON.stringify(story.status("p0"))).toContain("DecisionsNotWritten");
  expect(story.status("p0")).not.toHaveProperty("decisionGroups");
  expect([...claims]).toEqual([undefined]);
  api.faultOf = () => undefined;
  await story.settle();
  expect(story.status("p0")).toMatchObject({ numberOfSelectedClusters: 101, decisionGroups: [{ clusterCount: 101 }] });
  expect([...claims]).toEqual([undefined, 101]);
  await story.stop();
});

test.each(["forbidden", "not-found", "conflict"] as const)(
  "a status that cannot be written (%s) does not hold up decisions that could not be written for a while",
  async (kind) => {
    const story = oneOfEach();
    const { api, clock } = story;
    story.start();
    await clock.pass(60_000);
    let isAway = true;
    api.faultOf = (request) => {
      if (isOf("placements/")(request)) return { refuse: new NetFailure(kind, "no") };
      return isAway ? { refuse: new NetFailure("server", "away") } : undefined;
    };
    story.putCluster("c2");
    await clock.pass(20_000);
    isAway = false;
    await clock.pass(60_000);
    expect(story.decided("p0-decision-1")).toEqual(["c1", "c2"]);
    await story.stop();
  },
);

test("an owner reference that cannot be written is reported, and decisions go on", async () => {
  const story = oneOfEach();
  const { api, clock } = story;
  story.start();
  await clock.pass(60_000);
  const isOwner = ({ method, body }: WriteRequest): boolean =>
    method === "PATCH" && JSON.stringify(body).includes("ownerReferences");
  api.faultOf = (request) => (isOwner(request) ? { refuse: FORBIDDEN } : undefined);
  api.patch(PATHS.decision("p0-decision-1"), { metadata: { ownerReferences: [] } });
  await clock.pass(60_000);
  expect(JSON.stringify(story.status("p0"))).toContain("DecisionsNotWritten");
  story.putCluster("c2");
  await clock.pass(60_000);
  expect(story.decided("p0-decision-1")).toEqual(["c1", "c2"]);
  api.faultOf = () => undefined;
  await clock.pass(60_000);
  expect(JSON.stringify(story.status("p0"))).not.toContain("DecisionsNotWritten");
  expect(own(partOf(api.object(PATHS.decision("p0-decision-1")) ?? {}, "metadata"), "ownerReferences")).toHaveLength(1);
  await story.stop();
});

test("a bug in a write: what was written before it in the plan counts, and what became of it is read", async () => {
  const story = oneOfEach();
  const { api, clock, logged } = story;
  [api.delayOf, api.lagOf] = [() => 5, () => 5000];
  let isBroken = true;
  api.faultOf = ({ method }) => {
    if (!isBroken || method !== "PUT") return undefined;
    isBroken = false;
    throw new TypeError("a bug");
  };
  let reads = 0;
  api.faultOfRead = () => {
    reads++;
    return undefined;
  };
  story.start();
  await clock.pass(50_000);
  expect(story.decided("p0-decision-1")).toEqual(["c1"]);
  expect(api.writes.filter((write) => write.startsWith("POST"))).toHaveLength(1);
  expect(reads).toBeGreaterThan(0);
  expect(logged.filter(({ level }) => level === "error").map(({ message }) => message)).toEqual([
    "failed to reconcile",
  ]);
  await story.stop();
});
