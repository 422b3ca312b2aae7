// Does a change work as the command that is printed for it? A problem is saved; the command is read as the program reads
// it, or really run by a shell.

import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { Command } from "commander";
import { askedCommand, fixCommands } from "../../src/cli/question/fix-command.ts";
import { namedRequests, savedQuestion } from "../../src/cli/question/load.ts";
import { type ResolveFlags, withResolveOptions } from "../../src/cli/question/options.ts";
import type { Problem } from "../../src/model/problem.ts";
import { fixText } from "../../src/render/sentence/fix.ts";
import { saveProblem } from "../../src/resolve/prepare/save-problem.ts";
import type { Fix } from "../../src/resolve/resolution.ts";
import { type Change, changedByAll } from "../../src/resolve/what-if.ts";
import { type Explained, subjectOf } from "./explained.ts";
import { stillWrong } from "./help.ts";

const FILE = "problem.json";

/** The problem that the command for some changes asks about, or what is wrong with the command. */
export async function commanded(
  problem: Problem,
  changes: readonly Change[],
  directory: string,
): Promise<Problem | string> {
  const path = join(directory, FILE);
  writeFileSync(path, saveProblem(problem));
  const replaying = withResolveOptions(new Command("resolve")).parse(["--replay", path, "-o", "json"], {
    from: "user",
  });
  const command = fixCommands(askedCommand(replaying), [problem])({ namespace: problem.namespace, changes });
  const [program, name, ...words] = shellWords(command);
  if (program !== "plimsoll" || name !== "resolve") return `${command} is no command of ours`;
  const parser = withResolveOptions(new Command("resolve"))
    .exitOverride()
    .configureOutput({ writeErr: () => {} });
  try {
    parser.parse(words, { from: "user" });
  } catch (error) {
    return `${command}: ${String(error)}`;
  }
  const flags = parser.opts<ResolveFlags>();
  const named = namedRequests(flags.add);
  if (typeof named === "string") return `${command}: ${named}`;
  const { problems, wrong, findings } = await savedQuestion(flags.replay ?? "", named, flags);
  return problems[0] ?? `${command}: ${wrong?.message ?? findings[0]?.message}`;
}

/** Splits what a shell would split: quotes, and characters behind a backslash. */
function shellWords(command: string): readonly string[] {
  return [...command.matchAll(/(?:'[^']*'|\\.|[^\s'\\])+/g)].map(([word]) =>
    word.replaceAll(
      /'([^']*)'|\\(.)/g,
      (_, quoted: string | undefined, single: string | undefined) => quoted ?? single ?? "",
    ),
  );
}

interface Printed {
  readonly operators: readonly { readonly catalog: string | null; readonly bundle: string }[];
  readonly broken: readonly { readonly text: string }[];
  readonly heldBack: readonly { readonly bundle: string; readonly explanation: PrintedExplanation }[];
  readonly unsatisfied: readonly {
    readonly subscription: string;
    readonly kept: string | null;
    readonly explanation: PrintedExplanation;
  }[];
}

interface PrintedExplanation {
  readonly fixes: readonly { readonly text: string; readonly command: string }[];
}

/** A shell in a directory in which `plimsoll` is the built command. */
export class Shell {
  readonly #directory: string;
  readonly #path: string;
  /** How many commands it has run. */
  runs = 0;

  constructor(directory: string) {
    this.#directory = directory;
    const bin = join(directory, "bin");
    mkdirSync(bin);
    const program = join(bin, "plimsoll");
    writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' '${resolve("dist/bin/plimsoll.js")}' "$@"\n`);
    chmodSync(program, 0o755);
    this.#path = `${bin}:${process.env.PATH ?? ""}`;
  }

  /** What the printed commands of all fixes of a problem leave wrong, in sentences. */
  faults(problem: Problem, all: readonly Explained[]): readonly string[] {
    writeFileSync(join(this.#directory, FILE), saveProblem(problem));
    const asked = this.#ask(`plimsoll resolve --replay ${FILE} -o json`);
    if (typeof asked === "string") return [asked];
    return all.flatMap((explained) => {
      const { fixes } = explained.explanation;
      const printed = printedFixes(asked, explained);
      if (printed.length !== fixes.length) return [`${subjectOf(explained)}: other fixes are printed`];
      return printed.flatMap(({ command }, index) =>
        this.#try(explained, fixes[index] as Fix, command).map((text) => `${command}: ${text}`),
      );
    });
  }

  #try(explained: Explained, fix: Fix, command: string): readonly string[] {
    const { changes } = fix;
    // What only an author can change has no command.
    const isMere = changes.length === 0 || changes.some(({ kind }) => kind === "correct");
    if (command === "") return isMere ? [] : [`no command for "${fixText(fix)}"`];
    const answer = this.#ask(`${command} -o json`);
    if (typeof answer === "string") return [answer];
    return stillWrong(explained, changes, changedByAll(explained.problem, changes), {
      chosen: answer.operators.flatMap(({ catalog, bundle }) => (catalog === null ? [] : [`${catalog}/${bundle}`])),
      refused: answer.unsatisfied.map(({ subscription }) => subscription),
      broken: answer.broken.map(({ text }) => text),
    });
  }

  /** The printed answer, or what went wrong. */
  #ask(command: string): Printed | string {
    this.runs++;
    const env = { PATH: this.#path, HOME: process.env.HOME ?? "", NO_COLOR: "1" };
    const ran = spawnSync("sh", ["-c", command], { cwd: this.#directory, env, encoding: "utf8" });
    try {
      return JSON.parse(ran.stdout) as Printed;
    } catch {
      return `exit ${ran.status}, and no answer: ${ran.stderr}`;
    }
  }
}

function printedFixes({ heldBack, unsatisfied }: Printed, { item }: Explained): PrintedExplanation["fixes"] {
  const found =
    "request" in item
      ? unsatisfied.find(({ subscription }) => subscription === item.request.id)
      : (heldBack.find(({ bundle }) => bundle === item.name) ?? unsatisfied.find(({ kept }) => kept === item.name));
  return found?.explanation.fixes ?? [];
}
