// Which flags do all commands share, and what do they mean? Inputs, output, limits.

import { type Command, InvalidArgumentError, Option } from "commander";
import { DEFAULT_LIMITS } from "../input/limits.ts";
import { type CatalogReference, catalogName } from "../source/load-catalog.ts";
import type { ProgressChoice } from "./progress.ts";
import type { ColourChoice } from "./terminal.ts";

/** The flags that all commands understand. */
export interface SharedOptions {
  readonly filename: readonly string[];
  readonly catalog: readonly CatalogReference[];
  readonly strictInput?: boolean;
  readonly maxDocumentBytes: number;
  readonly output: string;
  readonly color: ColourChoice;
  readonly progress: ProgressChoice;
  readonly quiet?: boolean;
}

/** Adds the shared flags to a command. `outputs` are the forms that its answer can have; the first is the default. */
export function withSharedOptions(command: Command, outputs: readonly string[]): Command {
  return command
    .addOption(
      new Option("--catalog <[NAME=]PATH>", "a catalog: directory, file, .gz, bundle tree; [NS/]NAME=PATH,priority=N")
        .argParser(appendCatalog)
        .default([], "none"),
    )
    .addOption(
      new Option("-f, --filename <PATH>", "Kubernetes objects: file, directory or - (repeatable)")
        .argParser((path: string, all: string[]) => [...all, path])
        .default([], "none"),
    )
    .addOption(new Option("-o, --output <FORM>", "form of the answer").choices([...outputs]).default(outputs[0]))
    .addOption(new Option("--strict-input", "fail if any input is broken, instead of leaving it out"))
    .addOption(
      new Option("--max-document-bytes <N>", "longest document")
        .argParser(positiveInteger)
        .default(DEFAULT_LIMITS.maxDocumentBytes),
    )
    .addOption(new Option("--color <WHEN>", "colour").choices(["auto", "always", "never"]).default("auto"))
    .addOption(new Option("--progress <HOW>", "progress").choices(["auto", "plain", "none"]).default("auto"))
    .addOption(new Option("-q, --quiet", "no progress, no remarks about the input"));
}

function positiveInteger(text: string): number {
  if (!/^[1-9][0-9]{0,14}$/.test(text)) throw new InvalidArgumentError("it must be a whole number above 0.");
  return Number(text);
}

function appendCatalog(text: string, all: readonly CatalogReference[]): CatalogReference[] {
  const reference = readCatalogReference(text);
  if (typeof reference === "string") throw new InvalidArgumentError(reference);
  const same = all.find((other) => other.name === reference.name && other.namespace === reference.namespace);
  if (same !== undefined)
    throw new InvalidArgumentError(
      `${same.path} is called ${JSON.stringify(same.name)} already; give this one another name: --catalog NAME=${reference.path}`,
    );
  return [...all, reference];
}

/** Reads `[[NAMESPACE/]NAME=]REF[,priority=N]`; or says what is wrong with it. */
export function readCatalogReference(text: string): CatalogReference | string {
  let rest = text;
  let priority = 0;
  const option = /,priority=([^,]*)$/.exec(rest);
  if (option !== null) {
    if (!/^-?[0-9]{1,9}$/.test(option[1] as string)) return "the priority must be a whole number.";
    priority = Number(option[1]);
    rest = rest.slice(0, option.index);
  }
  const equals = /^(?:([a-z0-9][a-z0-9-]*)\/)?([A-Za-z0-9][A-Za-z0-9._-]*)=/.exec(rest);
  const path = equals === null ? rest : rest.slice(equals[0].length);
  if (path === "") return "the path is empty.";
  const [, namespace, name] = equals ?? [];
  return { name: name ?? catalogName(path), ...(namespace !== undefined && { namespace }), priority, path };
}
