// Which command tries a fix? The one that was asked, with the changes in it: words that name a package are edited, flags are
// left out, replaced or added. It is printed in one order, however the flags were typed.

import { Command } from "commander";
import { CLUSTER_SCOPE, type Problem } from "../../model/problem.ts";
import { flagsOf } from "../../render/sentence/flags.ts";
import { parseNamedRequest, printNamedRequest } from "../../resolve/prepare/named-request.ts";
import { SINGLE_FACTS } from "../../resolve/prepare/runtime-constraints.ts";
import type { Fix } from "../../resolve/resolution.ts";
import type { Change } from "../../resolve/what-if.ts";
import { declaring } from "../../rule/shape/lift.ts";
import { withoutUrlSecrets } from "../../text/url-secrets.ts";
import { type GivenFlag, givenFlags } from "../given-flags.ts";
import { shellText } from "../shell-text.ts";
import { withResolveOptions } from "./options.ts";

/** The packages that are asked for, and the flags. */
interface Asked {
  readonly words: readonly string[];
  readonly flags: readonly GivenFlag[];
}

/** A command that was asked, or the one that tries its fixes. */
export interface AskedCommand extends Asked {
  readonly name: string;
  /** The flags that it has, in the order in which they are printed. */
  readonly known: readonly KnownFlag[];
}

interface KnownFlag {
  readonly long?: string | undefined;
  readonly short?: string | undefined;
}

/** Prints the command that tries a fix; empty if there is none. */
export type FixCommand = (fix: Pick<Fix, "namespace" | "changes">) => string;

/** The command that was parsed, which tries its fixes itself. */
export function askedCommand(command: Command): AskedCommand {
  return { name: command.name(), known: command.options, words: command.args, flags: givenFlags(command) };
}

/** The `resolve` with the flags of another command; `words` are the packages that it asks for. */
export function askedAsResolve(command: Command, words: readonly string[] = []): AskedCommand {
  const { options } = withResolveOptions(new Command("resolve"));
  return { name: "resolve", known: options, words, flags: givenFlags(command) };
}

/** Says which command tries a fix for one of some problems, ready to be pasted into a shell; empty for mere advice. */
export function fixCommands(command: AskedCommand, problems: readonly Problem[]): FixCommand {
  const known = new Set(command.known.map(({ long }) => long));
  const flags = command.flags.filter(({ flag }) => known.has(flag) && !ABOUT_OUTPUT.has(flag));
  // The requests of a saved problem are not on the command line.
  const isSaved = flags.some(isFlag("--replay"));
  const subscribed = new Set(
    problems.flatMap(({ requests }) =>
      requests.filter(({ place }) => isSaved || place !== undefined).map((one) => one.package),
    ),
  );
  return ({ changes, namespace }) => {
    // No flag can try what the author of a bundle has to change.
    if (changes.length === 0 || changes.some(({ kind }) => kind === "correct")) return "";
    let asked = inNamespace({ words: command.words, flags }, namespace);
    for (const change of changes) asked = withChange(asked, change, subscribed);
    return printed({ ...command, ...asked });
  };
}

/** How the answer is shown or kept is not part of the question. */
const ABOUT_OUTPUT: ReadonlySet<string> = new Set(
  "--output --color --progress --quiet --verbose --save-problem --lock --locked".split(" "),
);

/** Flags that are printed before the packages: where the answer comes from. */
const BEFORE_WORDS = [
  ...["--live", "--context", "--kubeconfig", "--as", "--as-group", "--no-instances"],
  ...["--catalog", "--filename", "--replay", "--namespace", "--all-namespaces", "--scope"],
];

/** Flags that are printed last: what is to be different. */
const WHAT_IF = [
  "--add",
  "--drop",
  "--instead",
  "--remove",
  "--hold",
  "--approve",
  "--without-constraint",
  "--release",
  "--partly",
];

/** The inputs, the packages, other flags as the command lists them, and what is to be different. */
function printed({ name, known, words, flags }: AskedCommand): string {
  const shortOf = new Map(known.map(({ long, short }) => [long, short]));
  const print = (names: readonly string[]): readonly string[] =>
    names.flatMap((long) =>
      flags
        .filter(({ flag }) => flag === long)
        .flatMap((one) => [shortOf.get(one.flag) ?? one.flag, ...shownValue(one)]),
    );
  const others = known
    .map(({ long = "" }) => long)
    .filter((long) => !BEFORE_WORDS.includes(long) && !WHAT_IF.includes(long));
  const all = [...print(BEFORE_WORDS), ...words, ...print(others), ...print(WHAT_IF)];
  return ["plimsoll", name, ...all].map(shellText).join(" ");
}

/** The URL of a catalog is printed without its secrets. */
function shownValue({ flag, value }: GivenFlag): readonly string[] {
  if (value === undefined) return [];
  return [flag === "--catalog" ? withoutUrlSecrets(value) : value];
}

