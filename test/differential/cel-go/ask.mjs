// What does cel-go answer? Asks the program in bench/peers/cel-go every question of the table again and writes its answers.
// node test/differential/cel-go/ask.mjs (needs Go)
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { COMMON_DATA } from "./common-data.mjs";

const TABLE = new URL("../cel-go.jsonl", import.meta.url);
const PEER = new URL("../../../bench/peers/cel-go/", import.meta.url).pathname;

const program = join(mkdtempSync(join(tmpdir(), "plimsoll-")), "cel-go");
execFileSync("go", ["build", "-o", program, "."], { cwd: PEER, stdio: "inherit" });
const rows = readFileSync(TABLE, "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line));
const questions = rows.map(({ answer: _, ...question }, id) => ({
  ...question,
  id,
  data: question.data === "common" ? COMMON_DATA : question.data,
}));
const input = questions.map((question) => JSON.stringify(question)).join("\n");
const output = execFileSync(program, [], { input, maxBuffer: 1 << 28, encoding: "utf8" })
  .trim()
  .split("\n");
const asked = rows.map(({ answer: _, ...question }, id) => {
  const { id: __, errors, error, ...answer } = JSON.parse(output[id]);
  // The message is cel-go's own; that it rejects or fails is the fact.
  const outcome = errors !== undefined ? { refused: errors[0].stage } : error !== undefined ? { failed: true } : {};
  return JSON.stringify({ ...question, answer: { ...answer, ...outcome } });
});
writeFileSync(TABLE, `${asked.join("\n")}\n`);
console.log(`${asked.length} answers`);
