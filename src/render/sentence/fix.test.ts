// Does the text of a fix match its flags?

import { describe, expect, test } from "vitest";
import { request, running, scene } from "../../../test/worlds/scene.ts";
import type { Request } from "../../model/problem.ts";
import { fixOf } from "../../resolve/explain/advice.ts";
import type { NamedRequest } from "../../resolve/prepare/problem-inputs.ts";
import type { Change } from "../../resolve/what-if.ts";
import { parseRange, type Range, rangeOutline } from "../../semver/blang-range.ts";
import { fixText } from "./fix.ts";
import { flagsOf } from "./flags.ts";

const range = rangeOutline(parseRange("1.0.0") as Range);

/** Text and flags of a fix with `--instead`, given these requests for `a`. */
function textAndFlags(
  instead: Omit<NamedRequest, "package">,
  ...requests: readonly Partial<Request>[]
): readonly [string, string] {
  const change: Change = { kind: "instead", request: { package: "a", ...instead } };
  const all = requests.map((more, index) => request("a", { id: `here/a-${index}`, name: `a-${index}`, ...more }));
  const fix = fixOf([change], scene({ requests: all }));
  return [fixText(fix), fix.changes.flatMap(flagsOf).join(" ")];
}

describe("requests for one package with different channels", () => {
  const [stable, fast] = [{ channel: "stable" }, { channel: "fast" }];

  test.each([
    ["the first", stable, fast],
    ["the second", fast, stable],
    ["neither", {}, fast],
  ])("the channel that all shall take is named, though it is that of %s", (_, one, other) => {
    expect(textAndFlags(stable, one, other)).toEqual(["take a from channel stable", "--instead a:stable"]);
    expect(textAndFlags({ ...stable, range }, one, other)).toEqual([
      "take a 1.0.0 from channel stable",
      "--instead a@1.0.0:stable",
    ]);
  });

  test("any channel is mentioned if one of them names a channel", () => {
    expect(textAndFlags({}, {}, fast)).toEqual(["take a from any channel", "--instead a"]);
    expect(textAndFlags({}, fast, {})).toEqual(["take a from any channel", "--instead a"]);
    expect(textAndFlags({}, {}, {})).toEqual(["ask for any version of a", "--instead a"]);
  });

  test("what is the same for all is not worth a word", () => {
    expect(textAndFlags({ ...stable, range }, stable, stable)).toEqual(["ask for a 1.0.0", "--instead a@1.0.0:stable"]);
  });

  test("a catalog is named unless all take theirs from it", () => {
    const [main, other] = [{ catalog: { name: "main" } }, { catalog: { name: "other" } }];
    expect(textAndFlags(main, main, other)).toEqual(["take a from catalog main", "--instead main/a"]);
    expect(textAndFlags(main, other, main)).toEqual(["take a from catalog main", "--instead main/a"]);
    expect(textAndFlags({ ...main, range }, main, main)).toEqual(["ask for a 1.0.0", "--instead main/a@1.0.0"]);
  });
});

test("the requests that it helps are named", () => {
  expect(fixOf([{ kind: "drop", package: "a" }], scene({ namespace: "bridge" })).namespace).toBe("bridge");
});

test("what runs is updated, what does not is installed", () => {
  const approve: Change = { kind: "approve", package: "a" };
  const installed = [running("a.v1.0.0")];
  expect(fixText(fixOf([approve], scene({ requests: [request("a")] })))).toBe("approve the installation of a");
  expect(fixText(fixOf([approve], scene({ requests: [request("a", { installed: "a.v1.0.0" })], installed })))).toBe(
    "approve the update of a",
  );
});

test("a request whose operator runs leaves it as it is", () => {
  const drop: Change = { kind: "drop", package: "a" };
  const installed = [running("a.v1.0.0")];
  const requests = [request("a", { installed: "a.v1.0.0" })];
  expect(fixText(fixOf([drop], scene({ requests: [request("a")] })))).toBe("drop the request for a");
  expect(fixText(fixOf([drop, { kind: "hold", package: "b" }], scene({ requests, installed })))).toBe(
    "drop the request for a, which then stays as it is, and hold b",
  );
});

test("a request whose operator another request keeps up to date does not leave it as it is", () => {
  const installed = [running("a.v1.0.0")];
  const requests = [request("a", { installed: "a.v1.0.0" }), request("b", { installed: "a.v1.0.0" })];
  expect(fixText(fixOf([{ kind: "drop", package: "a" }], scene({ requests, installed })))).toBe(
    "drop the request for a",
  );
});
