import { describe, expect, test } from "vitest";
import { bodyOf, constraintsMap, review, UID } from "../../test/webhook/review-body.ts";
import type { JsonObject } from "../model/json.ts";
import { answerText, denialOf, MAX_REVIEW_BYTES, readReview } from "./admission-review.ts";

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

describe("a review is read", () => {
  test("with everything that a verdict depends on", () => {
    const [object, oldObject] = [constraintsMap("[]"), constraintsMap("")];
    expect(readReview(bodyOf(review({ operation: "UPDATE", object, oldObject })))).toEqual({
      ...{ uid: UID, group: "", kind: "ConfigMap", namespace: "olm", name: "olm-runtime-constraints" },
      ...{ operation: "UPDATE", object, oldObject },
    });
  });

  test("also if optional fields are missing or null", () => {
    const more = { namespace: null, name: null, object: null };
    const kind = { group: "", version: "v1", kind: "ConfigMap" };
    const request = { uid: UID, kind, operation: "DELETE" };
    const read = { namespace: "", name: "", object: undefined, oldObject: undefined };
    expect(readReview(bodyOf(review({ more })))).toMatchObject(read);
    expect(readReview(bodyOf({ ...review({}), request }))).toMatchObject(read);
  });

  test("with integers that JSON.parse would round", () => {
    const text = JSON.stringify(review({ object: constraintsMap("[]", { generation: 7 }) }));
    const body = encode(text.replace('"generation":7', '"generation":9007199254740993'));
    expect(readReview(body)).toMatchObject({ object: { metadata: { generation: 9007199254740993n } } });
  });
});

describe("what is no review is refused", () => {
  const nested = (depth: number): string => `${"[".repeat(depth)}${"]".repeat(depth)}`;
  const withObject = (text: string): string =>
    JSON.stringify(review({ object: { here: 1 } })).replace('{"here":1}', text);

  test.each<readonly [string, string | Uint8Array, string]>([
    ["nothing", "", "not JSON"],
    ["no JSON", "{", "not JSON"],
    ["text", "apiVersion: admission.k8s.io/v1", "not JSON"],
    ["bytes", new Uint8Array([0xff, 0xfe, 0x7b]), "not UTF-8"],
    ["half a character", new Uint8Array([0x22, 0xc3, 0x22]), "not UTF-8"],
    ["a list", "[]", "not an object"],
    ["null", "null", "not an object"],
    ["nested lists", nested(1_000_000), "nested too deeply"],
    ["an object with nested lists", withObject(nested(1_000_000)), "nested too deeply"],
    ["a deep object", withObject(`${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`), "nested too deeply"],
    ["a huge number", withObject('{"a":1e999}'), "not JSON"],
    [
      "another version",
      JSON.stringify({ ...review({}), apiVersion: "admission.k8s.io/v1beta1" }),
      "no AdmissionReview",
    ],
    ["another kind", JSON.stringify({ ...review({}), kind: "ConversionReview" }), "no AdmissionReview"],
    ["an empty object", "{}", "no AdmissionReview"],
  ])("%s", (_, body, why) => {
    expect(readReview(typeof body === "string" ? encode(body) : body)).toContain(why);
  });

  test("more than 3 MiB, and not less", () => {
    const text = JSON.stringify(review({ object: constraintsMap("[]") }));
    const padded = (bytes: number): Uint8Array => encode(text.padEnd(bytes));
    expect(readReview(padded(MAX_REVIEW_BYTES))).toMatchObject({ uid: UID });
    expect(readReview(padded(MAX_REVIEW_BYTES + 1))).toBe("the review is too large");
  });

  test.each<readonly [string, unknown]>([
    ["no request", undefined],
    ["a request that is a text", "request"],
    ["a request that is a list", [{ uid: UID }]],
    ["null", null],
  ])("%s", (_, request) => {
    expect(readReview(bodyOf({ ...review({}), request }))).toBe("the request of the review is incomplete");
  });

  test.each<readonly [string, JsonObject, string]>([
    ["no uid", { uid: "" }, "incomplete"],
    ["a uid that is a number", { uid: 7 }, "incomplete"],
    ["a long uid", { uid: "u".repeat(129) }, "incomplete"],
    ["no kind", { kind: null }, "incomplete"],
    ["a kind that is a text", { kind: "ConfigMap" }, "incomplete"],
    ["a group that is a list", { kind: { group: [], kind: "ConfigMap" } }, "incomplete"],
    ["another operation", { operation: "PATCH" }, "incomplete"],
    ["an inherited operation", { operation: "constructor" }, "incomplete"],
    ["no operation", { operation: null }, "incomplete"],
    ["a namespace that is an object", { namespace: {} }, "wrong type"],
    ["a long name", { name: "n".repeat(254) }, "too long"],
    ["an object that is a text", { object: "{}" }, "wrong type"],
    ["an object that is a list", { object: [] }, "wrong type"],
    ["an old object that is a number", { oldObject: 1 }, "wrong type"],
  ])("%s", (_, more, why) => {
    expect(readReview(bodyOf(review({ more })))).toContain(why);
  });

  test("fields of the prototype do not count", () => {
    const text = JSON.stringify({ ...review({}), request: undefined, proto: { request: review({}).request } });
    expect(readReview(encode(text.replace('"proto"', '"__proto__"')))).toBe("the request of the review is incomplete");
    const polluted = JSON.stringify(review({ object: { here: 1 } })).replace(
      '"here":1',
      '"__proto__":{"polluted":true}',
    );
    readReview(encode(polluted));
    expect(({} as { readonly polluted?: boolean }).polluted).toBeUndefined();
  });
});

