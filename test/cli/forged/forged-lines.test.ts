// Can text of the input pass for ours? Every command prints a world in which everything is hostile, in every form: no line
// may begin with what an author wrote, and nothing may reach the terminal or a build service but text.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { runCommands } from "../run-command.ts";
import { FORGED, TAIL } from "./hostile-text.ts";
import { WORLD, writeWorld } from "./hostile-world.ts";

const directory = mkdtempSync(join(tmpdir(), "plimsoll-forged-"));
writeWorld(directory);
afterAll(() => rmSync(directory, { recursive: true }));

const CATALOG = ["--catalog", WORLD.catalog];
const CLUSTER = [...CATALOG, "-f", WORLD.cluster];
const NAMESPACE = ["-n", `bridge${TAIL}`];
const FLEET = ["-f", WORLD.fleet, "-f", WORLD.decisions];
const EXPRESSION = `managedCluster.metadata.labels['x']\n//${FORGED}`;

const RESOLVE = ["text", "wide", "name", "tree", "json", "yaml", "mermaid", "dot", "subscriptions"];
const EXPLAIN = ["text", "tree", "json", "yaml", "mermaid", "dot"];
const PLAN = ["text", "wide", "name", "json", "yaml", "mermaid", "svg", "installplan", "subscriptions"];
const SHOW = ["text", "wide", "name", "json", "yaml", "mermaid", "dot"];
const PLACE = ["text", "wide", "name", "json", "yaml", "matrix", "placementdecision"];
const DATA = ["text", "json", "yaml"];

/** What is run, in which forms. */
const COMMANDS: readonly { readonly args: readonly string[]; readonly forms: readonly string[] }[] = [
  { args: ["resolve", ...CLUSTER, "-A"], forms: RESOLVE },
  { args: ["resolve", ...CLUSTER, ...NAMESPACE, `no${TAIL}`, "foghorn@<1"], forms: ["text", "json"] },
  {
    args: ["resolve", ...CLUSTER, "-A", "--what-if-constraints", WORLD.rules],
    forms: ["text", "wide", "json", "yaml"],
  },
  { args: ["explain", ...CLUSTER, ...NAMESPACE, "foghorn"], forms: EXPLAIN },
  { args: ["explain", ...CLUSTER, ...NAMESPACE, "sextant", "--who-needs"], forms: ["text", "tree"] },
  { args: ["explain", ...CLUSTER, ...NAMESPACE, "night-berth"], forms: ["text"] },
  { args: ["plan", ...CLUSTER, "-A"], forms: PLAN },
  { args: ["plan", ...CLUSTER, "-n", `cargo${TAIL}`, "--to", "lading@2.0.0"], forms: ["text", "json"] },
  { args: ["show", ...CATALOG], forms: SHOW },
  { args: ["show", ...CATALOG, "foghorn"], forms: SHOW },
  { args: ["show", ...CATALOG, `foghorn/stable${TAIL}`], forms: SHOW },
  { args: ["show", ...CATALOG, `foghorn.v3.1.0${TAIL}`], forms: SHOW },
  { args: ["show", ...CATALOG, `nothing${TAIL}`], forms: ["text"] },
  { args: ["lint", WORLD.catalog, "-f", WORLD.cluster, "-f", WORLD.brokenFleet], forms: [...DATA, "sarif", "github"] },
  { args: ["place", ...FLEET], forms: PLACE },
  { args: ["place", "-f", WORLD.brokenFleet], forms: ["text", "json", "name"] },
  { args: ["place", ...FLEET, "--explain", `lisbon${TAIL}`], forms: DATA },
  { args: ["place", ...FLEET, "--against", WORLD.brokenFleet, "--max-removed", "0"], forms: ["text", "json"] },
  { args: ["cel", "check", "-f", WORLD.brokenFleet, ...CATALOG], forms: DATA },
  { args: ["cel", "check", `x +${TAIL}`], forms: DATA },
  { args: ["cel", "eval", "--env", "placement", "--all", EXPRESSION, "-f", WORLD.fleet], forms: DATA },
  { args: ["cel", "eval", "--trace", `'${TAIL.replaceAll("\n", "\\n").replaceAll("\r", "\\r")}'`], forms: DATA },
  { args: ["cel", "eval", "--batch", WORLD.batch], forms: ["json"] },
  {
    args: ["crd", "check", WORLD.oldCrds, WORLD.newCrds, "--instances", WORLD.objects],
    forms: [...DATA, "sarif", "markdown", "github"],
  },
];

/** Everything that some program takes for the end of a line. */
const LINE_END = /\r\n|[\n\r\u2028\u2029\u0085\v\f]/;
/** What reaches a terminal as something other than text. */
const CONTROL = /(?!\n)\p{Cc}|[\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;
/** The commands that we give to a build service ourselves. */
const OURS = /^::(?:error|warning|notice) file=/;

/** The lines of an output that an author could have written. */
function forgedLines(output: string, form: string): readonly string[] {
  return output.split(LINE_END).filter((line) => {
    const text = line.trimStart();
    if (text.startsWith("::")) return form !== "github" || !OURS.test(text);
    return text.startsWith(FORGED) || text.startsWith(`//${FORGED}`) || /##[a-z]*\[/.test(text);
  });
}

for (const { args, forms } of COMMANDS)
  test(args.filter((word) => !word.includes("\n")).join(" "), () => {
    const isBatch = args.includes("--batch");
    const lines = forms.map((form) => ({ args: isBatch ? args : [...args, "-o", form] }));
    for (const [index, { code, out, err }] of runCommands(lines, directory).entries()) {
      const form = forms[index] as string;
      expect([0, 1, 2, 3, 5], form).toContain(code);
      for (const output of [out, err]) {
        expect(forgedLines(output, form), form).toEqual([]);
        expect(CONTROL.exec(output)?.[0], form).toBeUndefined();
      }
      // It is there: on lines of ours.
      expect(`${out}${err}`, form).toContain(FORGED);
    }
  });
