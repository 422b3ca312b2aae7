// Which commands run here, one after the other? The process of `runCommands`: standard input is a list of command lines,
// standard output what each of them did. Every command is loaded anew, as if the process were its own; what it writes is
// caught where it leaves the program.

import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { pathToFileURL } from "node:url";

const { command, runs } = JSON.parse(await text(process.stdin));
const { stdout, stderr } = process;
const answer = stdout.write.bind(stdout);

/** Runs one command line to its end. */
async function run({ args, directory, home, input }, index) {
  const written = { out: "", err: "" };
  const catching = (stream, name) => {
    stream.removeAllListeners("error");
    stream.write = (chunk) => {
      written[name] += chunk;
      return true;
    };
  };
  catching(stdout, "out");
  catching(stderr, "err");
  process.removeAllListeners("SIGINT");
  process.chdir(directory);
  process.env.HOME = home;
  process.argv = [process.execPath, command, ...args];
  process.exitCode = undefined;
  Object.defineProperty(process, "stdin", { value: Readable.from([Buffer.from(input)]), configurable: true });
  await import(`${pathToFileURL(command).href}?run=${index}`);
  return { code: process.exitCode ?? 0, ...written };
}

const results = [];
for (const [index, line] of runs.entries()) results.push(await run(line, index));
process.exitCode = 0;
answer(JSON.stringify(results));
