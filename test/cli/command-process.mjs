// Which commands run here, one after the other? The process of `runCommands`: standard input is a list of command lines,
// standard output what each of them did. The entry of the command is evaluated anew each time; modules that it imports keep
// their state; under `npm run test:long` every command has a process of its own. What a command writes is caught where it leaves
// the program.

import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { pathToFileURL } from "node:url";

const { command, runs } = JSON.parse(await text(process.stdin));
const { stdout, stderr } = process;
const answer = stdout.write.bind(stdout);
const complain = stderr.write.bind(stderr);
const results = [];
let written = { out: "", err: "" };
process.on("exit", () => {
  if (results.length === runs.length) return;
  const { args, directory } = runs[results.length];
  complain(`plimsoll ${args.join(" ")} in ${directory} did not end; it printed:\n${written.out}${written.err}`);
});

/** Runs one command line to its end. */
async function run({ args, directory, home, input }, index) {
  written = { out: "", err: "" };
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

for (const [index, line] of runs.entries()) results.push(await run(line, index));
process.exitCode = 0;
answer(JSON.stringify(results));
