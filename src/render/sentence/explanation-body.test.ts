// How does a reason become lines? For programs and for readers.

import { expect, test } from "vitest";
import { explanationWith } from "../../../test/explanations/explanation-text.ts";
import type { Explanation } from "../../resolve/resolution.ts";
import { bodyLines, bodyText } from "./explanation-body.ts";
import { byVersion } from "./names.ts";
import { wholeLine } from "./proof.ts";

const LAMP = { name: "lamp.v1.0.0", package: "lamp", version: "1.0.0" };

function broken(name: string): Explanation {
  const operator = { ...LAMP, name };
  const detail = { rule: "deprecation" } as const;
  return explanationWith(
    { kind: "facts" },
    { facts: [{ kind: "broken", rule: "deprecation", subject: "lamp", broken: { operator, detail } }] },
  );
}

function forPeople(explanation: Explanation): readonly string[] {
  return bodyLines(explanation, byVersion).map((line) => wholeLine(line).text);
}

test("programs get the name of a bundle, readers its package and version, as it is written", () => {
  const marked = "is marked olm.deprecated, only to hold the upgrade graph together";
  expect(bodyText(broken("lamp.v1.0.0"))).toBe(`lamp.v1.0.0 ${marked}`);
  expect(forPeople(broken("lamp.v1.0.0"))).toEqual([`lamp 1.0.0 ${marked}.`]);
});

test("a clause that begins with a word becomes a sentence with a capital", () => {
  const explanation = explanationWith({ kind: "no-reason", by: "time" });
  expect(bodyText(explanation)).toBe("the time limit was reached before the reason was found");
  expect(forPeople(explanation)).toEqual(["The time limit was reached before the reason was found."]);
});
