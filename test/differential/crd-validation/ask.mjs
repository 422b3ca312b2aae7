// What does the API server answer? Builds the program in bench/peers/apiextensions and asks it about groups of cases.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { objectOf, oldOf, print, Raw, schemaOf } from "./group.mjs";

const PEER = new URL("../../../bench/peers/apiextensions/", import.meta.url).pathname;

/** The groups with an answer at each case, and the faults of each schema. */
export function askApiServer(groups) {
  const folder = mkdtempSync(join(tmpdir(), "plimsoll-"));
  try {
    const program = join(folder, "apiextensions");
    execFileSync("go", ["build", "-o", program, "."], { cwd: PEER, stdio: "inherit" });
    const questions = groups.flatMap((group) =>
      group.cases.map((one) =>
        print({
          schema: schemaOf(group),
          object: objectOf(one),
          old: oldOf(one),
          preserveUnknownFields: group.preserveUnknownFields,
        }),
      ),
    );
    const input = join(folder, "questions.jsonl");
    const output = join(folder, "answers.jsonl");
    writeFileSync(input, questions.join("\n"));
    execFileSync("sh", ["-c", `"$0" < "$1" > "$2"`, program, input, output], {
      stdio: ["ignore", "ignore", "inherit"],
    });
    const answers = readFileSync(output, "utf8").trim().split("\n");
    let next = 0;
    return groups.map((group) => {
      const first = JSON.parse(answers[next]);
      const cases = group.cases.map((one) => {
        const line = answers[next++];
        const given = print(objectOf(one));
        const marks = hasFraction(objectOf(one)) ? { fraction: true } : {};
        return { ...one, ...marks, answer: shortened(JSON.parse(line), objectText(line), given) };
      });
      return { ...group, schemaFaults: namedFaults(first.schemaFaults), cases };
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Is a whole number written as a fraction? */
function hasFraction(value) {
  if (value instanceof Raw) return /\.0/.test(value.text);
  return typeof value === "object" && value !== null && Object.values(value).some(hasFraction);
}

/** Without the rules that are only named because all of them together cost too much. */
function namedFaults(faults) {
  const own = faults?.filter(({ detail = "" }) => !detail.startsWith("contributed to"));
  return own?.map(({ path, type }) => [path, type]);
}

/** The text of the object of an answer, with all its digits. */
function objectText(line) {
  const start = line.indexOf('"object":{');
  if (start < 0) return undefined;
  let depth = 0;
  for (let at = start + '"object":'.length; at < line.length; at++) {
    if (line[at] === '"') for (at++; line[at] !== '"'; at++) if (line[at] === "\\") at++;
    if (line[at] === "{") depth++;
    if (line[at] === "}" && --depth === 0) return line.slice(start + '"object":'.length, at + 1);
  }
  return undefined;
}

/** What the table keeps: no sentences but those of rules, and no object that came back as it was. */
function shortened(answer, object, given) {
  const inAnyOrder = (faults) => faults?.sort((a, b) => (print(a) < print(b) ? -1 : 1));
  const pairs = (faults) => inAnyOrder(faults?.map(({ path, type, keyword }) => [path, keyword ?? type]));
  const withSentences = (faults) =>
    inAnyOrder(faults?.map(({ path, type, detail }) => [path, type, sentence(detail ?? "")]));
  const inOrder = (text) => print(sorted(JSON.parse(text)));
  return {
    error: answer.error,
    refused: answer.refused === undefined ? undefined : true,
    object: object === undefined || inOrder(object) === inOrder(given) ? undefined : new Raw(object),
    dropped: answer.dropped,
    metadata: pairs(answer.metadata),
    schema: pairs(answer.schema),
    embedded: pairs(answer.embedded),
    lists: pairs(answer.lists),
    rules: withSentences(answer.rules),
    rulesSkipped: answer.rulesSkipped,
    ratchetedSchema: pairs(answer.ratchetedSchema),
    ratchetedRules: withSentences(answer.ratchetedRules),
  };
}

/** The reason why a rule does not compile has names that are generated anew each time. */
const sentence = (detail) => (detail.startsWith("rule compile error") ? "rule compile error" : detail);

function sorted(value) {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(sorted);
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, sorted(value[key])]),
  );
}
