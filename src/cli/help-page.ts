// Which page does `plimsoll help cli` print? The reference of the command line, as it is in the installed package, for a
// terminal: lines are wrapped, the rows of tables are lists.

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { wrapWords } from "../render/kit/display-width.ts";
import { safeText } from "../render/kit/safe-text.ts";
import { EXIT, type ExitCode } from "./exit-code.ts";

/** The page, in the package. */
const PAGE = "docs/cli.md";

/** The width of its lines. */
const WIDTH = 100;

/** Prints the page; returns the exit code. */
export function printPage(): ExitCode {
  // The same folder from src/cli and from dist/bin.
  const page = new URL(`../../${PAGE}`, import.meta.url);
  try {
    const lines = terminalLines(readFileSync(page, "utf8"));
    const folder = safeText(fileURLToPath(new URL(".", page)));
    process.stdout.write(`${lines.join("\n")}\nThe pages to which it links are in ${folder}\n`);
    return EXIT.yes;
  } catch (error) {
    process.stderr.write(`plimsoll: ${PAGE} of the package cannot be read: ${safeText((error as Error).message)}\n`);
    return EXIT.unreachable;
  }
}

/** The lines of a page of Markdown, as a terminal shows them. */
function terminalLines(page: string): readonly string[] {
  // Code keeps its lines.
  const parts = page.split(/^(```[\s\S]*?^```)$/m);
  return parts.flatMap((part) => (part.startsWith("```") ? [part, ""] : textLines(part)));
}

function textLines(text: string): readonly string[] {
  return text
    .trim()
    .split(/\n{2,}/)
    .flatMap((block) => [...blockLines(block), ""]);
}

/** The lines of a paragraph, a list or a table; a heading may precede it. */
function blockLines(block: string): readonly string[] {
  const [first = "", ...others] = block.split("\n");
  if (first.startsWith("#")) return others.length === 0 ? [first] : [first, ...blockLines(others.join("\n"))];
  if (first.startsWith("| ")) return others.slice(1).flatMap(rowLines);
  return block.split(/\n(?=- )/).flatMap((item) => {
    const [line = "", ...more] = wrapWords(item.replace(/\n */g, " "), WIDTH - 2);
    return [line, ...more.map((rest) => (item.startsWith("- ") ? `  ${rest}` : rest))];
  });
}

/** A row of a table: its first cell on its own line, the others below. */
function rowLines(row: string): readonly string[] {
  const [first = "", ...others] = row
    .replace(/^\| | \|$/g, "")
    .split(" | ")
    .map((cell) => cell.replaceAll("\\|", "|"));
  return [first, ...others.flatMap((cell) => wrapWords(cell, WIDTH - 4)).map((line) => `    ${line}`)];
}
