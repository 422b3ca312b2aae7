// The command line: reads the arguments, runs one command, ends with its exit code. A command and its flags are loaded
// when it is called, as one part of the bundle: many small files would cost more than they save. `version` loads nothing of
// the engines (test/cli/loading.test.ts).

import { setFlagsFromString } from "node:v8";
import { Command, CommanderError } from "commander";
import { quotedLines, safeText } from "../render/kit/safe-text.ts";
import { didYouMean } from "../text/did-you-mean.ts";
import { withoutSecretsOf } from "../text/url-secrets.ts";
import { EXIT, type ExitCode } from "./exit-code.ts";

declare const PLIMSOLL_VERSION: string;

// A command is usually over before optimised code would pay: V8 waits longer until it optimises a function.
setFlagsFromString("--interrupt-budget=400000");

let exitCode: ExitCode = EXIT.yes;

/** How a command is read and run, in a module of its own. */
interface CommandModule {
  /** Adds its flags to the command. */
  readonly addFlags: (command: Command) => Command;
  /** Runs it with its arguments, its flags, and the command as it was parsed. */
  readonly run: (...given: never[]) => Promise<ExitCode>;
}

/** How commands get their flags; those of the others are never loaded. */
const addFlags = new Map<Command, () => Promise<unknown>>();

/** Adds the flags of the command that is about to be parsed. */
async function beforeParsing(_parent: Command, command: Command): Promise<void> {
  await addFlags.get(command)?.();
}

/** What decides about the cache. */
const CACHE_NOTES = `
Environment:
  PLIMSOLL_CACHE_DIR        the directory (default: plimsoll in $XDG_CACHE_HOME, or ~/.cache/plimsoll)
  PLIMSOLL_CACHE_MAX_BYTES  maximum size in bytes (default: 2147483648, 2 GiB)`;

/** A command: where it is, and what its help shows. */
interface CommandText {
  readonly load: () => Promise<CommandModule>;
  readonly description: string;
  /** The description of each argument. */
  readonly arguments?: Readonly<Record<string, string>>;
  readonly examples?: string;
  /** Shown after the flags. */
  readonly notes?: string;
}

function addCommand(parent: Command, name: string, text: CommandText): void {
  const { load, description, examples, notes } = text;
  const command = withUsageErrors(parent.command(name).description(description));
  for (const [argument, meaning] of Object.entries(text.arguments ?? {})) command.argument(argument, meaning);
  if (examples !== undefined) command.addHelpText("before", `Examples:${examples}`);
  if (notes !== undefined) command.addHelpText("after", notes);
  addFlags.set(command, async () => (await load()).addFlags(command));
  command.action(async (...given: unknown[]) => {
    exitCode = await (await load()).run(...(given as never[]));
  });
}

/** A command that only has commands. */
function commandGroup(name: string, description: string): Command {
  const group = program.command(name).description(description).helpCommand(false);
  return withUsageErrors(group).hook("preSubcommand", beforeParsing);
}

/** Lets the message for a wrong command line name the help of the command. */
function withUsageErrors(command: Command): Command {
  return command.configureOutput({ outputError: (text, write) => write(usageError(text, command)) });
}

const program = withUsageErrors(new Command("plimsoll"))
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
  .addHelpText(
    "before",
    `Examples:
  plimsoll resolve --catalog ./catalog etcd         an operator and its dependencies
  plimsoll resolve --catalog ./catalog -f cluster/  what a cluster can install and update
  plimsoll explain --catalog ./catalog etcd         why a package is installed, or not
  plimsoll plan --catalog ./catalog -f cluster/     the steps to the newest versions
  plimsoll lint ./catalog                           mistakes in a catalog
  plimsoll show --catalog ./catalog                 the packages of a catalog
  plimsoll show --catalog ./catalog etcd/stable     the upgrade graph of a channel
  plimsoll place -f fleet/                          the clusters each Placement selects
  plimsoll place                                    the same on the hub of your current context
  plimsoll plan --live --catalog NAME=./catalog -A  the steps for your cluster
  plimsoll status -A                                what the controller advises for your cluster
  plimsoll cel eval '[1, 2].exists(x, x > 1)'       the value of an expression
  plimsoll crd check old.yaml new.yaml              whether a CRD change is safe
`,
  )
  .addHelpText(
    "after",
    "\nMore about a command: plimsoll help COMMAND. All flags, exit codes and JSON fields: plimsoll help cli.",
  );

