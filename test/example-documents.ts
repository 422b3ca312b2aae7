// Which documents does a directory of the bundled example hold? Drafts are left out by its ignore file.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DEFAULT_LIMITS } from "../src/input/limits.ts";
import { Documents } from "../src/input/read-documents.ts";
import type { JsonObject } from "../src/model/json.ts";

/** The documents of all YAML files below `examples/harbour/PART`. */
export function exampleDocuments(part: string): readonly JsonObject[] {
  const directory = join("examples/harbour", part);
  const values: JsonObject[] = [];
  const sink = (value: JsonObject): void => void values.push(value);
  for (const path of readdirSync(directory, { recursive: true, encoding: "utf8" })) {
    if (!/(?<!\.draft)\.yaml$/.test(path)) continue;
    const documents = new Documents({ source: path, limits: DEFAULT_LIMITS, report: () => {}, sink });
    documents.push(readFileSync(join(directory, path)));
    documents.end();
  }
  return values;
}
