// The command line: reads the arguments, runs one command, ends with its exit code. A command and its flags are loaded
// when it is called, as one part of the bundle: many small files would cost more than they save. `version` loads nothing of
// the engines (test/cli/loading.test.ts).

import { setFlagsFromString } from "node:v8";
import { Command, CommanderError } from "commander";
import { quotedLines, safeText } from "../render/kit/safe-text.ts";
import { FORMS, type Form } from "../render/output-forms.ts";
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
  .description("Decide which operator versions run on which clusters, and explain why or why not.")
  .version(`plimsoll ${PLIMSOLL_VERSION}`, "-V, --version", "print the version, like `plimsoll version`")
  .helpOption("-h, --help", "print this help")
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
  plimsoll resolve --catalog ./catalog etcd         an operator and its dependencies
  plimsoll resolve --catalog ./catalog -f cluster/  what a cluster can install and update
  plimsoll explain --catalog ./catalog etcd         why a package is installed, or not
  plimsoll plan --catalog ./catalog -f cluster/     the steps to the newest versions
  plimsoll lint --catalog ./catalog                 mistakes in a catalog
  plimsoll show --catalog ./catalog                 the packages of a catalog
  plimsoll show --catalog ./catalog etcd/stable     the upgrade graph of a channel
  plimsoll place -f fleet/                          the clusters each Placement selects
  plimsoll cel eval '[1, 2].exists(x, x > 1)'       the value of an expression
  plimsoll crd check old.yaml new.yaml              whether a CRD change is safe
`,
  )
  .addHelpText("after", "\nMore about a command: plimsoll help COMMAND. Exit codes and output forms: docs/cli.md.");

withFlags(
  program
    .command("resolve")
    .argument("[PACKAGE...]", "[CATALOG/]PACKAGE[@RANGE][:CHANNEL], in addition to the Subscriptions of -f")
    .description("choose compatible operator versions to install and update")
    .addHelpText(
      "before",
      `Examples:
  plimsoll resolve --catalog ./catalog etcd                       an operator and its dependencies
  plimsoll resolve --catalog ./catalog 'etcd@>=0.9.0:stable'      in a version range and channel
  plimsoll resolve --catalog ./catalog -f cluster/ -n operators   what one namespace can install and update
  plimsoll resolve --catalog ./catalog -f cluster/ -A -o json     all namespaces, as JSON
  plimsoll resolve --catalog ./catalog -f cluster/ --remove etcd  what breaks without an operator
`,
    ),
  async (command) => (await import("./resolve/resolve.ts")).withResolveOptions(command),
).action(async (packages: readonly string[], options, command: Command) => {
  exitCode = await (await import("./resolve/resolve.ts")).runResolve(packages, options, command);
});

withFlags(
  program
    .command("explain")
    .argument("<PACKAGE[@VERSION]>", "a package, or one version of it")
    .description("explain why a package is installed, is not, or is not newer")
    .addHelpText(
      "before",
      `Examples:
  plimsoll explain --catalog ./catalog -f cluster/ etcd               why it is installed, or not
  plimsoll explain --catalog ./catalog -f cluster/ etcd@0.9.5         why not this version
  plimsoll explain --catalog ./catalog -f cluster/ etcd --who-needs   what needs it, what breaks without it
  plimsoll explain --catalog ./catalog -f cluster/ etcd -o tree       one fact per line
`,
    ),
  async (command) => (await import("./explain/explain.ts")).withExplainOptions(command),
).action(async (subject: string, options: ExplainFlags, command: Command) => {
  exitCode = await (await import("./explain/explain.ts")).runExplain(subject, options, command);
});

withFlags(
  program
    .command("plan")
    .argument("[PACKAGE...]", "[CATALOG/]PACKAGE[@RANGE][:CHANNEL], in addition to the Subscriptions of -f")
    .description("plan the steps to the newest reachable versions")
    .addHelpText(
      "before",
      `Examples:
  plimsoll plan --catalog ./catalog -f cluster/ -n operators   all steps until no update is left
  plimsoll plan --catalog ./catalog -f cluster/ --to etcd@1.x  the shortest safe path to a version
  plimsoll plan --catalog ./catalog -f cluster/ --hold etcd    without updating an operator
  plimsoll plan --catalog ./catalog -f cluster/ -A -o json     all namespaces, as JSON
  plimsoll plan --catalog ./catalog -f cluster/ --prune        also remove unused dependencies
  plimsoll plan --catalog ./catalog -f cluster/ -o svg         as an SVG image
