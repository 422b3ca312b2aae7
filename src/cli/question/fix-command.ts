// Which command tries a fix? The one that the user typed, with the changes in it: words that named a package are edited,
// flags are left out, replaced or added.

import { Command } from "commander";
import type { Problem } from "../../model/problem.ts";
import { flagsOf } from "../../render/sentence/flags.ts";
import { parseNamedRequest, printNamedRequest } from "../../resolve/prepare/named-request.ts";
import { SINGLE_FACTS } from "../../resolve/prepare/runtime-constraints.ts";
import type { Fix } from "../../resolve/resolution.ts";
import type { Change } from "../../resolve/what-if.ts";
import { declaring } from "../../rule/shape/lift.ts";
import { shellText } from "../shell-text.ts";
import { withResolveOptions } from "./options.ts";

/** What the user typed behind the name of a command. */
export interface Typed {
  readonly words: readonly string[];
  /** The flags of that command. */
  readonly options: readonly TypedOption[];
  /** Whether words that belong to no flag name packages that are asked for. */
  readonly namesPackages: boolean;
  /** The command itself, where it is the one that tries a fix; otherwise that is `resolve`. */
  readonly tries?: string | undefined;
}

/** A flag as the parser of the command line knows it. */
export interface TypedOption {
  readonly long?: string | undefined;
  readonly short?: string | undefined;
  /** A value has to follow. */
  readonly required: boolean;
}

/** Says which command tries a fix; empty where there is none. */
export type FixCommand = (fix: Pick<Fix, "namespace" | "changes">) => string;

/** What the user typed for `resolve`; `argv` is that of the process. */
export function typedResolve(argv: readonly string[]): Typed {
  return { words: argv.slice(3), options: resolveFlags(), namesPackages: true };
}

/** Says which command tries a fix for one of some problems, ready to be pasted into a shell; empty for mere advice. */
export function fixCommands(typed: Typed, problems: readonly Problem[]): FixCommand {
  const parts = kept(partsOf(typed), typed);
  // Whoever asks in a saved problem does not stand on the command line.
  const isSaved = parts.some(isFlag("--replay"));
  const subscribed = new Set(
    problems.flatMap(({ requests }) =>
      requests.filter(({ place }) => isSaved || place !== undefined).map((one) => one.package),
    ),
  );
  return ({ changes, namespace }) => {
    // What the author of a bundle has to change, no flag can try.
    if (changes.length === 0 || changes.some(({ kind }) => kind === "correct")) return "";
    let edited = inNamespace(parts, namespace);
    for (const change of changes) edited = withChange(edited, change, subscribed);
    return ["plimsoll", typed.tries ?? "resolve", ...edited.flatMap(({ words }) => words)].map(shellText).join(" ");
  };
}

/** A flag with its value, or a word of its own. */
interface Part {
  /** The long name of the flag; nothing for a word of its own. */
  readonly flag: string | undefined;
  readonly value: string | undefined;
  /** As they were typed. */
  readonly words: readonly string[];
}

function resolveFlags(): readonly TypedOption[] {
  return withResolveOptions(new Command("resolve")).options;
}

/** How the answer is shown or kept is no part of the question. */
const ABOUT_OUTPUT: ReadonlySet<string> = new Set([
  "--output",
  "--color",
  "--progress",
  "--quiet",
  "--save-problem",
  "--lock",
  "--locked",
]);

function kept(parts: readonly Part[], { namesPackages, options, tries }: Typed): readonly Part[] {
  const known = new Set((tries === undefined ? resolveFlags() : options).map(({ long }) => long));
  return parts.filter(({ flag }) => (flag === undefined ? namesPackages : known.has(flag) && !ABOUT_OUTPUT.has(flag)));
}

/** Reads words as the parser of the command line does. */
function partsOf({ words, options }: Typed): readonly Part[] {
  const parts: Part[] = [];
  const rest = [...words];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (word === "--") {
      parts.push(...rest.map((one) => ({ flag: undefined, value: undefined, words: [one] })));
      break;
    }
    const equals = word.startsWith("--") ? word.indexOf("=") : -1;
    const name = equals < 0 ? word : word.slice(0, equals);
    const option = options.find(({ long, short }) => name === long || name === short);
    const first = options.find(({ short }) => short !== undefined && /^-[^-]./.test(word) && word.startsWith(short));
    if (option !== undefined) {
      const flag = option.long ?? name;
      const next = option.required && equals < 0 ? rest.splice(0, 1) : [];
      parts.push({ flag, value: equals < 0 ? next[0] : word.slice(equals + 1), words: [word, ...next] });
    } else if (first !== undefined) {
      // Letters run together: `-fPATH`, or `-Aq`.
      const [flag, behind] = [first.long ?? word.slice(0, 2), word.slice(2)];
      if (first.required) parts.push({ flag, value: behind, words: [word] });
      else {
        parts.push({ flag, value: undefined, words: [word.slice(0, 2)] });
        rest.unshift(`-${behind}`);
      }
    } else parts.push({ flag: undefined, value: undefined, words: [word] });
  }
  return parts;
}

