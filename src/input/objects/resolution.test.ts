// Is a Resolution read as far as it can be, whatever is in it?

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { customResourceOf } from "../../model/definition-of.ts";
import type { Json, JsonObject } from "../../model/json.ts";
import { doubtsOf, type ResolutionAdvice, verdictOf } from "../../model/resolution-advice.ts";
import { whyText } from "../../render/sentence/advice.ts";
import { fits, fittingPart, list, map, object, objectWith, type Shape, text } from "../shape.ts";
import { readResolution } from "./resolution.ts";

const PLACE = { source: "a.yaml", line: 1, column: 1 };

/** What is read of an object, and the messages about it. */
function read(value: Json): { readonly resolution: ResolutionAdvice; readonly messages: readonly string[] } {
  const messages: string[] = [];
  const given = value as JsonObject;
  const version = "plimsoll.dev/v1alpha1";
  const resolution = readResolution(customResourceOf(given, version, "Resolution", PLACE), "home", ({ message }) =>
    messages.push(message),
  );
  return { resolution, messages };
}

const METADATA = { name: "plimsoll", namespace: "bridge", generation: 2 };

describe("a status", () => {
  test("is read with everything that is shown of it", () => {
    const conditions = [{ type: "Degraded", status: "False", reason: "AsExpected", message: "" }];
    const status = {
      ...{ observedGeneration: 2, outcome: "Partial", summary: "1 kept", reason: "why" },
      counts: { operators: 1, updates: 0, heldBack: 1, unsatisfied: 1, pendingApproval: 0 },
      heldBack: [{ package: "a", bundle: "a.v1", available: ["a.v2"], summary: "no" }],
      unsatisfied: [{ package: "c", subscription: "bridge/c", undecided: true, kept: "c.v1", summary: "no" }],
      pendingApproval: [
        { subscriptions: ["bridge/d"], changes: [{ package: "d", from: "d.v1", to: "d.v2" }], awaiting: ["e"] },
      ],
      ...{ warnings: [{ code: "x", message: "y" }], cut: ["more"], conditions },
    };
    const explained = status.heldBack.map((one) => ({ ...one, why: ["1. not shown"], whatWouldHelp: ["wait"] }));
    const given = { ...status, heldBack: explained, operators: [{ package: "a" }] };
    const { resolution, messages } = read({ metadata: METADATA, spec: { mode: "Off" }, status: given });
    expect(messages).toEqual([]);
    expect(resolution).toEqual({
      ...{ place: PLACE, namespace: "bridge", name: "plimsoll", generation: 2, mode: "Off", unread: [] },
      status: {
        ...status,
        unsatisfied: [{ ...status.unsatisfied[0], clusterExtension: undefined }],
      },
    });
  });

  test("is not there before the first advice; the API server fills in the mode", () => {
    const { resolution } = read({ metadata: { name: "plimsoll" } });
    expect(resolution).toMatchObject({ namespace: "home", generation: undefined, mode: "Advise", status: undefined });
    expect(doubtsOf(resolution)).toEqual([{ kind: "not-advised" }]);
  });

  test("loses only what has another type, which is named", () => {
    const status = {
      outcome: 5,
      reason: "why",
      counts: { operators: 1, updates: -1 },
      unsatisfied: [1, { package: "a" }],
    };
    const { resolution, messages } = read({ metadata: METADATA, spec: { mode: "Later" }, status });
    const unread = ["spec.mode", "status.outcome", "status.counts.updates", "status.unsatisfied[0]"];
    expect(messages).toHaveLength(unread.length);
    expect(resolution).toMatchObject({ mode: undefined, unread });
    expect(resolution.status).toMatchObject({ outcome: undefined, reason: "why", counts: { operators: 1 } });
    expect(resolution.status?.counts).not.toHaveProperty("updates");
    expect(resolution.status?.unsatisfied.map((one) => one.package)).toEqual(["a"]);
  });

  test("names some of very many mistakes", () => {
    const status = { outcome: "Resolved", cut: Array.from({ length: 500 }, (_, index) => index) };
    const { resolution, messages } = read({ metadata: METADATA, status });
    expect(messages).toHaveLength(100);
    expect(resolution.unread.at(-1)).toBe("other fields");
    expect(whyText(resolution)).toBe("cannot be read: status.cut[0], status.cut[1], status.cut[2] and 97 more");
  });

  test("can be anything", () => {
    const part = fc.oneof(
      fc.constantFrom<Json>(null, 1, "Resolved", true, {}, []),
      fc.jsonValue() as fc.Arbitrary<Json>,
    );
    const keys = ["outcome", "reason", "counts", "heldBack", "unsatisfied", "pendingApproval", "conditions", "cut"];
    const status = fc.oneof(part, fc.dictionary(fc.constantFrom(...keys, "__proto__"), part));
    fc.assert(
      fc.property(part, part, status, (metadata, spec, status) => {
        const { resolution, messages } = read({ metadata, spec, status });
        expect(typeof whyText(resolution)).toBe("string");
        expect(verdictOf(resolution).isUnknown || resolution.mode === "Off" || messages.length === 0).toBe(true);
      }),
    );
  });
});

describe("the part that fits", () => {
  const SHAPE: Shape = object({
    a: text,
    b: list(objectWith(["name"], { name: text, note: text })),
    c: map(list(text)),
  });

  test("has no field and no item that does not", () => {
    const value = {
      a: 1,
      b: [{ name: "x", note: 2, more: 3 }, { note: "y" }, null, { name: "" }],
      c: { d: ["e", 4], f: 5 },
      g: 6,
    };
    expect(fittingPart(value, SHAPE)).toEqual({ b: [{ name: "x" }], c: { d: ["e"] } });
    expect(fittingPart(["a"], SHAPE)).toBeUndefined();
    expect(fittingPart({ a: null }, SHAPE)).toEqual({});
  });

  test("fits, and is the whole of what fits", () => {
    const shaped = fc.dictionary(fc.constantFrom("a", "b", "c", "__proto__"), fc.jsonValue({ maxDepth: 3 }));
    fc.assert(
      fc.property(fc.oneof(shaped, fc.jsonValue()), (value) => {
        const part = fittingPart(value as Json, SHAPE);
        if (part !== undefined) expect(fits(part, SHAPE, PLACE, () => {})).toBe(true);
        if (fits(value as Json, SHAPE, PLACE, () => {}))
          expect(part === undefined ? {} : fittingPart(part, SHAPE)).toEqual(part);
      }),
    );
  });
});
