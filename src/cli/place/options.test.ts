import { Command } from "commander";
import { describe, expect, test } from "vitest";
import { Timestamp } from "../../cel/value/timestamp.ts";
import { DEFAULT_MODE, OCM_MODE } from "../../placement/placement-mode.ts";
import { type PlaceFlags, placingOptions, withPlaceOptions, wrongForPlace } from "./options.ts";

function flagsOf(...words: readonly string[]): PlaceFlags {
  const command = withPlaceOptions(new Command("place").argument("[PLACEMENT...]"))
    .exitOverride()
    .configureOutput({ writeErr: () => {} });
  return command.parse([...words], { from: "user" }).opts<PlaceFlags>();
}

describe("how is placed", () => {
  test("without flags: our own way, ties by name, by the clock", () => {
    const { now, ...others } = placingOptions(flagsOf());
    expect(others).toEqual({ mode: DEFAULT_MODE, tieBreak: "name", onExpiredScore: "error" });
    expect(now.seconds).toBeGreaterThan(1_700_000_000);
  });

  test("as the flags set them", () => {
    const flags = flagsOf(
      ...["--compat", "ocm", "--tie-break", "hash", "--now", "2026-11-02T12:00:00Z"],
      ...["--cel-cost-limit", "500", "--placement-cost-limit", "6000", "--on-expired-score", "keep"],
    );
    expect(placingOptions(flags)).toEqual({
      now: new Timestamp(Date.UTC(2026, 10, 2, 12) / 1000, 0),
      mode: OCM_MODE,
      tieBreak: "hash",
      costLimit: 500,
      placementCostLimit: 6000,
      onExpiredScore: "keep",
    });
  });

  test("with a time, which is asked for while clusters are evaluated", () => {
    expect(placingOptions(flagsOf("--timeout", "600")).isLate?.()).toBe(false);
    expect(() => flagsOf("--timeout", "0")).toThrow("seconds from 0.001 to 999999.999");
    expect(() => flagsOf("--on-expired-score", "drop")).toThrow();
  });

  test("with the largest limit there is", () => {
    expect(placingOptions(flagsOf("--cel-cost-limit", "999999999999999")).costLimit).toBe(999_999_999_999_999);
  });

  test("--compat olm is of no meaning here", () => {
    expect(placingOptions(flagsOf("--compat", "olm")).mode).toBe(DEFAULT_MODE);
  });
});

describe("a mistake", () => {
  test.each([
    [["--max-removed", "-1"], "or a share"],
    [["--max-removed", "101%"], "or a share"],
    [["--max-removed", "some"], "a number of clusters up to 999999999, or a share"],
    [["--max-removed", "99999999999"], "a number of clusters up to 999999999, or a share"],
    [["--max-removed", "2", "--max-removed", "3"], "is given twice"],
    [["--now", "yesterday"], "--now"],
    [["--tie-break", "random"], "It must be one of name, hash"],
    [["--cel-cost-limit", "0"], "a whole number above 0"],
    [["--cel-cost-limit", "1000000000000000"], "at most 999999999999999"],
    [["--placement-cost-limit", "99999999999999999999"], "at most 999999999999999"],
    [["--placement-cost-limit", "1e9"], "a whole number above 0"],
    [["--compat", "ocn"], "Did you mean ocm?"],
    [["-o", "svg"], "It must be one of text"],
    [["-o", "matrx"], "Did you mean matrix?"],
    [["--catalog", "here"], "unknown option"],
  ])("%j", (words, message) => {
    expect(() => flagsOf(...words)).toThrow(message);
  });

  test.each([
    [["-f", "-", "--against", "-"], "standard input (-) can be given only once."],
    [["-f", "a", "-n", ""], "-n needs the name of a namespace."],
    [["-f", "a", "-n", "here", "-A"], "-n and -A cannot be combined."],
    [["-f", "a", "--max-removed", "2"], "--max-removed needs --against PATH, the earlier version to compare with."],
    [["-f", "a", "--explain", "c", "--against", "b"], "--explain and --against cannot be combined."],
    [["-f", "a", "--explain", "c", "-o", "matrix"], "--explain has the output formats text, json, yaml, not matrix."],
    [["-f", "a", "--against", "b", "-o", "name"], "--against has the output formats text, wide, json, yaml, not name."],
  ])("%j together", (words, message) => {
    expect(wrongForPlace(flagsOf(...words))).toBe(message);
  });

  test.each([
    [["-f", "a", "-f", "-", "-A"]],
    [["-f", "a", "-n", "here", "--explain", "c", "-o", "json"]],
    [["-f", "a", "--against", "b", "--against", "c", "--max-removed", "0", "-o", "wide"]],
    [["-f", "a", "-o", "placementdecision"]],
  ])("is none: %j", (words) => {
    expect(wrongForPlace(flagsOf(...words))).toBeUndefined();
  });
});
