// Does the command print exactly what it should? A case is a directory of `test/cases/`:
//   commands.txt   one command line each; `plimsoll` is left out, `< FILE` gives standard input, # begins a comment
//   expected.txt   what they print, with exit codes (npm test -- -u writes it anew)
//   make.mjs       optional: makes inputs that cannot be kept in a repository (broken links, binary files, huge lines)
// everything else is input. Adding a case needs no code.

import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { test } from "vitest";
import { runCommands, splitWords } from "./cli/run-command.ts";

const CASES = resolve("test/cases");
const cases = readdirSync(CASES, { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith("commands.txt"))
  .map((path) => join(path, ".."))
  .sort();

test.for(cases)("%s", async (name, { expect }) => {
  const directory = mkdtempSync(join(tmpdir(), "plimsoll-case-"));
  try {
    cpSync(join(CASES, name), directory, { recursive: true });
    const make = join(directory, "make.mjs");
    if (existsSync(make)) {
      const { default: prepare } = (await import(/* @vite-ignore */ pathToFileURL(make).href)) as {
        default: (directory: string) => void;
      };
      prepare(directory);
    }
    const lines = readFileSync(join(directory, "commands.txt"), "utf8").split("\n");
    const transcript = transcriptOf(
      lines.filter((line) => line.trim() !== "" && !line.startsWith("#")),
      directory,
    );
    await expect(transcript).toMatchFileSnapshot(join(CASES, name, "expected.txt"));
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
});

/** What the commands print, each under its line. */
function transcriptOf(lines: readonly string[], directory: string): string {
  const commands = lines.map((line) => {
    const [, command = line, file] = /^(.*?)\s+<\s*(\S+)$/.exec(line) ?? [];
    return {
      args: splitWords(command),
      ...(file !== undefined && { input: readFileSync(join(directory, file), "utf8") }),
    };
  });
  return runCommands(commands, directory)
    .map(({ code, out, err }, index) => {
      const streams = [
        ["stdout", out],
        ["stderr", err],
      ]
        .filter(([, text]) => text !== "")
        .map(([stream, text]) => `--- ${stream}\n${text}`);
      return `$ plimsoll ${lines[index]}\nexit ${code}\n${streams.join("")}`;
    })
    .join("\n");
}