`,
    ),
  async (command) => (await import("./plan/plan.ts")).withPlanOptions(command),
).action(async (packages: readonly string[], options: PlanFlags, command: Command) => {
  exitCode = await (await import("./plan/plan.ts")).runPlan(packages, options, command);
});

withFlags(
  program
    .command("show")
    .argument("[THING]", "PACKAGE, PACKAGE/CHANNEL, PACKAGE@VERSION or BUNDLE")
    .description("show packages, channels and bundles of catalogs")
    .addHelpText(
      "before",
      `Examples:
  plimsoll show --catalog ./catalog                   all packages
  plimsoll show --catalog ./catalog etcd              a package and its channels
  plimsoll show --catalog ./catalog etcd/stable       the upgrade graph of a channel
  plimsoll show --catalog ./catalog etcd@0.9.4        a bundle and its properties
  plimsoll show --catalog ./catalog etcd -o mermaid   the upgrade graphs as a diagram
`,
    ),
  async (command) => (await import("./show/show.ts")).withSharedOptions(command, FORMS.show),
).action(async (thing: string | undefined, options) => {
  exitCode = await (await import("./show/show.ts")).runShow(thing, options);
});

withFlags(
  program
    .command("lint")
    .argument("[CATALOG...]", "catalogs, like --catalog")
    .description("find mistakes in catalogs")
    .option("--fail-on <SEVERITY>", "exit 1 for findings of this severity or higher: error, warning or info", "error")
    .addHelpText(
      "before",
      `Examples:
  plimsoll lint ./catalog                        exit 1 if there are errors
  plimsoll lint ./catalog --fail-on warning      exit 1 if there are warnings, too
  plimsoll lint ./catalog -o sarif > out.sarif   for code scanning
`,
    ),
  async (command) => (await import("./lint/lint.ts")).withSharedOptions(command, FORMS.lint),
).action(async (catalogs: readonly string[], options) => {
  exitCode = await (await import("./lint/lint.ts")).runLint(catalogs, options);
});

withFlags(
  program
    .command("place")
    .argument("[PLACEMENT...]", "NAMESPACE/NAME, or NAME (default: every Placement of -f)")
    .description("show which clusters each Placement selects, and why not the others")
    .addHelpText(
      "before",
      `Examples:
  plimsoll place -f fleet/                                     every Placement
  plimsoll place -f fleet/ harbour-apps/big-three -o wide      one Placement, with every cluster
  plimsoll place -f fleet/ --explain lisbon                    why a cluster is selected, or not
  plimsoll place -f fleet/ big-three -o matrix                 every rule for every cluster
  plimsoll place -f fleet/ --against old.yaml --max-removed 2  what an edit changes, with a limit
  plimsoll place -f fleet/ -o placementdecision                manifests for other tools
`,
    )
    .addHelpText(
      "after",
      `
Clusters are ranked by the weighted sum of scores from -100 to 100:
  Balance  higher for clusters that fewer other Placements have selected
  Steady   higher for clusters that this Placement has selected already
  Spread   higher for topology values (spreadPolicy) with fewer selected clusters
PlacementDecisions in -f are the earlier decisions.

Exit codes: 0 every Placement has the clusters it asks for; 1 a Placement is misconfigured, has too
few clusters or loses too many; 2 usage; 3 invalid input; 4 unreadable input; 5 a limit was reached`,
    ),
  async (command) => (await import("./place/place.ts")).withPlaceOptions(command),
).action(async (placements: readonly string[], options: PlaceFlags) => {
  exitCode = await (await import("./place/place.ts")).runPlace(placements, options);
});

const cel = program
  .command("cel")
  .description("check and evaluate CEL expressions")
  .helpCommand(false)
  .hook("preSubcommand", beforeParsing);

withFlags(
  cel
    .command("check")
    .argument("[EXPRESSION]", "an expression (default: all expressions in the files and catalogs)")
    .description("check the syntax, type and cost of an expression")
    .addHelpText(
      "before",
      `Examples:
  plimsoll cel check '"a".size() > 0'                        type and cost
  plimsoll cel check --env placement 'managedCluster.staus'   in the environment of a Placement
  plimsoll cel check -f placements.yaml --catalog ./catalog   every expression in these files
