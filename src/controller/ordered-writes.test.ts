import { describe, expect, test } from "vitest";
import type { WriteRequest } from "../kube/api-server.ts";
import { objectPath } from "../kube/path.ts";
import { type FailureKind, NetFailure } from "../net/failure.ts";
import { carryOut, type PlannedWrite } from "./ordered-writes.ts";

const SLICES = "/apis/cluster.open-cluster-management.io/v1beta1/namespaces/harbour/placementdecisions";
const SLICE = `${SLICES}/slice-1`;
const BASE = { uid: "u1", resourceVersion: "7" };

/** A server that answers from a list; each answer is a text or a kind of failure. */
function bench(answers: readonly (string | { fails: FailureKind })[], leads: readonly boolean[] = []) {
  const requests: WriteRequest[] = [];
  const results: string[] = [];
  let asked = 0;
  const options = {
    server: {
      write: async (request: WriteRequest) => {
        const answer = answers[requests.length] ?? { fails: "server" };
        requests.push(request);
        if (typeof answer === "string") return answer;
        throw new NetFailure(answer.fails, "no");
      },
    },
    fence: { mayWrite: () => leads[asked++] ?? true, writeTimeout: 4000 },
    onWrite: (verb: string, result: string) => results.push(`${verb} ${result}`),
  };
  return { options, requests, results, sent: () => requests.map(({ method, path, body }) => ({ method, path, body })) };
}

const object = (uid: string, resourceVersion: string): string => JSON.stringify({ metadata: { uid, resourceVersion } });

const create: PlannedWrite = { verb: "create", path: SLICES, name: "slice-1", object: { kind: "PlacementDecision" } };
const patch: PlannedWrite = { verb: "patch", path: SLICE, patch: { metadata: { labels: { a: "b" } } }, base: BASE };
const status: PlannedWrite = { ...patch, subresource: "status", patch: { status: { decisions: [] } } };
const remove: PlannedWrite = { verb: "delete", path: SLICE, base: BASE };

describe("a plan", () => {
  test("is written in its order; each answer is the base of the next write of the object", async () => {
    const answers = [object("u1", "8"), object("u1", "9"), object("u2", "3"), "{}"];
    const { options, sent, results } = bench(answers);
    const other: PlannedWrite = { ...patch, path: `${SLICES}/slice-2`, base: { uid: "u2", resourceVersion: "2" } };
    expect(await carryOut([patch, status, other, remove], options)).toEqual({
      written: [...answers.slice(0, 3), ""],
    });
    expect(sent()).toEqual([
      {
        method: "PATCH",
        path: SLICE,
        body: { metadata: { labels: { a: "b" }, uid: "u1", resourceVersion: "7" } },
      },
      {
        method: "PATCH",
        path: `${SLICE}/status`,
        body: { metadata: { uid: "u1", resourceVersion: "8" }, status: { decisions: [] } },
      },
      {
        method: "PATCH",
        path: `${SLICES}/slice-2`,
        body: { metadata: { labels: { a: "b" }, uid: "u2", resourceVersion: "2" } },
      },
      {
        method: "DELETE",
        path: SLICE,
        body: {
          apiVersion: "v1",
          kind: "DeleteOptions",
          preconditions: { uid: "u1", resourceVersion: "9" },
          propagationPolicy: "Background",
        },
      },
    ]);
    expect(results).toEqual(["patch ok", "patch ok", "patch ok", "delete ok"]);
  });

  test("may write what it creates", async () => {
    const { options, sent } = bench([object("u9", "1"), object("u9", "2")]);
    await carryOut([create, { ...status, base: "created" }], options);
    expect(sent()).toEqual([
      { method: "POST", path: SLICES, body: { kind: "PlacementDecision" } },
      {
        method: "PATCH",
        path: `${SLICE}/status`,
        body: { metadata: { uid: "u9", resourceVersion: "1" }, status: { decisions: [] } },
      },
    ]);
  });

  test("the object that a plan creates is found again by its path, whatever its name is", async () => {
    const api = { group: "cluster.open-cluster-management.io", version: "v1beta1", plural: "placementdecisions" };
    for (const name of [".", "..", "a b", "é/%"]) {
      const { options, sent } = bench([object("u9", "1"), object("u9", "2")]);
      const path = objectPath(api, "harbour", name);
      await carryOut(
        [
          { ...create, name },
          { ...status, path, base: "created" },
        ],
        options,
      );
      expect(sent()[1]).toMatchObject({ path: `${path}/status`, body: { metadata: { uid: "u9" } } });
    }
  });

  test("updates a status with the newest metadata that are known, without managedFields", async () => {
    const labels = { a: "b" };
    const managedFields = [{ manager: "plimsoll" }];
    const labelled = JSON.stringify({ metadata: { uid: "u1", resourceVersion: "8", labels, managedFields } });
    const { options, sent, results } = bench([object("u1", "8"), labelled, object("u1", "9")]);
    const known = { name: "slice-1", annotations: { of: "others" }, uid: "u0", resourceVersion: "" };
    const first: PlannedWrite = {
      ...{ verb: "update", path: SLICE, subresource: "status", base: BASE },
      object: { kind: "PlacementDecision", metadata: known, status: { decisions: [] } },
    };
    await carryOut([first], options);
    await carryOut([patch, first], options);
    expect(sent()).toEqual([
      { method: "PUT", path: `${SLICE}/status`, body: { ...first.object, metadata: { ...known, ...BASE } } },
      { method: "PATCH", path: SLICE, body: { metadata: { labels, ...BASE } } },
      {
        ...{ method: "PUT", path: `${SLICE}/status` },
        body: { ...first.object, metadata: { uid: "u1", resourceVersion: "8", labels } },
      },
    ]);
    expect(results).toEqual(["update ok", "patch ok", "update ok"]);
  });

  test("that writes something before it creates it is a mistake of its maker", async () => {
    const { options, requests } = bench([]);
    const { written, bug } = await carryOut([{ ...status, base: "created" }, create], options);
    expect([written, bug?.message]).toEqual([[], expect.stringContaining("before it creates it")]);
    expect(requests).toEqual([]);
  });

  test("cannot replace the precondition by its own patch", async () => {
    const { options, requests } = bench([object("u1", "8")]);
    const metadata = { uid: "u0", resourceVersion: "" };
    await carryOut([{ ...patch, patch: { metadata } }], options);
    expect(requests[0]?.body).toEqual({ metadata: BASE });
  });
});

