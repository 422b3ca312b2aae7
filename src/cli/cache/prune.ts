// `plimsoll cache prune`: what is no longer kept?

import { type Command, Option } from "commander";
import { renderCachePruned } from "../../render/cache/render-cache.ts";
import { safeText } from "../../render/kit/safe-text.ts";
import { FORMATS, type Format } from "../../render/output-formats.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { recordFlags } from "../given-flags.ts";
import { outputOption, wholeNumber } from "../option-values.ts";
import { openTerminal } from "../terminal.ts";
import { userCache } from "./user-cache.ts";

interface PruneOptions {
  readonly output: Format<"cache prune">;
  readonly all?: boolean;
  readonly maxBytes?: number;
}

/** Adds the flags of the command. */
export function addFlags(command: Command): Command {
  command
    .addOption(new Option("--all", "remove everything").conflicts("maxBytes"))
    .addOption(new Option("--max-bytes <N>", "keep at most so many bytes").argParser(wholeNumber))
    .addOption(outputOption(FORMATS["cache prune"]));
  return recordFlags(command);
}

/** Removes entries. */
export async function run({ output, all = false, maxBytes: limit }: PruneOptions): Promise<ExitCode> {
  const terminal = openTerminal({ color: "auto" });
  let isTroubled = false;
  const cache = userCache((message) => {
    isTroubled = true;
    terminal.err(`plimsoll: ${safeText(message)}\n`);
  });
  // A cache that may not be used is one without a directory; what else was said is about its size.
  isTroubled = cache.directory === undefined;
  const removed = await cache.prune({ all, ...(limit !== undefined && { maxBytes: limit }) });
  const { directory, maxBytes } = cache;
  const look = { output, style: terminal.outStyle, width: terminal.outWidth };
  terminal.out(renderCachePruned({ directory, maxBytes, entries: await cache.list() }, removed, look));
  return isTroubled ? EXIT.unreachable : EXIT.yes;
}
