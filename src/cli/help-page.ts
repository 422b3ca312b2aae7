// Which page does `plimsoll help cli` print? The reference of the command line, as it is in the installed package.

import { readFileSync } from "node:fs";
import { safeText } from "../render/kit/safe-text.ts";
import { EXIT, type ExitCode } from "./exit-code.ts";

/** The page, in the package. */
const PAGE = "docs/cli.md";

/** Prints the page; returns the exit code. */
export function printPage(): ExitCode {
  try {
    // The same folder from src/cli and from dist/bin.
    process.stdout.write(readFileSync(new URL(`../../${PAGE}`, import.meta.url), "utf8"));
    return EXIT.yes;
  } catch (error) {
    process.stderr.write(`plimsoll: ${PAGE} of the package cannot be read: ${safeText((error as Error).message)}\n`);
    return EXIT.unreachable;
  }
}
