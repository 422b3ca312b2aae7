// How fast is YAML loaded, compared with the same parser and schema alone?
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { dump, loadAll } from "js-yaml";
import { catalogs } from "./catalogs.mjs";
import { calibrate, compare, line, ms } from "./measure.mjs";
import { DIST, libraryOf, moduleOf } from "./modules.mjs";

const { DEFAULT_LIMITS, InputFiles, loadCatalog } = await libraryOf(DIST);
const { KUBERNETES_SCHEMA } = await moduleOf(DIST, "input/kubernetes-yaml");

export async function benchYaml({ data, cache }) {
  console.log("\nLoading YAML (target: at most 1.5 x the parser alone)");
  const [{ path: json }] = await catalogs(data, [8_000], cache);
  const path = join(cache, "catalog.yaml");
  if (!existsSync(path)) {
    const documents = readFileSync(json, "utf8")
      .split("\n")
      .filter((text) => text !== "")
      .map((text) => JSON.parse(text));
    writeFileSync(path, documents.map((document) => `---\n${dump(document, { lineWidth: -1 })}`).join(""));
  }
  const text = readFileSync(path, "utf8");
  const times = await compare(
    {
      parser: () => loadAll(text, { schema: KUBERNETES_SCHEMA }),
      plimsoll: () => loadCatalog({ name: "bench", priority: 0, path }, new InputFiles(DEFAULT_LIMITS)),
    },
    7,
  );
  console.log(`  ${(text.length / 1e6).toFixed(1)} MB (calibration loop ${ms(calibrate())})`);
  line("js-yaml with the Kubernetes schema, text in memory", ms(times.parser));
  line("plimsoll, from the file", ms(times.plimsoll));
  line("ratio", `${(times.plimsoll / times.parser).toFixed(2)} x`, "<= 1.5");
}
