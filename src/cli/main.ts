// The command line: reads the arguments, runs one command, ends with its exit code. A command and its flags are loaded
// when it is called, as one part of the bundle: many small files would cost more than they save. `version` loads nothing of
// the engines (test/cli/loading.test.ts).

import { setFlagsFromString } from "node:v8";
import { Command, CommanderError } from "commander";
import { FORMS, type Form } from "../render/forms.ts";
import { quotedLines, safeText } from "../render/kit/safe-text.ts";
import { didYouMean } from "../text/did-you-mean.ts";
import { EXIT, type ExitCode } from "./exit-code.ts";
import type { ExplainFlags } from "./explain/options.ts";
import type { PlaceFlags } from "./place/options.ts";
import type { PlanFlags } from "./plan/options.ts";

declare const PLIMSOLL_VERSION: string;

// A command is usually over before optimised code would pay: V8 waits longer until it optimises a function.
setFlagsFromString("--interrupt-budget=400000");

let exitCode: ExitCode = EXIT.yes;

/** Adds the flags of a command to it. */
type AddFlags = (command: Command) => Promise<unknown>;

/** How commands get their flags; those of the others are never loaded. */
const addFlags = new Map<Command, AddFlags>();

function withFlags(command: Command, add: AddFlags): Command {
  addFlags.set(command, add);
  return command;
}

/** Adds the flags of the command that is about to be parsed. */
async function beforeParsing(_parent: Command, command: Command): Promise<void> {
  await addFlags.get(command)?.(command);
}

const program = new Command("plimsoll")
  .description("Which operators, at which versions, on which clusters: and why, or why not.")
  .version(`plimsoll ${PLIMSOLL_VERSION}`, "-V, --version", "the version, as `plimsoll version`")
  .helpOption("-h, --help", "this text")
  .helpCommand(false)
  .configureHelp({
    optionDescription: ({ description, defaultValue }) =>
      typeof defaultValue === "string" ? `${description} (default: ${defaultValue})` : description,
    subcommandTerm: (command) => `${command.name()}${addFlags.has(command) ? " [options]" : ""}${argumentsOf(command)}`,
  })
  .hook("preSubcommand", beforeParsing)
  .showSuggestionAfterError(true)
  .exitOverride()
  .configureOutput({ outputError: (text, write) => write(usageError(text)) })
  .addHelpText(
    "before",
    `Examples:
  plimsoll resolve --catalog ./catalog etcd         what comes with an operator?
  plimsoll resolve --catalog ./catalog -f cluster/  what can be installed and updated?
  plimsoll explain --catalog ./catalog etcd         why is it there, or not?
  plimsoll plan --catalog ./catalog -f cluster/     in which steps does everything become new?
  plimsoll lint --catalog ./catalog                 is this catalog sound?
  plimsoll show --catalog ./catalog                 what is in it?
  plimsoll show --catalog ./catalog etcd/stable     how does a channel upgrade?
  plimsoll place -f fleet/                          onto which clusters, and why not the others?
  plimsoll cel eval '[1, 2].exists(x, x > 1)'       what is the value of an expression?
  plimsoll crd check old.yaml new.yaml              is the change of a definition safe?
`,
  )
  .addHelpText("after", "\nMore on a command: plimsoll help COMMAND. Exit codes and formats: docs/cli.md.");

withFlags(
  program
    .command("resolve")
    .argument("[PACKAGE...]", "[CATALOG/]PACKAGE[@RANGE][:CHANNEL], beside the Subscriptions of -f")
    .description("which operators, at which versions, go together")
    .addHelpText(
      "before",
      `Examples:
  plimsoll resolve --catalog ./catalog etcd                       what comes with an operator?
  plimsoll resolve --catalog ./catalog 'etcd@>=0.9.0:stable'      in a range, from a channel
  plimsoll resolve --catalog ./catalog -f cluster/ -n operators   what can be installed and updated?
  plimsoll resolve --catalog ./catalog -f cluster/ -A -o json     everywhere, for programs
  plimsoll resolve --catalog ./catalog -f cluster/ --remove etcd  what if it were gone?
`,
    ),
  async (command) => (await import("./resolve/resolve.ts")).withResolveOptions(command),
).action(async (packages: readonly string[], options, command: Command) => {
  const { runResolve } = await import("./resolve/resolve.ts");
  exitCode = await runResolve(packages, options, command);
});