addCommand(program, "resolve", {
  load: () => import("./resolve/resolve.ts"),
  description: "choose compatible operator versions to install and update",
  arguments: { "[PACKAGE...]": "[CATALOG/]PACKAGE[@RANGE][:CHANNEL], in addition to the Subscriptions of -f" },
  examples: `
  plimsoll resolve --catalog ./catalog etcd                       an operator and its dependencies
  plimsoll resolve --catalog ./catalog 'etcd@>=0.9.0:stable'      in a version range and channel
  plimsoll resolve --catalog ./catalog -f cluster/ -n operators   what one namespace can install and update
  plimsoll resolve --catalog ./catalog -f cluster/ -A -o json     all namespaces, as JSON
  plimsoll resolve --catalog ./catalog -f cluster/ --remove etcd  what breaks without an operator
  plimsoll resolve --live --catalog NAME=./catalog -n operators   the same for the cluster of your context
`,
});

addCommand(program, "explain", {
  load: () => import("./explain/explain.ts"),
  description: "explain why a package is installed, is not, or is not newer",
  arguments: { "<PACKAGE[@VERSION]>": "a package, or one version of it" },
  examples: `
  plimsoll explain --catalog ./catalog -f cluster/ etcd               why it is installed, or not
  plimsoll explain --catalog ./catalog -f cluster/ etcd@0.9.5         why not this version
  plimsoll explain --catalog ./catalog -f cluster/ etcd --who-needs   what needs it, what breaks without it
  plimsoll explain --catalog ./catalog -f cluster/ etcd -o tree       one fact per line
`,
});

addCommand(program, "plan", {
  load: () => import("./plan/plan.ts"),
  description: "plan the steps to the newest reachable versions",
  arguments: { "[PACKAGE...]": "[CATALOG/]PACKAGE[@RANGE][:CHANNEL], in addition to the Subscriptions of -f" },
  examples: `
  plimsoll plan --catalog ./catalog -f cluster/ -n operators   all steps until no update is left
  plimsoll plan --catalog ./catalog -f cluster/ --to etcd@1.x  the shortest safe path to a version
  plimsoll plan --catalog ./catalog -f cluster/ --hold etcd    without updating an operator
  plimsoll plan --catalog ./catalog -f cluster/ -A -o json     all namespaces, as JSON
  plimsoll plan --catalog ./catalog -f cluster/ --prune        also remove unused dependencies
  plimsoll plan --catalog ./catalog -f cluster/ -o svg         as an SVG image
`,
});

addCommand(program, "show", {
  load: () => import("./show/show.ts"),
  description: "show packages, channels and bundles of catalogs",
  arguments: { "[NAME]": "PACKAGE, PACKAGE/CHANNEL, PACKAGE@VERSION or BUNDLE" },
  examples: `
  plimsoll show --catalog ./catalog                   all packages
  plimsoll show --catalog ./catalog etcd              a package and its channels
  plimsoll show --catalog ./catalog etcd/stable       the upgrade graph of a channel
  plimsoll show --catalog ./catalog etcd@0.9.4        a bundle and its properties
  plimsoll show --catalog ./catalog etcd -o mermaid   the upgrade graphs as a diagram
`,
});

addCommand(program, "lint", {
  load: () => import("./lint/lint.ts"),
  description: "find mistakes in catalogs and Kubernetes objects",
  arguments: { "[CATALOG...]": "catalogs, like --catalog" },
  examples: `
  plimsoll lint ./catalog                        exit 1 if there are errors
  plimsoll lint ./catalog --fail-on warning      exit 1 if there are warnings, too
  plimsoll lint ./catalog -o sarif > out.sarif   for code scanning
`,
});

