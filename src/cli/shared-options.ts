// Which flags do all commands share, and what do they mean? Inputs, output, limits.

import { type Command, InvalidArgumentError, type Option } from "commander";
import { DEFAULT_LIMITS, MAX_DOCUMENT_BYTES, printBytes } from "../input/limits.ts";
import type { CatalogReference } from "../source/catalog-reference.ts";
import { withCatalogOption } from "./catalogs/catalog-option.ts";
import { type SourceFlags, withSourceOptions } from "./catalogs/options.ts";
import { recordFlags } from "./given-flags.ts";
import type { LiveFlags } from "./live/options.ts";
import { hidden, oneOf, outputOption, positiveInteger, repeatable } from "./option-values.ts";
import type { ProgressChoice } from "./progress.ts";
import type { ColourChoice } from "./terminal.ts";

/** The flags that all commands understand. */
export interface SharedOptions extends ReadingOptions, LiveFlags, SourceFlags {
  readonly filename: readonly string[];
  readonly catalog: readonly CatalogReference[];
}

/** The flags of every command that reads files of any kind. */
export interface ReadingOptions {
  readonly strictInput?: boolean;
  readonly maxDocumentBytes: number;
  readonly output: string;
  readonly color: ColourChoice;
  readonly progress: ProgressChoice;
  readonly quiet?: boolean;
  readonly verbose?: boolean;
}

/** Adds the shared flags to a command. `outputs` are the formats that its answer can have; the first is the default. */
export function withSharedOptions(command: Command, outputs: readonly string[]): Command {
  return withReadingOptions(addInputs(command), outputs);
}

/** Adds the flags of a command that has neither `--catalog` nor `-f`, but inputs of its own. */
export function withReadingOptions(command: Command, outputs: readonly string[]): Command {
  return recordFlags(addReadingOptions(command, outputs)).addHelpText("after", ALSO);
}

function addInputs(command: Command): Command {
  return withSourceOptions(withCatalogOption(command).addOption(filenameOption()));
}

/** The flag that names files of Kubernetes objects. */
export function filenameOption(): Option {
  return repeatable("-f, --filename <PATH>", "Kubernetes objects: file, directory or - (stdin)", (path) => path);
}

function addReadingOptions(command: Command, outputs: readonly string[]): Command {
  return command
    .addOption(outputOption(outputs))
    .addOption(hidden("--strict-input", "fail if any input is invalid, instead of skipping it"))
    .addOption(
      hidden("--max-document-bytes <N>", "maximum size of a document", documentBytes, DEFAULT_LIMITS.maxDocumentBytes),
    )
    .addOption(hidden("--color <WHEN>", "when to use colour", oneOf(["auto", "always", "never"]), "auto"))
    .addOption(hidden("--progress <HOW>", "how to show progress", oneOf(["auto", "plain", "none"]), "auto"))
    .addOption(hidden("-q, --quiet", "no progress, only errors about the input"))
    .addOption(hidden("-v, --verbose", "print each phase and how long it took").conflicts("quiet"));
}

const ALSO = `
Flags of every command that reads input (plimsoll help cli):
  --strict-input  --max-document-bytes N  --color auto|always|never  --progress auto|plain|none
  -q, --quiet  -v, --verbose`;

function documentBytes(text: string): number {
  const bytes = positiveInteger(text);
  if (bytes > MAX_DOCUMENT_BYTES)
    throw new InvalidArgumentError(`It can be at most ${MAX_DOCUMENT_BYTES} (${printBytes(MAX_DOCUMENT_BYTES)}).`);
  return bytes;
}

/** The usage error if standard input is given more than once. */
export function stdinTwice(options: SharedOptions): string | undefined {
  return isStdinTwice([...options.catalog.map(({ path }) => path), ...options.filename]) ? STDIN_TWICE : undefined;
}

export const STDIN_TWICE = "standard input (-) can be given only once.";

/** Do several paths mean standard input? */
export function isStdinTwice(paths: readonly string[]): boolean {
  return paths.filter((path) => path === "-").length > 1;
}
