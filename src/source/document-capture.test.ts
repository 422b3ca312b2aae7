// Where do documents end?
import { expect, test } from "vitest";
import { DocumentCapture } from "./document-capture.ts";

function captured(pieces: readonly string[], most = 1000): string {
  const capture = new DocumentCapture(most);
  for (const piece of pieces) if (!capture.isOver) capture.take(piece);
  return capture.text;
}

test.for([
  ["a line of JSON lines", '{"a": "}"}\n{"b": 1}\n', '{"a": "}"}'],
  ["JSON that is not indented", '{\n"a": {\n"b": 1\n}\n,\n"c": 2\n}\n{"d": 1}', '{\n"a": {\n"b": 1\n}\n,\n"c": 2\n}'],
  ["JSON whose first line ends in a brace", '{"a": {}\n, "b": "\\"}"}{"c": 1}', '{"a": {}\n, "b": "\\"}"}'],
  ["a flow mapping of YAML", "{a: [1,\n 2], b: {}}\n---\nc: 1\n", "{a: [1,\n 2], b: {}}"],
  ["YAML", "a: 1\nb: '{'\n---\nc: 1\n", "a: 1\nb: '{'\n"],
  ["YAML that begins with a marker", "---\na: 1\n---\nb: 2\n", "---\na: 1\n"],
])("%s", ([, text, expected]) => {
  expect(captured([text as string])).toBe(expected);
  // However it is cut at its lines.
  expect(captured((text as string).split(/(?<=\n)/))).toBe(expected);
});

test("text before the document on its line is kept", () => {
  const capture = new DocumentCapture(1000, 9);
  capture.take('{"a": 1} {"b": {}} {"c": 1}');
  expect(capture.text).toBe('{"a": 1} {"b": {}}');
});

test("no more than wanted is kept", () => {
  expect(captured(["a: 1\n", "b: 2\n", "c: 3\n"], 8)).toBe("a: 1\nb: 2\n");
});
