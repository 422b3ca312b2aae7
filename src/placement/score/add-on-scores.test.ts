import { describe, expect, test } from "vitest";
import { parseTimestamp, type Timestamp } from "../../cel/value/timestamp.ts";
import { CelError } from "../../cel/value/value.ts";
import { AddOnScores, ScoreError } from "./add-on-scores.ts";

function at(text: string): Timestamp {
  return parseTimestamp(text) as Timestamp;
}

const T0 = "2022-01-01T00:00:00Z";

/** A addOnScores at T0 in which cluster1 has a page that ends then. */
function addOnScores(options: { validUntil?: string; ignoreExpiry?: boolean } = {}): AddOnScores {
  const { validUntil = T0, ignoreExpiry = false } = options;
  const result = new AddOnScores({ now: at(T0), ignoreExpiry });
  result.add("cluster1", "test", { scores: [{ name: "score1", value: 30 }], validUntil });
  return result;
}

describe("time", () => {
  test("F24: at the very moment of validUntil a score still counts", () => {
    expect(addOnScores().value("cluster1", "test", "score1")).toEqual({
      value: 30,
      expired: false,
      validUntil: at(T0),
    });
    expect(addOnScores().score("cluster1", "test", "score1")).toBe(30);
  });

  test("F22: it does not when the time of the scores is later, and does again when that is set back", () => {
    const scores = addOnScores();
    scores.now = at("2022-01-01T00:00:00.000000001Z");
    expect(scores.value("cluster1", "test", "score1")).toEqual({ value: 30, expired: true, validUntil: at(T0) });
    expect(scores.score("cluster1", "test", "score1")).toEqual(
      new ScoreError('"test" expired at 2022-01-01T00:00:00Z'),
    );
    expect(scores.list("cluster1", "test")).toBeInstanceOf(CelError);
    scores.now = at(T0);
    expect(scores.list("cluster1", "test")).toEqual([{ name: "score1", value: 30 }]);
  });

  test("to OCM's expressions it always counts; to a prioritizer it does not", () => {
    const scores = addOnScores({ ignoreExpiry: true });
    scores.now = at("2023-01-01T00:00:00Z");
    expect(scores.score("cluster1", "test", "score1")).toBe(30);
    expect(scores.value("cluster1", "test", "score1").expired).toBe(true);
  });

  test("a validUntil that cannot be read is as good as over", () => {
    const scores = addOnScores({ validUntil: "tomorrow" });
    expect(scores.value("cluster1", "test", "score1")).toEqual({ value: 30, expired: true, validUntil: undefined });
    expect(scores.end("cluster1", "test")).toBeInstanceOf(CelError);
    expect(String((scores.score("cluster1", "test", "score1") as CelError).message)).toContain("cannot be read");
  });

  test("without validUntil it counts for ever", () => {
    const scores = new AddOnScores({ now: at("9999-01-01T00:00:00Z") });
    scores.add("cluster1", "test", { scores: [{ name: "score1", value: -5 }] });
    expect(scores.value("cluster1", "test", "score1")).toEqual({ value: -5, expired: false, validUntil: undefined });
  });

  test("when a page ends can be asked", () => {
    expect(addOnScores().end("cluster1", "test")).toEqual(at(T0));
    expect(addOnScores().end("cluster1", "other")).toBeUndefined();
    expect(addOnScores().end("cluster2", "test")).toBeUndefined();
  });
});

describe("pages", () => {
  test("F20: a score or a page that is not there is nothing, and has not expired", () => {
    const nothing = { value: undefined, expired: false, validUntil: undefined };
    expect(addOnScores().value("cluster2", "test", "score1")).toEqual(nothing);
    expect(addOnScores().value("cluster1", "other", "score1")).toEqual(nothing);
    expect(addOnScores().value("cluster1", "test", "score2")).toEqual({ ...nothing, validUntil: at(T0) });
  });

  test("are replaced and removed", () => {
    const scores = addOnScores();
    scores.add("cluster1", "more", { scores: [] });
    expect(scores.resources("cluster1")).toEqual(["test", "more"]);
    scores.add("cluster1", "test", { scores: [{ name: "score1", value: 40 }] });
    expect(scores.value("cluster1", "test", "score1").value).toBe(40);
    expect(scores.end("cluster1", "test")).toBeUndefined();
    scores.remove("cluster1", "test");
    scores.remove("cluster1", "never there");
    expect(scores.resources("cluster1")).toEqual(["more"]);
    expect(scores.score("cluster1", "test", "score1")).toBeInstanceOf(CelError);
    scores.remove("cluster1", "more");
    expect(scores.resources("cluster1")).toEqual([]);
    expect(scores.resources("cluster2")).toEqual([]);
  });

  test.each([2, 40])("of %i scores with one name, the last counts", (length) => {
    const scores = new AddOnScores({ now: at(T0) });
    const entries = Array.from({ length }, (_, value) => ({ name: `score${value % (length - 1)}`, value }));
    scores.add("__proto__", "constructor", { scores: entries });
    expect(scores.score("__proto__", "constructor", "score0")).toBe(length - 1);
    expect(scores.score("__proto__", "constructor", "toString")).toBeInstanceOf(CelError);
  });
});
