import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { shellText } from "./shell-text.ts";

test.each([
  ["plain-1.0_x/y:z@a,b=c", "plain-1.0_x/y:z@a,b=c"],
  ["", "''"],
  ["=x", "'=x'"],
  ["a b", "'a b'"],
  ["it's", "'it'\\''s'"],
  ['{"a":[1]}', "'{\"a\":[1]}'"],
  ["$(x)`y`!*?~#;&|<>", "'$(x)`y`!*?~#;&|<>'"],
])("a shell reads %j as it is", (text, expected) => {
  expect(shellText(text)).toBe(expected);
  expect(execFileSync("sh", ["-c", `printf %s ${expected}`], { encoding: "utf8" })).toBe(text);
});

test("what cannot be seen is an escape", () => {
  expect(shellText("tab\t'\\\u202e")).toBe("$'tab\\U00000009\\'\\\\\\U0000202e'");
});