addCommand(program, "place", {
  load: () => import("./place/place.ts"),
  description: "show which clusters each Placement selects, and why not the others",
  arguments: { "[PLACEMENT...]": "NAMESPACE/NAME, or NAME (default: every Placement)" },
  examples: `
  plimsoll place -f fleet/                                     every Placement
  plimsoll place -f fleet/ harbour-apps/big-three -o wide      one Placement, with every cluster
  plimsoll place -f fleet/ --explain lisbon                    why a cluster is selected, or not
  plimsoll place -f fleet/ big-three -o matrix                 every rule for every cluster
  plimsoll place -f fleet/ --against old.yaml --max-removed 2  what an edit changes, with a limit
  plimsoll place -f fleet/ -o placementdecision                manifests for other tools
`,
  notes: `
Clusters are ranked by the weighted sum of scores from -100 to 100:
  Balance  higher for clusters that fewer other Placements have selected
  Steady   higher for clusters that this Placement has selected already
  Spread   higher for topology values (spreadPolicy) with fewer selected clusters
PlacementDecisions in -f are the earlier decisions.

Exit codes: 0 every Placement has the clusters it asks for; 1 a Placement is misconfigured, has too
few clusters or loses too many; 2 usage; 3 invalid input; 4 input that cannot be opened; 5 a limit was reached`,
});

addCommand(program, "status", {
  load: () => import("./status/status.ts"),
  description: "show what the resolution controller advises for each namespace, as one table",
  examples: `
  plimsoll status                       the namespace of your context
  plimsoll status -A                    all namespaces: what is held back, refused, waiting, and why
  plimsoll status -A -o wide            with a line for each item
  plimsoll status -A --watch            a row for each change, until Ctrl-C
  kubectl get resolutions.plimsoll.dev -A -o yaml | plimsoll status -f -
`,
  notes: `
A namespace with another name behind it (plimsoll-system/cluster) is a Resolution of that name:
that of the ClusterExtensions is named cluster.

Exit codes: 0 everything is as requested (it may be held back); 1 a request is refused; 2 usage;
3 a Resolution that cannot be read completely; 4 the cluster cannot be reached, does not serve
Resolutions, or forbids to read them; 5 undecided, not advised yet, or advice that is in doubt`,
});

addCommand(program, "controller", {
  load: () => import("./controller/controller.ts"),
  description: "run a controller in a cluster: keep its state as the engines compute it",
  examples: `
  plimsoll controller --controllers placement                       in a pod (deploy/placement)
  plimsoll controller --controllers resolution                      in a pod (deploy/resolution)
  plimsoll controller --controllers resolution --kubeconfig FILE    from outside of the cluster
`,
  notes: `
placement  replaces the placement controller of Open Cluster Management: writes the PlacementDecisions
           and the status of every Placement of the hub
resolution advises beside OLM: resolves every namespace that has Subscriptions, and writes the answer, with
           what is held back or refused and why, into a Resolution. It changes nothing of OLM
webhook    checks runtime constraints and Placements when they are written; beside the resolution controller
           it also warns what new constraints would hide and hold back

Exit codes: 0 stopped by a signal; 2 usage, or an address that cannot be listened on; 4 no cluster is
configured, or its credentials cannot be read; 70 a thread failed`,
});

const cel = commandGroup("cel", "check and evaluate CEL expressions");

addCommand(cel, "check", {
  load: () => import("./cel/check.ts"),
  description: "check the syntax, type and cost of an expression",
  arguments: { "[EXPRESSION]": "an expression (default: all expressions in the files and catalogs)" },
  examples: `
  plimsoll cel check '"a".size() > 0'                         type and cost
  plimsoll cel check --env placement 'managedCluster.staus'   finds the typo in a field of a cluster
  plimsoll cel check -f placements.yaml --catalog ./catalog   every expression in these files
`,
});

addCommand(cel, "eval", {
  load: () => import("./cel/eval.ts"),
  description: "evaluate an expression",
  arguments: { "[EXPRESSION]": "an expression" },
  examples: `
  plimsoll cel eval 'user.name.startsWith("a")' -f data.yaml      variables from the keys of a file
  plimsoll cel eval --env placement --all 'EXPRESSION' -f fleet/  on every ManagedCluster
  plimsoll cel eval --env bundle --all 'EXPRESSION' --catalog .   on every bundle (--bundle NAME: on one)
  plimsoll cel eval --batch questions.jsonl                       {"id": 1, "expression": "1 + 1"}
`,
});

const crd = commandGroup("crd", "check CustomResourceDefinitions");