withFlags(
  program
    .command("explain")
    .argument("<PACKAGE[@VERSION]>", "what is to be explained")
    .description("why it is chosen, why not, why not newer")
    .addHelpText(
      "before",
      `Examples:
  plimsoll explain --catalog ./catalog -f cluster/ etcd               why is it there, or not?
  plimsoll explain --catalog ./catalog -f cluster/ etcd@0.9.5         why not this version?
  plimsoll explain --catalog ./catalog -f cluster/ etcd --who-needs   who needs it, what breaks without it?
  plimsoll explain --catalog ./catalog -f cluster/ etcd -o tree       the facts, one by one
`,
    ),
  async (command) => (await import("./explain/explain.ts")).withExplainOptions(command),
).action(async (subject: string, options: ExplainFlags, command: Command) => {
  const { runExplain } = await import("./explain/explain.ts");
  exitCode = await runExplain(subject, options, command);
});

withFlags(
  program
    .command("plan")
    .argument("[PACKAGE...]", "[CATALOG/]PACKAGE[@RANGE][:CHANNEL], beside the Subscriptions of -f")
    .description("in which steps everything becomes as new as it can be")
    .addHelpText(
      "before",
      `Examples:
  plimsoll plan --catalog ./catalog -f cluster/ -n operators   step by step, until nothing moves
  plimsoll plan --catalog ./catalog -f cluster/ --to etcd@1.x  the shortest safe way to a version
  plimsoll plan --catalog ./catalog -f cluster/ --hold etcd    what if it had to stay?
  plimsoll plan --catalog ./catalog -f cluster/ -A -o json     everywhere, for programs
  plimsoll plan --catalog ./catalog -f cluster/ --prune        also remove what nobody needs any more
  plimsoll plan --catalog ./catalog -f cluster/ -o svg         as a picture
`,
    ),
  async (command) => (await import("./plan/plan.ts")).withPlanOptions(command),
).action(async (packages: readonly string[], options: PlanFlags, command: Command) => {
  const { runPlan } = await import("./plan/plan.ts");
  exitCode = await runPlan(packages, options, command);
});

withFlags(
  program
    .command("show")
    .argument("[THING]", "PACKAGE, PACKAGE/CHANNEL, PACKAGE@VERSION or BUNDLE")
    .description("what is in the catalogs")
    .addHelpText(
      "before",
      `Examples:
  plimsoll show --catalog ./catalog                   all packages
  plimsoll show --catalog ./catalog etcd              a package and its channels
  plimsoll show --catalog ./catalog etcd/stable       the upgrade graph of a channel
  plimsoll show --catalog ./catalog etcd@0.9.4        a bundle and its properties
  plimsoll show --catalog ./catalog etcd -o mermaid   the graphs as a picture
`,
    ),
  async (command) => (await import("./show/show.ts")).withSharedOptions(command, FORMS.show),
).action(async (thing: string | undefined, options) => {
  const { runShow } = await import("./show/show.ts");
  exitCode = await runShow(thing, options);
});

withFlags(
  program
    .command("lint")
    .argument("[CATALOG...]", "catalogs, as with --catalog")
    .description("what is wrong with the catalogs")
    .option("--fail-on <SEVERITY>", "exit 1 from this severity on: error, warning or info", "error")
    .addHelpText(
      "before",
      `Examples:
  plimsoll lint ./catalog                        exit 1 if something is broken
  plimsoll lint ./catalog --fail-on warning      exit 1 if something is doubtful
  plimsoll lint ./catalog -o sarif > out.sarif   for code scanning
`,
    ),
  async (command) => (await import("./lint/lint.ts")).withSharedOptions(command, FORMS.lint),
).action(async (catalogs: readonly string[], options) => {
  const { runLint } = await import("./lint/lint.ts");
  exitCode = await runLint(catalogs, options);
});

