// Does the command print exactly what it should? A case is a directory of `test/cases/`:
//   commands.txt   one command line each; `plimsoll` is left out, `< FILE` gives standard input, # begins a comment
//   expected.txt   what they print, with exit codes (npm test -- -u writes it anew)
//   make.mjs       optional: makes inputs that cannot be kept in a repository (broken links, binary files, huge lines)
// everything else is input. Adding a case needs no code.

import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { beforeAll, describe, test } from "vitest";
import { type CommandLine, type Ran, runCommands, splitWords } from "./cli/run-command.ts";

const CASES = resolve("test/cases");
const cases = readdirSync(CASES, { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith("commands.txt"))
  .map((path) => join(path, ".."))
  .sort();

/** How many cases share a process: most of the time of a short command is the start of Node, and of code that was not run before. */
const AT_ONCE = 20;

describe.each(Array.from({ length: Math.ceil(cases.length / AT_ONCE) }, (_, at) => at))("%i", (batch) => {
  const names = cases.slice(batch * AT_ONCE, (batch + 1) * AT_ONCE);
  let transcripts: ReadonlyMap<string, string>;
  beforeAll(async () => {
    transcripts = await transcriptsOf(names);
  });

  test.for(names)("%s", async (name, { expect }) => {
    await expect(transcripts.get(name)).toMatchFileSnapshot(join(CASES, name, "expected.txt"));
  });
});

/** What the commands of cases print. */
async function transcriptsOf(names: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const folder = mkdtempSync(join(tmpdir(), "plimsoll-case-"));
  try {
    const lines: CommandLine[] = [];
    const linesOf = new Map<string, readonly string[]>();
    for (const [index, name] of names.entries()) {
      const directory = join(folder, `${index}`);
      try {
        const commands = await prepare(name, directory);
        linesOf.set(name, commands);
        lines.push(...commands.map((line) => ({ ...commandLine(line, directory), directory })));
      } catch (error) {
        throw new Error(`the case ${name} cannot be prepared`, { cause: error });
      }
    }
    const ran = runCommands(lines, folder).values();
    const transcript = (line: string): string => transcriptOf(line, ran.next().value as Ran);
    return new Map([...linesOf].map(([name, commands]) => [name, commands.map(transcript).join("\n")]));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Makes the files of a case; the result is its command lines. */
async function prepare(name: string, directory: string): Promise<readonly string[]> {
  cpSync(join(CASES, name), directory, { recursive: true });
  const make = join(directory, "make.mjs");
  if (existsSync(make)) {
    const { default: makeFiles } = (await import(/* @vite-ignore */ pathToFileURL(make).href)) as {
      default: (directory: string) => void;
    };
    makeFiles(directory);
  }
  const lines = readFileSync(join(directory, "commands.txt"), "utf8").split("\n");
  return lines.filter((line) => line.trim() !== "" && !line.startsWith("#"));
}

function commandLine(line: string, directory: string): CommandLine {
  const [, command = line, file] = /^(.*?)\s+<\s*(\S+)$/.exec(line) ?? [];
  return {
    args: splitWords(command),
    ...(file !== undefined && { input: readFileSync(join(directory, file), "utf8") }),
  };
}

/** What a command prints, under its line. */
function transcriptOf(line: string, { code, out, err }: Ran): string {
  const streams = [
    ["stdout", out],
    ["stderr", err],
  ]
    .filter(([, text]) => text !== "")
    .map(([stream, text]) => `--- ${stream}\n${text}`);
  return `$ plimsoll ${line}\nexit ${code}\n${streams.join("")}`;
}
