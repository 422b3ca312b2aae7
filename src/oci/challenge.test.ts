// Are the challenges of registries read, and do hostile ones end?
import fc from "fast-check";
import { expect, test } from "vitest";
import { readChallenges } from "./challenge.ts";

function read(header: string): unknown {
  return readChallenges(header).map(({ scheme, parameters }) => [scheme, Object.fromEntries(parameters)]);
}

test.for<[string, unknown]>([
  ["", []],
  ["Basic", [["basic", {}]]],
  ['Basic realm="Registry Realm"', [["basic", { realm: "Registry Realm" }]]],
  [
    'Bearer realm="https://auth.docker.io/token",service="registry.docker.io",scope="repository:a/b:pull,push"',
    [
      [
        "bearer",
        { realm: "https://auth.docker.io/token", service: "registry.docker.io", scope: "repository:a/b:pull,push" },
      ],
    ],
  ],
  ["bEARER realm=https://x/y , SERVICE = z", [["bearer", { realm: "https://x/y", service: "z" }]]],
  [
    'Basic realm="a", Bearer realm="b", error="x"',
    [
      ["basic", { realm: "a" }],
      ["bearer", { realm: "b", error: "x" }],
    ],
  ],
  ['Bearer realm="a \\"quoted\\" \\\\ text"', [["bearer", { realm: 'a "quoted" \\ text' }]]],
  ['Bearer realm="first", realm="second"', [["bearer", { realm: "first" }]]],
  ['Bearer realm="without an end', [["bearer", { realm: "" }]]],
  ['realm="of nothing"', []],
  [
    "Negotiate YII=, Basic",
    [
      ["negotiate", { yii: "" }],
      ["basic", {}],
    ],
  ],
  ['Bearer __proto__="x"', [["bearer", Object.fromEntries([["__proto__", "x"]])]]],
])("%s", ([header, challenges]) => {
  expect(read(header)).toEqual(challenges);
});

test("long and strange headers end soon", () => {
  for (const unit of ["a ", 'a="', "a=\\", ",", '"', 'Bearer realm="\\\\', "x=y,"])
    expect(readChallenges(unit.repeat(1_000_000)).length).toBeLessThanOrEqual(20);
  fc.assert(fc.property(fc.string(), (text) => readChallenges(text).length <= 20));
});
