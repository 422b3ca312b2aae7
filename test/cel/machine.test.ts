// Do the machine's time zone and language change a value?
import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";

const EXPRESSION = `[
  string(timestamp("2024-07-01T12:00:00Z")),
  string(timestamp("2024-07-01T12:00:00+02:00").getHours()),
  string(timestamp("2024-12-31T23:30:00Z").getDate("Asia/Tokyo")),
  string(timestamp("2024-07-01T12:00:00Z").getDayOfWeek()),
  "I".lowerAscii() + "i".upperAscii(),
  string("ä" < "z"),
  "%.2f".format([1234.5]),
  string(["b", "ä", "a", "Z"].sort().join())
]`;

const COMMAND = new URL("../../dist/bin/plimsoll.js", import.meta.url).pathname;

function valueOn(machine: Readonly<Record<string, string>>): string {
  const args = [COMMAND, "cel", "eval", EXPRESSION, "-o", "json"];
  return execFileSync(process.execPath, args, { encoding: "utf8", env: { PATH: process.env.PATH, ...machine } });
}

test("they do not", () => {
  const utc = valueOn({ TZ: "UTC", LANG: "C" });
  expect(JSON.parse(utc)).toMatchObject({ outcome: "value" });
  expect(valueOn({ TZ: "Pacific/Auckland", LANG: "tr_TR.UTF-8", LC_ALL: "tr_TR.UTF-8" })).toBe(utc);
  expect(valueOn({ TZ: "America/St_Johns", LANG: "de_DE.UTF-8", LC_ALL: "de_DE.UTF-8" })).toBe(utc);
});