function withChange(asked: Asked, change: Change, subscribed: ReadonlySet<string>): Asked {
  switch (change.kind) {
    case "drop": {
      const left = notAskingFor(asked, change.package);
      return isAskingFor(asked, change.package) && !subscribed.has(change.package)
        ? left
        : added(left, ...flagsOf(change));
    }
    case "instead": {
      const owner = change.request.package;
      const edited = replaced(without(asked, isInstead(owner)), owner, printNamedRequest(change.request));
      return isAskingFor(asked, owner) && !subscribed.has(owner) ? edited : added(edited, ...flagsOf(change));
    }
    case "elsewhere": {
      const own = without({ words: [], flags: asked.flags }, ({ flag }) => ABOUT_NAMESPACE.has(flag));
      return added(added(own, "--namespace", change.namespace), "--add", printNamedRequest(change.request));
    }
    case "meant": {
      const edited = replaced(asked, change.package, printNamedRequest(change.request));
      if (!subscribed.has(change.package)) return edited;
      return added(added(edited, "--drop", change.package), "--add", printNamedRequest(change.request));
    }
    case "remove":
      return added(notAskingFor(asked, change.package), ...flagsOf(change));
    case "release":
      return leftOut(asked, isFlag(`--${change.flag}`, change.package), ["--release", change.package]);
    case "partly":
      return leftOut(asked, isFlag("--all-or-nothing"), ["--partly"]);
    case "declare": {
      const { type } = change;
      return added(SINGLE_FACTS.has(type) ? without(asked, isFact(type)) : asked, ...flagsOf(change));
    }
    case "limit":
    case "compound-constraints":
    case "ignore-unavailable": {
      const [flag = "", value] = flagsOf(change);
      return added(without(asked, isFlag(flag)), flag, value);
    }
    default:
      return added(asked, ...flagsOf(change));
  }
}

/** Flags that say which namespace is meant, and what is asked for or different in it. */
const ABOUT_NAMESPACE: ReadonlySet<string> = new Set(
  "--namespace --all-namespaces --scope --add --instead --drop --approve --hold --remove".split(" "),
);

/** What helps in one namespace is no advice for all of them. */
function inNamespace(asked: Asked, namespace: string): Asked {
  const others = without(asked, isFlag("--all-namespaces"));
  if (others.flags.length === asked.flags.length) return asked;
  return namespace === CLUSTER_SCOPE ? added(others, "--scope", "cluster") : added(others, "--namespace", namespace);
}

/** The package that a word, or the value of a flag that means the same, asks for. */
function packageOf(word: string | undefined): string | undefined {
  const request = parseNamedRequest(word ?? "");
  return typeof request === "string" ? undefined : request.package;
}

function isAdding(owner: string): (flag: GivenFlag) => boolean {
  return ({ flag, value }) => flag === "--add" && packageOf(value) === owner;
}

function isAskingFor({ words, flags }: Asked, owner: string): boolean {
  return words.some((word) => packageOf(word) === owner) || flags.some(isAdding(owner));
}

function notAskingFor(asked: Asked, owner: string): Asked {
  return without({ ...asked, words: asked.words.filter((word) => packageOf(word) !== owner) }, isAdding(owner));
}

/** The first word or flag that asks for a package asks for something else; others that do are left out. */
function replaced(asked: Asked, owner: string, wish: string): Asked {
  const { words, flags } = asked;
  const word = words.findIndex((one) => packageOf(one) === owner);
  const flag = word < 0 ? flags.findIndex(isAdding(owner)) : -1;
  return {
    words: words.flatMap((one, index) => (index === word ? [wish] : packageOf(one) === owner ? [] : [one])),
    flags: flags.flatMap((one, index) =>
      index === flag ? [{ ...one, value: wish }] : isAdding(owner)(one) ? [] : [one],
    ),
  };
}

function added(asked: Asked, flag?: string, value?: string): Asked {
  if (flag === undefined || asked.flags.some((one) => one.flag === flag && one.value === value)) return asked;
  return { ...asked, flags: [...asked.flags, { flag, value }] };
}

/** Leaves flags out; flags that are part of a saved problem are undone instead. */
function leftOut(asked: Asked, isMeant: (flag: GivenFlag) => boolean, [flag, value]: readonly string[]): Asked {
  const left = without(asked, isMeant);
  return left.flags.length < asked.flags.length ? left : added(asked, flag, value);
}

function without(asked: Asked, isMeant: (flag: GivenFlag) => boolean): Asked {
  return { ...asked, flags: asked.flags.filter((flag) => !isMeant(flag)) };
}

function isFlag(name: string, value?: string): (flag: GivenFlag) => boolean {
  return (one) => one.flag === name && (value === undefined || one.value === value);
}

function isInstead(owner: string): (flag: GivenFlag) => boolean {
  return ({ flag, value }) => flag === "--instead" && packageOf(value) === owner;
}

/** Does a flag state a fact about the cluster that the fix changes? */
function isFact(type: string): (flag: GivenFlag) => boolean {
  const [own] = flagsOf(declaring({ type, value: "" }));
  return ({ flag, value = "" }) => (flag === "--property" ? /^[^=]*?(?=:?=)/.exec(value)?.[0] === type : flag === own);
}
