// How fast is cel-go, what does it answer and what does that cost? A Go program is built and asked; without Go there is
// nothing to compare with.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("../peers/cel-go/", import.meta.url));

/** The version that go.mod names. */
export const celGoVersion = /google\/cel-go (v\S+)/.exec(readFileSync(`${folder}go.mod`, "utf8"))?.[1];

/** By the id of the expression: evaluations per CPU second, answers and costs; undefined when Go is not there. */
export function celGo(expressions, objects, seconds) {
  const work = mkdtempSync(join(tmpdir(), "plimsoll-cel-go-"));
  try {
    const program = join(work, "cel-go");
    const built = spawnSync("go", ["build", "-o", program, "."], { cwd: folder, stdio: ["ignore", 2, 2] });
    if (built.status !== 0) return undefined;
    const plan = join(work, "plan.json");
    const asked = expressions.map(({ id, text, env }) => ({ id, expression: text, env }));
    writeFileSync(plan, JSON.stringify({ seconds, expressions: asked, objects }));
    const ran = spawnSync(program, ["-bench", plan], {
      encoding: "utf8",
      maxBuffer: 1 << 28,
      stdio: ["ignore", "pipe", 2],
    });
    if (ran.status !== 0) return undefined;
    return new Map(JSON.parse(ran.stdout).results.map((result) => [result.id, result]));
  } finally {
    rmSync(work, { recursive: true });
  }
}
