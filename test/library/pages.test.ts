// Is every program of the pages about the library true? Each `ts` block is a program: it is compiled by the oldest supported
// TypeScript and by the current one, and run. What it prints is the `text` block behind it, or, without one, what its comments
// `// → …` say. PLIMSOLL_UPDATE_DOCS=1 npm test writes the `text` blocks anew.

import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { transform } from "esbuild";
import { afterAll, describe, expect, test } from "vitest";
import { QUESTION_KEYS } from "../../src/job/question.ts";
import { FORMATS } from "../../src/render/output-formats.ts";
import { COMPILERS, compilerOutput, RESOLUTIONS } from "./type-check.ts";

const UPDATE = process.env.PLIMSOLL_UPDATE_DOCS === "1";
const run = promisify(execFile);

const folder = mkdtempSync(join(tmpdir(), "plimsoll-pages-"));
mkdirSync(join(folder, "node_modules"));
symlinkSync(resolve("."), join(folder, "node_modules/plimsoll"), "dir");
symlinkSync(resolve("examples"), join(folder, "examples"), "dir");
writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const PROGRAM = /^```ts\n([\s\S]*?)^```\n(?:\n```text\n([\s\S]*?)^```\n)?/gm;

interface Program {
  readonly name: string;
  readonly code: string;
  /** The block behind it. */
  readonly output: string | undefined;
}

function programsOf(page: string): readonly Program[] {
  const stem = page.replace(/\W/g, "-");
  return [...readFileSync(page, "utf8").matchAll(PROGRAM)].map(([, code = "", output], index) => ({
    name: `${stem}-${index + 1}`,
    code,
    output,
  }));
}

/** What the comments say that a program prints. */
function expectedOutput({ code, output }: Program): string {
  if (output !== undefined) return output;
  return [...code.matchAll(/\/\/ → (.*)$/gm)].map((match) => `${match[1]}\n`).join("");
}

async function printedBy({ name, code }: Program): Promise<string> {
  const file = join(folder, `${name}.mjs`);
  writeFileSync(file, (await transform(code, { loader: "ts", target: "node20" })).code);
  const { stdout, stderr } = await run(process.execPath, [file], { cwd: folder });
  return (stdout + stderr).replace(/[ \t]+$/gm, "").replace(/\n+$/, "\n");
}

const PAGES = ["docs/library.md", "docs/cel-library.md"];
const programs = PAGES.flatMap(programsOf);

describe.each(PAGES)("%s", (page) => {
  test("its programs print what it shows", { timeout: 120_000 }, async () => {
    const own = programsOf(page);
    expect(own.length).toBeGreaterThan(10);
    const printed: string[] = [];
    for (const program of own) printed.push(await printedBy(program));
    if (UPDATE) {
      let index = 0;
      const text = readFileSync(page, "utf8").replace(PROGRAM, (whole, _code, output: string | undefined) => {
        const now = printed[index++] as string;
        return output === undefined
          ? whole
          : whole.replace(/```text\n[\s\S]*?^```\n/m, () => `\`\`\`text\n${now}\`\`\`\n`);
      });
      writeFileSync(page, text);
    } else expect(printed).toEqual(own.map(expectedOutput));
  });
});

test("docs/library.md names every key of a question about operators, and every format", () => {
  const page = readFileSync("docs/library.md", "utf8");
  for (const key of QUESTION_KEYS) expect(page).toContain(`\`${key}\``);
  const calls = {
    resolve: "resolve",
    explain: "explain",
    plan: "plan",
    place: "place",
    checkCrd: "crd check",
    lint: "lint",
  } as const;
  for (const [call, command] of Object.entries(calls)) {
    const formats = FORMATS[command].filter((format) => format !== "sarif" && format !== "github");
    expect(page).toContain(`| \`${call}\` | ${formats.map((format) => `\`${format}\``).join(", ")}`);
  }
});

describe.each(COMPILERS)("%s", (compiler) => {
  test.each(RESOLUTIONS)("compiles the programs: %o", { timeout: 120_000 }, (resolution) => {
    for (const { name, code } of programs) writeFileSync(join(folder, `${name}.ts`), `${code}\nexport {};\n`);
    const files = programs.map(({ name }) => `${name}.ts`);
    expect(compilerOutput(folder, files, compiler, resolution)).toBe("");
  });
});