describe("the answer", () => {
  const parsed = (text: string): JsonObject => JSON.parse(text);
  const header = { apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview" };

  test("allows", () => {
    expect(parsed(answerText({ uid: UID }, { warnings: [] }))).toEqual({
      ...header,
      response: { uid: UID, allowed: true },
    });
  });

  test("denies with a status, and warns", () => {
    const status = { status: "Failure", message: "no", reason: "Invalid", code: 422 };
    expect(parsed(answerText({ uid: UID }, { denial: "no", warnings: ["look"] }))).toEqual({
      ...header,
      response: { uid: UID, allowed: false, status, warnings: ["look"] },
    });
  });

  test("has warnings that an API server passes on: short, not too many, on one line each", () => {
    const long = Array.from({ length: 100 }, (_, index) => `${index} ${"x".repeat(1000)}`);
    const { warnings } = parsed(answerText({ uid: UID }, { warnings: long })).response as {
      warnings: readonly string[];
    };
    expect(warnings).toHaveLength(15);
    expect(warnings.at(-1)).toBe("and 86 more warnings");
    expect(Math.max(...warnings.map(({ length }) => length))).toBeLessThan(256);
    expect(warnings.join("").length).toBeLessThan(4096);
    const hostile = answerText({ uid: UID }, { warnings: ["a\r\nWarning: 299 forged\u0007\u202e\ud800"] });
    expect((parsed(hostile).response as { warnings: readonly string[] }).warnings).toEqual([
      "a\\u{d}\\u{a}Warning: 299 forged\\u{7}\\u{202e}\\u{d800}",
    ]);
  });
});

describe("a denial", () => {
  test("has a line for each mistake", () => {
    expect(denialOf("2 mistakes", ["one", "two\nthree"])).toBe("2 mistakes:\n  one\n  two\\u{a}three");
  });

  test("is not longer than 16 KiB, and says what is left out", () => {
    const mistakes = Array.from({ length: 100 }, (_, index) => `${index} ${"x".repeat(2000)}`);
    const denial = denialOf("100 mistakes", mistakes);
    expect(denial.length).toBeLessThan(16 * 1024 + 20);
    const lines = denial.split("\n");
    expect(lines.at(-1)).toBe(`  and ${100 - (lines.length - 2)} more`);
    expect(lines[1]).toMatch(/^ {2}0 x+…$/);
  });
});