`,
    ),
  async (command) => (await import("./cel/check.ts")).withCheckOptions(command),
).action(async (expression: string | undefined, options) => {
  exitCode = await (await import("./cel/check.ts")).runCelCheck(expression, options);
});

withFlags(
  cel
    .command("eval")
    .argument("[EXPRESSION]", "an expression")
    .description("evaluate an expression")
    .addHelpText(
      "before",
      `Examples:
  plimsoll cel eval 'user.name.startsWith("a")' -f data.yaml   variables from the keys of a file
  plimsoll cel eval --env placement --all 'EXPRESSION' -f fleet/    on every ManagedCluster
  plimsoll cel eval --env bundle --bundle etcd.v1.0.0 'EXPRESSION' --catalog ./catalog
  plimsoll cel eval --batch questions.jsonl                    {"id": 1, "expression": "1 + 1"}
`,
    ),
  async (command) => (await import("./cel/eval.ts")).withEvalOptions(command),
).action(async (expression: string | undefined, options) => {
  exitCode = await (await import("./cel/eval.ts")).runCelEval(expression, options);
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
    .argument("<NEW>", "the definitions that replace OLD, in the same forms")
    .description("check whether a change of a CustomResourceDefinition is safe")
    .addHelpText(
      "before",
      `Examples:
  plimsoll crd check old.yaml new.yaml                        two files
  plimsoll crd check bundles/1.0.0 bundles/1.1.0              every definition of two bundles
  plimsoll crd check old.yaml new.yaml --instances dump.yaml  also check existing objects
  plimsoll crd check old.yaml new.yaml --requires example.com/v1alpha1/Winch
  plimsoll crd check old.yaml new.yaml -o markdown            for a comment on a pull request
`,
    ),
  async (command) => (await import("./crd/check.ts")).withCrdOptions(command),
).action(async (old: string, now: string, options) => {
  exitCode = await (await import("./crd/check.ts")).runCrdCheck(old, now, options);
});

withFlags(program.command("version").description("print the version"), async (command) =>
  command.addOption((await import("./version/version.ts")).outputOption(FORMS.version)),
).action(async ({ output }: { readonly output: Form<"version"> }) => {
  exitCode = await (await import("./version/version.ts")).runVersion(PLIMSOLL_VERSION, output);
});

program
  .command("help")
  .argument("[COMMAND...]")
  .description("print the help of a command")
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

/** A pipe that is closed early (`plimsoll show | head`) is not an error; a full disk is. */
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(exitCode);
  process.stderr.write(`plimsoll: the answer could not be written to standard output: ${safeText(error.message)}\n`);
  process.exit(EXIT.unreachable);
});
/** Standard error is closed: messages are dropped, the answer is still written. */
process.stderr.on("error", () => {});
/** The message of the parser for a wrong command line, with control characters of the arguments escaped. */
function usageError(text: string): string {
  const said = text.replace(/^error: /, "plimsoll: ").replace(/\n$/, "");
  // The parser puts what was meant on a line of its own; any other line end is part of an argument.
  const [, message = "", meant = ""] = /^(.*?)(?:\n(\(Did you mean .*\)))?$/s.exec(said) ?? [];
  const lines = [message, meant].filter((line) => line !== "").map(safeText);
  if (/^plimsoll: unknown option '-[^-a-z]/.test(said))
    lines.push("Put an expression that begins with - after --: plimsoll cel eval -- '-x'");
  return `${lines.join("\n")}\n`;
}

process.once("SIGINT", () => process.exit(EXIT.interrupted));

try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) exitCode = error.exitCode === 0 ? EXIT.yes : EXIT.usage;
  else {
    exitCode = EXIT.bug;
    const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
    const lines = [
      "plimsoll: this is a bug in plimsoll, please report it with the command you ran.",
      ...quotedLines(stack),
    ];
    process.stderr.write(`${lines.join("\n")}\n`);
  }
}
process.exitCode = exitCode;
