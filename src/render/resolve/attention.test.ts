import { describe, expect, test } from "vitest";
import { explanationWith } from "../../../test/explanations/explanation-text.ts";
import { PLAIN, RICH, request } from "../../../test/resolve/sample-resolution.ts";
import { FORMATS } from "../output-formats.ts";
import { attentionSentence } from "./attention.ts";

const REFUSED = {
  request: request("gantry"),
  undecided: false,
  explanation: explanationWith({ kind: "stuck" }),
};

describe("forms that only list operators", () => {
  test.each(["name", "tree", "mermaid", "dot", "subscriptions"])(
    "%s: what is missing is reported beside it",
    (form) => {
      expect(attentionSentence([{ ...PLAIN, unsatisfied: [REFUSED] }], form)).toBe(
        "1 request is refused: bridge/gantry; -o text says why",
      );
      expect(attentionSentence([RICH, { ...PLAIN, namespace: "cargo" }], form)).toBe(
        "1 request is refused: bridge/compass; 1 request is undecided: bridge/sonar; 1 operator is held back: bridge/lantern; 1 request waits for approval: bridge/crane; 1 requirement is broken: bridge/mast.v1.0.0; -o text says why",
      );
      expect(attentionSentence([PLAIN], form)).toBeUndefined();
    },
  );

  test("many are counted, a few are named", () => {
    const unsatisfied = Array.from({ length: 6 }, (_, index) => ({ ...REFUSED, request: request(`r${index}`) }));
    expect(attentionSentence([{ ...PLAIN, unsatisfied }], "name")).toBe(
      "6 requests are refused: bridge/r0, bridge/r1, bridge/r2, bridge/r3 and 2 more; -o text says why",
    );
  });

  test("names are safe for a terminal", () => {
    const unsatisfied = [{ ...REFUSED, request: request("a\u001b[2J") }];
    expect(attentionSentence([{ ...PLAIN, unsatisfied }], "name")).not.toContain("\u001b");
  });
});

test("the other formats contain it", () => {
  const complete = FORMATS.resolve.filter((form) => attentionSentence([RICH], form) === undefined);
  expect(complete).toEqual(["text", "wide", "json", "yaml"]);
});