describe("failures", () => {
  test.for(["conflict", "exists", "forbidden", "invalid", "timeout", "throttled", "cancelled"] as const)(
    "%s ends the plan, and what was written before is known",
    async (kind) => {
      const { options, requests, results } = bench([object("u1", "8"), { fails: kind }]);
      const outcome = await carryOut([patch, create, remove], options);
      expect(outcome.written).toEqual([object("u1", "8")]);
      expect(outcome.failure).toEqual({ kind, message: "no" });
      expect([requests.length, results]).toEqual([2, ["patch ok", `create ${kind}`]]);
    },
  );

  test("deleting what is gone is no failure; patching it is one", async () => {
    const gone = { fails: "not-found" } as const;
    expect(await carryOut([remove], bench([gone]).options)).toEqual({ written: [""] });
    expect((await carryOut([patch], bench([gone]).options)).failure?.kind).toBe("not-found");
    expect((await carryOut([remove], bench([{ fails: "conflict" }]).options)).failure?.kind).toBe("conflict");
  });

  test.for(["", "null", "[]", '{"metadata":{"uid":"u1"}}', '{"metadata":{"uid":"u1","resourceVersion":8}}', "{"])(
    "an answer that is not an object: %s",
    async (answer) => {
      const { written, failure } = await carryOut([patch, remove], bench([answer]).options);
      expect([written, failure?.kind]).toEqual([[], "malformed"]);
    },
  );

  test("errors that are not the server's are bugs, and what was written before counts", async () => {
    const { options } = bench([object("u1", "8")]);
    let count = 0;
    const write: typeof options.server.write = (request) =>
      count++ === 0 ? options.server.write(request) : Promise.reject(new TypeError("a bug"));
    const outcome = await carryOut([patch, status], { ...options, server: { write } });
    expect(outcome).toEqual({ written: [object("u1", "8")], bug: new Error("a bug") });
  });
});

describe("fencing", () => {
  test("nothing is sent without the lease, also in the middle of a plan", async () => {
    const { options, requests, results } = bench([object("u1", "8")], [true, false]);
    const { written, failure } = await carryOut([patch, status], options);
    expect([written.length, failure?.kind]).toEqual([1, "not-sent"]);
    expect([requests.length, results]).toEqual([1, ["patch ok", "patch not-sent"]]);
  });

  test("every request has the time limit of the lease, and asks again in the last moment", async () => {
    const { options, requests } = bench([object("u1", "8"), object("u9", "1"), "{}"]);
    let leads = true;
    await carryOut([patch, create, remove], { ...options, fence: { mayWrite: () => leads, writeTimeout: 1234 } });
    expect(requests.map(({ timeout }) => timeout)).toEqual([1234, 1234, 1234]);
    expect(requests.map(({ mayStillSend }) => mayStillSend?.())).toEqual([true, true, true]);
    leads = false;
    expect(requests.map(({ mayStillSend }) => mayStillSend?.())).toEqual([false, false, false]);
  });
});
