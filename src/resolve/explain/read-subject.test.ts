import { describe, expect, test } from "vitest";
import { request, running, scene, stocked } from "../../../test/worlds/scene.ts";
import { unknownSubjectText } from "../../render/sentence/not-in-catalog.ts";
import { printVersion } from "../../semver/version.ts";
import { readSubject } from "./read-subject.ts";

const VERSIONS = ["1.0.0", "1.1.0", "1.2.0", "2.0.0-rc.1", "2.0.0"];
const CATALOG = stocked({
  lantern: Object.fromEntries(VERSIONS.map((version) => [version, []])),
  bell: Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`1.${index}.0`, []])),
});
const PROBLEM = scene({
  catalogs: [CATALOG],
  installed: [running("buoy.v0.9.0")],
  elsewhere: [running("crane.v3.0.0", [], { namespace: "there" })],
  requests: [request("unheard-of")],
});

function reading(text: string): string {
  const read = readSubject(text, PROBLEM);
  if (read.kind !== "topic") return `wrong: ${unknownSubjectText(read)}`;
  const subject = read.topic;
  return subject.version === undefined ? subject.package : `${subject.package} ${printVersion(subject.version)}`;
}

describe("means something", () => {
  test.each([
    ["lantern", "lantern"],
    ["lantern@1.1.0", "lantern 1.1.0"],
    ["lantern@v1.1", "lantern 1.1.0"],
    ["lantern@2", "lantern 2.0.0"],
    ["lantern@2.0.0-rc.1", "lantern 2.0.0-rc.1"],
    ["lantern.v1.2.0", "lantern 1.2.0"],
    ["buoy", "buoy"],
    ["buoy@0.9.0", "buoy 0.9.0"],
    ["buoy.v0.9.0", "buoy 0.9.0"],
    ["crane", "crane"],
    ["unheard-of", "unheard-of"],
  ])("%s", (text, expected) => {
    expect(reading(text)).toBe(expected);
  });
});

describe("means nothing", () => {
  test.each([
    ["lanten", 'there is no package or bundle "lanten" in catalog main; did you mean lantern?'],
    [
      "lantern@1.1.1",
      'package lantern has no version "1.1.1"; it has 2.0.0, 2.0.0-rc.1, 1.2.0, 1.1.0, 1.0.0; did you mean lantern@1.1.0?',
    ],
    ["lantern@", '"lantern@" names no version: write PACKAGE or PACKAGE@VERSION'],
    ["@1.0.0", '"@1.0.0" names no package: write PACKAGE or PACKAGE@VERSION'],
    ["", '"" names no package: write PACKAGE or PACKAGE@VERSION'],
    ["lantern/stable", '"lantern/stable" is not a package: write PACKAGE or PACKAGE@VERSION'],
    [
      "unheard-of@1.0.0",
      'there is no package or bundle "unheard-of" in catalog main; plimsoll show --catalog PATH lists the packages',
    ],
  ])("%s", (text, expected) => {
    expect(reading(text)).toBe(`wrong: ${expected}`);
  });

  test("of many versions those around the one that is missing are named first", () => {
    expect(reading("bell@1.9.5")).toMatch(
      /it has 1\.13\.0, 1\.12\.0, 1\.11\.0, 1\.10\.0, 1\.9\.0, 1\.8\.0, 1\.7\.0, 1\.6\.0 and 12 more/,
    );
    expect(reading("bell@9.0.0")).toMatch(/it has 1\.19\.0, .* and 12 more/);
    expect(reading("bell@0.1.0")).toMatch(/it has 1\.7\.0, .*, 1\.0\.0 and 12 more/);
  });

  test("a catalog that is not there might have it", () => {
    const unavailable = [{ name: "far", priority: 0, reason: "no route" }];
    expect(readSubject("zebra", { ...PROBLEM, unavailable })).toMatchObject({ kind: "missing", unavailable: ["far"] });
  });

  test("what is far too long is cut", () => {
    expect(reading("x".repeat(1_000)).length).toBeLessThan(300);
  });
});
