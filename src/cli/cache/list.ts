// `plimsoll cache list`: what is kept for the next run?

import type { Command } from "commander";
import { renderCacheList } from "../../render/cache/render-cache.ts";
import { safeText } from "../../render/kit/safe-text.ts";
import { FORMATS, type Format } from "../../render/output-formats.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { recordFlags } from "../given-flags.ts";
import { outputOption } from "../option-values.ts";
import { openTerminal } from "../terminal.ts";
import { userCache } from "./user-cache.ts";

/** Adds the flags of the command. */
export function addFlags(command: Command): Command {
  return recordFlags(command.addOption(outputOption(FORMATS["cache list"])));
}

/** Lists the entries. */
export async function run({ output }: { readonly output: Format<"cache list"> }): Promise<ExitCode> {
  const terminal = openTerminal({ color: "auto" });
  const cache = userCache((message) => terminal.err(`plimsoll: ${safeText(message)}\n`));
  const { directory, maxBytes } = cache;
  const look = { output, style: terminal.outStyle, width: terminal.outWidth };
  terminal.out(renderCacheList({ directory, maxBytes, entries: await cache.list() }, look));
  return directory === undefined ? EXIT.unreachable : EXIT.yes;
}