withFlags(
  program
    .command("place")
    .argument("[PLACEMENT...]", "NAMESPACE/NAME, or NAME; without it, every Placement of -f")
    .description("show which clusters each Placement selects, and why not the others")
    .addHelpText(
      "before",
      `Examples:
  plimsoll place -f fleet/                                     every Placement
  plimsoll place -f fleet/ harbour-apps/big-three -o wide      one of them, with every cluster
  plimsoll place -f fleet/ --explain lisbon                    why this cluster, or why not?
  plimsoll place -f fleet/ big-three -o matrix                 every cluster, every rule
  plimsoll place -f fleet/ --against old.yaml --max-removed 2  what would an edit change? Not too much?
  plimsoll place -f fleet/ -o placementdecision                manifests for other tools
`,
    )
    .addHelpText(
      "after",
      `
Clusters are ranked by scores from -100 to 100, each times its weight:
  Balance  more for clusters that other Placements have not chosen
  Steady   more for clusters that this Placement has chosen before
  Spread   more for regions (or whatever spreadPolicy names) with few chosen clusters
PlacementDecisions in -f count as what was decided before.

Exit: 0 every Placement has what it asks for, 1 one is misconfigured, has too few clusters or
loses too many, 2 usage, 3 invalid input, 4 unreadable, 5 a limit was hit`,
    ),
  async (command) => (await import("./place/place.ts")).withPlaceOptions(command),
).action(async (placements: readonly string[], options: PlaceFlags) => {
  const { runPlace } = await import("./place/place.ts");
  exitCode = await runPlace(placements, options);
});

const cel = program
  .command("cel")
  .description("check and evaluate CEL expressions")
  .helpCommand(false)
  .hook("preSubcommand", beforeParsing);

withFlags(
  cel
    .command("check")
    .argument("[EXPRESSION]", "an expression; without it, all those of the files and catalogs")
    .description("is an expression right?")
    .addHelpText(
      "before",
      `Examples:
  plimsoll cel check '"a".size() > 0'                        type and cost
  plimsoll cel check --env placement 'managedCluster.staus'   what a Placement may say
  plimsoll cel check -f placements.yaml --catalog ./catalog   every expression in them
`,
    ),
  async (command) => (await import("./cel/check.ts")).withCheckOptions(command),
).action(async (expression: string | undefined, options) => {
  const { runCelCheck } = await import("./cel/check.ts");
  exitCode = await runCelCheck(expression, options);
});

withFlags(
  cel
    .command("eval")
    .argument("[EXPRESSION]", "an expression")
    .description("what is the value of an expression?")
    .addHelpText(
      "before",
      `Examples:
  plimsoll cel eval 'user.name.startsWith("a")' -f data.yaml   its variables are the keys of the file
  plimsoll cel eval --env placement --all 'EXPRESSION' -f fleet/    on every ManagedCluster
  plimsoll cel eval --env bundle --bundle etcd.v1.0.0 'EXPRESSION' --catalog ./catalog
  plimsoll cel eval --batch questions.jsonl                    {"id": 1, "expression": "1 + 1"}
`,
    ),
  async (command) => (await import("./cel/eval.ts")).withEvalOptions(command),
).action(async (expression: string | undefined, options) => {
  const { runCelEval } = await import("./cel/eval.ts");
  exitCode = await runCelEval(expression, options);
});

const crd = program
  .command("crd")
  .description("check CustomResourceDefinitions")
  .helpCommand(false)
  .hook("preSubcommand", beforeParsing);