addCommand(crd, "check", {
  load: () => import("./crd/check.ts"),
  description: "check whether a change of a CustomResourceDefinition is safe",
  arguments: {
    "[OLD]": "a file, a bundle directory, a directory of definitions, or -; with --live, NEW",
    "[NEW]": "the definitions that replace OLD: a file, a directory, or -",
  },
  examples: `
  plimsoll crd check old.yaml new.yaml                        two files
  plimsoll crd check bundles/1.0.0 bundles/1.1.0              every definition of two bundles
  plimsoll crd check old.yaml new.yaml --instances dump.yaml  also check existing objects
  plimsoll crd check old.yaml new.yaml --requires example.com/v1alpha1/Winch
  plimsoll crd check old.yaml new.yaml -o markdown            for a comment on a pull request
  plimsoll crd check --live new.yaml                          whether the cluster can take a change
`,
});

const cache = commandGroup("cache", "list and remove catalogs that are kept for the next run");

addCommand(cache, "list", {
  load: () => import("./cache/list.ts"),
  description: "list what is kept, and how much room it takes",
  notes: CACHE_NOTES,
});

addCommand(cache, "prune", {
  load: () => import("./cache/prune.ts"),
  description: "remove what was not used for longest, or everything",
  examples: `
  plimsoll cache prune                       until the cache has the size that it may have
  plimsoll cache prune --max-bytes 10000000  until it has at most 10 MB
  plimsoll cache prune --all                 everything
`,
  notes: CACHE_NOTES,
});

addCommand(program, "version", { load: () => import("./version/version.ts"), description: "print the version" });

program
  .command("help")
  .argument("[COMMAND...]")
  .description("print the help of a command, or the reference of the command line (cli)")
  .action(async (names: readonly string[]) => {
    if (names.length === 1 && names[0] === "cli") {
      exitCode = (await import("./help-page.ts")).printPage();
      return;
    }
    let command: Command = program;
    for (const name of names) {
      const known = command.commands;
      const found = known.find((candidate) => candidate.name() === name);
      if (found === undefined) {
        const meant = didYouMean(
          name,
          known.map((candidate) => candidate.name()),
        );
        program.error(`error: unknown command '${name}'${meant === undefined ? "" : `\n(Did you mean ${meant}?)`}`);
      } else command = found;
    }
    await addFlags.get(command)?.();
    command.help();
  });

/** The words that name a command, each after a space; nothing for the program itself. */
function nameOf(command: Command): string {
  return command.parent === null ? "" : `${nameOf(command.parent)} ${command.name()}`;
}

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
/**
 * The message of the parser for a wrong command line, with control characters of the arguments escaped. If it says neither
 * what was meant nor which values there are, it refers to the help of the command.
 */
function usageError(text: string, command: Command): string {
  const said = withoutSecretsOf(quotable(process.argv.slice(2)), text)
    .replace(/^error: /, "plimsoll: ")
    .replace(/\n$/, "");
  // The parser puts what was meant on a line of its own; any other line end is part of an argument.
  const [, message = "", meant = ""] = /^(.*?)(?:\n(\(Did you mean .*\)))?$/s.exec(said) ?? [];
  const lines = [message, meant].filter((line) => line !== "").map(safeText);
  if (/^plimsoll: unknown option '-[^-a-z]/.test(said))
    lines.push("Put an expression that begins with - after --: plimsoll cel eval -- '-x'");
  else if (/^plimsoll: (missing|too many|unknown|option .* argument missing)/.test(said) && meant === "")
    lines.push(...instead(message, nameOf(command)), `See plimsoll help${nameOf(command)}`);
  return `${lines.join("\n")}\n`;
}

/** What the parser may quote: arguments, values behind `--flag=` and values behind `-f`. */
function quotable(args: readonly string[]): readonly string[] {
  return args.flatMap((argument) => [argument, argument.slice(argument.indexOf("=") + 1), argument.slice(2)]);
}

/** What a wrong command line was probably meant to be, for frequent mistakes: a sentence, or none. */
function instead(message: string, command: string): readonly string[] {
  if (
    command === "" &&
    /unknown option '--(live|context|kubeconfig|as|namespace|catalog|filename|output)/.test(message)
  )
    return ["Flags of a command go after its name: plimsoll resolve --context NAME"];
  if (command === "" && /unknown option '(-v|--verbose)'/.test(message))
    return ["-V prints the version; -v (--verbose) is a flag of commands and goes after their name."];
  if (command === " explain" && message.includes("too many")) return ["A version is written PACKAGE@VERSION."];
  if (command === " cel" && message.includes("unknown command"))
    return ["An expression is evaluated by plimsoll cel eval EXPRESSION."];
  return [];
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
