import fc from "fast-check";
import { expect, test } from "vitest";
import { call } from "../../../../test/differential/cel-kubernetes/call.ts";
import { Optional } from "../../value/boxes.ts";
import type { Result } from "../../value/value.ts";
import { formatLibrary } from "./format.ts";

// Hundreds of texts are checked against Kubernetes in test/differential/cel-format.test.ts.

function validate(format: string, text: string): Result {
  return call(formatLibrary, "format-validate", call(formatLibrary, `format.${format}`), text);
}

test("a text that is as it should be has no mistakes", () => {
  expect(validate("dns1123Label", "my-label-name")).toBe(Optional.none);
  expect(validate("dns1035LabelPrefix", "my-label-prefix-")).toBe(Optional.none);
  expect(validate("datetime", "2021-01-01T00:00:00Z")).toBe(Optional.none);
});

test("mistakes are a list in an optional", () => {
  expect(validate("dns1123Label", "a.b")).toEqual(new Optional(["must not contain dots"]));
  expect(validate("byte", "aGVsbG8")).toEqual(new Optional(["invalid base64"]));
  expect(validate("uri", "../x")).toEqual(new Optional(['parse "../x": invalid URI for request']));
});

test("every label is a subdomain, and every RFC 1035 label is a label", () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[-.a-zA-Z0-9]{1,70}$/), (text) => {
      if (validate("dns1035Label", text) === Optional.none) expect(validate("dns1123Label", text)).toBe(Optional.none);
      if (validate("dns1123Label", text) === Optional.none) {
        expect(validate("dns1123Subdomain", text)).toBe(Optional.none);
        expect(validate("qualifiedName", text)).toBe(Optional.none);
        expect(validate("labelValue", text)).toBe(Optional.none);
      }
    }),
  );
});

test("formats are equal by name", () => {
  const [label, same] = [
    call(formatLibrary, "format-named", "dns1123Label"),
    call(formatLibrary, "format.dns1123Label"),
  ];
  expect(label).toEqual(new Optional(same as never));
});

test("long texts take no longer than they are", () => {
  const texts = [
    "a.".repeat(500_000),
    "a-".repeat(500_000),
    "a/".repeat(500_000),
    "aaaa".repeat(500_000),
    "T".repeat(500_000),
  ];
  const formats = [
    "dns1123Label",
    "dns1123SubdomainPrefix",
    "qualifiedName",
    "labelValue",
    "uuid",
    "byte",
    "datetime",
    "uri",
  ];
  for (const text of texts) for (const format of formats) expect(validate(format, text)).toBeInstanceOf(Optional);
});