function withChange(parts: readonly Part[], change: Change, subscribed: ReadonlySet<string>): readonly Part[] {
  switch (change.kind) {
    case "drop": {
      const left = parts.filter((part) => namedPackage(part) !== change.package);
      return left.length < parts.length && !subscribed.has(change.package) ? left : added(left, flagsOf(change));
    }
    case "instead": {
      const owner = change.wish.package;
      const edited = replaced(without(parts, isInstead(owner)), owner, printNamedRequest(change.wish));
      const isEdited = parts.some((part) => namedPackage(part) === owner);
      return isEdited && !subscribed.has(owner) ? edited : added(edited, flagsOf(change));
    }
    case "elsewhere": {
      const own = parts.filter((part) => !isAboutNamespace(part) && namedPackage(part) === undefined);
      return added(added(own, ["-n", change.namespace]), ["--add", printNamedRequest(change.wish)]);
    }
    case "meant": {
      const edited = replaced(parts, change.package, printNamedRequest(change.wish));
      if (!subscribed.has(change.package)) return edited;
      return added(added(edited, ["--drop", change.package]), ["--add", printNamedRequest(change.wish)]);
    }
    case "remove":
      return added(
        parts.filter((part) => namedPackage(part) !== change.package),
        flagsOf(change),
      );
    case "release":
      return leftOut(parts, isFlag(`--${change.flag}`, change.package), ["--release", change.package]);
    case "partly":
      return leftOut(parts, isFlag("--all-or-nothing"), ["--partly"]);
    case "declare": {
      const { type } = change;
      return added(SINGLE_FACTS.has(type) ? without(parts, isFact(type)) : parts, flagsOf(change));
    }
    case "limit":
    case "compound-constraints":
    case "ignore-unavailable": {
      const words = flagsOf(change);
      return added(without(parts, isFlag(words[0] as string)), words);
    }
    default:
      return added(parts, flagsOf(change));
  }
}

/** Flags that say which namespace is meant, or what is to be different in it. */
const ABOUT_NAMESPACE: ReadonlySet<string> = new Set([
  "--namespace",
  "--all-namespaces",
  "--instead",
  "--drop",
  "--approve",
  "--hold",
  "--remove",
]);

function isAboutNamespace({ flag }: Part): boolean {
  return flag !== undefined && ABOUT_NAMESPACE.has(flag);
}

/** What helps in one namespace is no advice for all of them. */
function inNamespace(parts: readonly Part[], namespace: string): readonly Part[] {
  const others = without(parts, isFlag("--all-namespaces"));
  return others.length === parts.length ? parts : added(others, ["-n", namespace]);
}

/** The package that a word, or the flag that means the same, asks for. */
function namedPackage({ flag, value, words }: Part): string | undefined {
  if (flag !== undefined && flag !== "--add") return undefined;
  const request = parseNamedRequest(flag === undefined ? (words[0] as string) : (value ?? ""));
  return typeof request === "string" ? undefined : request.package;
}

/** Words that ask for a package ask for something else; two that then say the same are one. */
function replaced(parts: readonly Part[], owner: string, wish: string): readonly Part[] {
  const asking = parts.filter((part) => namedPackage(part) === owner);
  return parts.flatMap((part) => {
    if (!asking.includes(part)) return [part];
    if (part !== asking[0]) return [];
    return [{ ...part, value: part.flag && wish, words: part.flag === undefined ? [wish] : [part.flag, wish] }];
  });
}

function added(parts: readonly Part[], words: readonly string[]): readonly Part[] {
  const [flag, value] = words;
  const isThere = parts.some((part) => part.flag === flag && part.value === value);
  return isThere ? parts : [...parts, { flag, value, words }];
}

/** Leaves flags out; what was said when a problem was saved is taken back instead. */
function leftOut(
  parts: readonly Part[],
  isMeant: (part: Part) => boolean,
  takenBack: readonly string[],
): readonly Part[] {
  const left = without(parts, isMeant);
  return left.length < parts.length ? left : added(parts, takenBack);
}

function without(parts: readonly Part[], isMeant: (part: Part) => boolean): readonly Part[] {
  return parts.filter((part) => !isMeant(part));
}

function isFlag(name: string, value?: string): (part: Part) => boolean {
  return (part) => part.flag === name && (value === undefined || part.value === value);
}

function isInstead(owner: string): (part: Part) => boolean {
  return ({ flag, value }) => flag === "--instead" && namedPackage({ flag: "--add", value, words: [] }) === owner;
}

/** Whether a flag says something about the cluster that is now to be said differently. */
function isFact(type: string): (part: Part) => boolean {
  const own = flagsOf(declaring({ type, value: "" }))[0];
  return ({ flag, value = "" }) => (flag === "--property" ? /^[^=]*?(?=:?=)/.exec(value)?.[0] === type : flag === own);
}
