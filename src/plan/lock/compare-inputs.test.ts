import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { INPUT_KINDS, type LockedInput } from "../../model/lock.ts";
import { differenceText } from "../../render/sentence/lock.ts";
import { inputDifferences } from "./compare-inputs.ts";

function fact(value: string, subject = "cluster.label"): LockedInput {
  return { kind: "fact", subject, value, digest: `sha256:${value}` };
}

function texts(locked: readonly LockedInput[], now: readonly LockedInput[]): readonly string[] {
  return inputDifferences(locked, now).map(differenceText);
}

describe("inputs of one name", () => {
  test("one that differs has changed", () => {
    expect(texts([fact("a"), fact("b")], [fact("c"), fact("a")])).toEqual([
      "the cluster's cluster.label was b and is c",
    ]);
  });

  test("several that differ cannot be matched", () => {
    expect(texts([fact("a"), fact("b")], [fact("c"), fact("d")])).toEqual([
      "the cluster's cluster.label is gone: a",
      "the cluster's cluster.label is gone: b",
      "the cluster's cluster.label is new: c",
      "the cluster's cluster.label is new: d",
    ]);
  });

  test("each of two equal ones counts", () => {
    expect(texts([fact("a"), fact("a")], [fact("a")])).toEqual(["the cluster's cluster.label is gone: a"]);
  });

  test("what cannot be shown in short is not the same as it was", () => {
    const [one, other] = [fact("a"), { ...fact("a"), digest: "sha256:b" }];
    expect(texts([one], [other])).toEqual(["the cluster's cluster.label is not the same as it was: a"]);
    const bare = ({ kind, subject, digest }: LockedInput): LockedInput => ({ kind, subject, digest });
    expect(texts([bare(one)], [bare(other)])).toEqual(["the cluster's cluster.label is not the same as it was"]);
  });

  test("a catalog may have other content and another priority", () => {
    const catalog = (priority: number, digest: string): LockedInput => ({
      kind: "catalog",
      subject: "harbour",
      value: `priority ${priority}`,
      digest,
    });
    expect(texts([catalog(0, "a")], [catalog(1, "b")])).toEqual([
      "catalog harbour has other content, and had priority 0 and has priority 1",
    ]);
    expect(texts([catalog(0, "a")], [])).toEqual(["catalog harbour is gone"]);
  });
});

describe("constraints", () => {
  const constraint = (number: number | string, value: string): LockedInput => ({
    kind: "constraint",
    subject: String(number),
    value,
    digest: `sha256:${value}`,
  });

  test("stay the same when others are added before them, or removed", () => {
    const [a, b] = ['"a"', '"b"'];
    expect(texts([constraint(1, a), constraint(2, b)], [constraint(1, b)])).toEqual([
      `the administrator's constraint 1 is gone: "a"`,
    ]);
    expect(texts([constraint(1, a)], [constraint(1, b), constraint(2, a)])).toEqual([
      `the administrator's constraint 1 is new: "b"`,
    ]);
  });

  test("change if one with the same number differs", () => {
    expect(texts([constraint(1, "a"), constraint(2, "b")], [constraint(1, "c"), constraint(2, "d")])).toEqual([
      "the administrator's constraint 1 was a and is c",
      "the administrator's constraint 2 was b and is d",
    ]);
  });

  test("may be unreadable", () => {
    expect(texts([constraint(1, "a")], [constraint("PL003", "this is no list")])).toEqual([
      "the administrator's constraint 1 is gone: a",
      "what is wrong with the runtime constraints (PL003) is new: this is no list",
    ]);
  });
});

describe("holds", () => {
  const operator = (value: string | undefined, kind: "installed" | "elsewhere" = "installed"): LockedInput => ({
    kind,
    subject: "bell.v1",
    ...(value !== undefined && { value }),
    digest: `sha256:${value}`,
  });

  test.each([
    ["1.0.0", "1.0.0, held (--hold bell)", "is now held (--hold bell)"],
    [undefined, "held (a, held (b))", "is now held (a, held (b))"],
    ["1.0.0, held (it says so)", "1.0.0", "is no longer held (it says so)"],
    ["1.0.0, held (a)", "1.0.0, held (b)", "was 1.0.0, held (a) and is 1.0.0, held (b)"],
    ["1.0.0", "1.1.0, held (a)", "was 1.0.0 and is 1.1.0, held (a)"],
    ["1.0.0, held (a)", "1.1.0", "was 1.0.0, held (a) and is 1.1.0"],
    ["1.0.0", "1.0.0+b", "was 1.0.0 and is 1.0.0+b"],
  ])("from %s to %s: it %s", (before, after, text) => {
    expect(texts([operator(before)], [operator(after)])).toEqual([`the operator bell.v1 ${text}`]);
    expect(texts([operator(before, "elsewhere")], [operator(after, "elsewhere")])).toEqual([
      `the operator bell.v1 of another namespace ${text}`,
    ]);
  });
});

test("every kind has its words; equal inputs in any order have no difference", () => {
  const input = fc.record({
    kind: fc.constantFrom(...INPUT_KINDS),
    subject: fc.constantFrom("a", "b", "__proto__"),
    digest: fc.constantFrom("1", "2"),
  });
  fc.assert(
    fc.property(fc.array(input, { maxLength: 12 }), fc.array(input, { maxLength: 3 }), (some, more) => {
      expect(texts(some, [...some].reverse())).toEqual([]);
      const differences = inputDifferences(some, [...more, ...some]);
      expect(differences).toHaveLength(more.length);
      for (const one of differences) expect(differenceText(one)).toMatch(/ is new$/);
    }),
  );
});