withFlags(
  crd
    .command("check")
    .argument("<OLD>", "a file, a bundle directory, a directory of definitions, or -")
    .argument("<NEW>", "what is to take its place")
    .description("is the change of a CustomResourceDefinition safe?")
    .addHelpText(
      "before",
      `Examples:
  plimsoll crd check old.yaml new.yaml                        two files
  plimsoll crd check bundles/1.0.0 bundles/1.1.0              every definition of two bundles
  plimsoll crd check old.yaml new.yaml --instances dump.yaml  would the objects that are there stay valid?
  plimsoll crd check old.yaml new.yaml --requires example.com/v1alpha1/Winch
  plimsoll crd check old.yaml new.yaml -o markdown            for a comment on a pull request
`,
    ),
  async (command) => (await import("./crd/check.ts")).withCrdOptions(command),
).action(async (old: string, now: string, options) => {
  const { runCrdCheck } = await import("./crd/check.ts");
  exitCode = await runCrdCheck(old, now, options);
});

withFlags(program.command("version").description("the version of plimsoll"), async (command) =>
  command.addOption((await import("./version/version.ts")).outputOption(FORMS.version)),
).action(async ({ output }: { readonly output: Form<"version"> }) => {
  const { runVersion } = await import("./version/version.ts");
  exitCode = await runVersion(PLIMSOLL_VERSION, output);
});

program
  .command("help")
  .argument("[COMMAND...]")
  .description("how a command is used")
  .action(async (names: readonly string[]) => {
    let command: Command = program;
    for (const name of names) {
      const known = command.commands;
      const found = known.find((candidate) => candidate.name() === name);
      if (found === undefined) {
        const meant = didYouMean(
          name,
          known.map((candidate) => candidate.name()),
        );
        program.error(`unknown command '${name}'${meant === undefined ? "" : `\n(Did you mean ${meant}?)`}`);
      } else command = found;
    }
    await addFlags.get(command)?.(command);
    command.help();
  });

/** The arguments of a command, as its usage shows them. */
function argumentsOf({ registeredArguments }: Command): string {
  return registeredArguments
    .map((one) => `${one.name()}${one.variadic ? "..." : ""}`)
    .map((name, index) => (registeredArguments[index]?.required ? ` <${name}>` : ` [${name}]`))
    .join("");
}

/** A pipe that is closed early (`plimsoll show | head`) is no error; a disk that is full is one. */
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(exitCode);
  process.stderr.write(`plimsoll: the answer could not be written to standard output: ${safeText(error.message)}\n`);
  process.exit(EXIT.unreachable);
});
/** Nobody hears what is said beside the answer; the answer is given all the same. */
process.stderr.on("error", () => {});
/** What the parser says of a wrong command line; what the user wrote in it must not reach the terminal as it is. */
function usageError(text: string): string {
  const said = text.replace(/^error: /, "plimsoll: ").replace(/\n$/, "");
  // The parser puts what was meant on a line of its own; any other line end stands in a word of the user.
  const [, message = "", meant = ""] = /^(.*?)(?:\n(\(Did you mean .*\)))?$/s.exec(said) ?? [];
  const lines = [message, meant].filter((line) => line !== "").map(safeText);
  if (/^plimsoll: unknown option '-[^-a-z]/.test(said))
    lines.push("An expression that begins with - stands behind --: plimsoll cel eval -- '-x'");
  return `${lines.join("\n")}\n`;
}

process.once("SIGINT", () => process.exit(EXIT.interrupted));

try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) exitCode = error.exitCode === 0 ? EXIT.yes : EXIT.usage;
  else {
    exitCode = EXIT.bug;
    const told = error instanceof Error ? (error.stack ?? error.message) : String(error);
    const lines = [
      "plimsoll: this is a bug in plimsoll, please report it with the command you ran.",
      ...quotedLines(told),
    ];
    process.stderr.write(`${lines.join("\n")}\n`);
  }
}
process.exitCode = exitCode;
