// Which custom resources does Kubernetes accept? Writes crd-validation.jsonl beside this file: the program in
// bench/peers/apiextensions is asked about chosen and random schemas and objects.
//   node test/differential/make-crd-validation.mjs [--random 330] [--seed 1] [--out FILE]   (needs Go)
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { askApiServer } from "./crd-validation/ask.mjs";
import { FORMAT_CASES } from "./crd-validation/formats.mjs";
import { print } from "./crd-validation/group.mjs";
import { KEYWORDS } from "./crd-validation/keywords.mjs";
import { OBJECTS } from "./crd-validation/objects.mjs";
import { generator } from "./crd-validation/random.mjs";
import { CHANGES } from "./crd-validation/rule-changes.mjs";
import { RULE_CASES } from "./crd-validation/rule-messages.mjs";
import { RULES } from "./crd-validation/rules.mjs";
import { SHAPES } from "./crd-validation/shapes.mjs";

const { values: options } = parseArgs({
  options: {
    random: { type: "string", default: "330" },
    seed: { type: "string", default: "1" },
    out: { type: "string", default: new URL("crd-validation.jsonl", import.meta.url).pathname },
  },
});

const [next, nextWithRules] = [false, true].map((withRules) => generator(Number(options.seed), withRules));
const random = Array.from({ length: Number(options.random) }, () => [next(4), nextWithRules(2)]).flat();
// A random schema that every API server rejects, mostly for its defaults, is useless.
const groups = askApiServer([
  ...KEYWORDS,
  ...FORMAT_CASES,
  ...SHAPES,
  ...OBJECTS,
  ...RULES,
  ...CHANGES,
  ...RULE_CASES,
  ...random,
]).filter((group) => !group.section.startsWith("random") || group.schemaFaults === undefined);
const provenance = {
  module: "k8s.io/apiextensions-apiserver",
  version: "v0.37.2",
  regenerate: "node test/differential/make-crd-validation.mjs",
};
writeFileSync(options.out, `${[{ provenance }, ...groups].map(print).join("\n")}\n`);
console.log(`${groups.length} schemas, ${groups.reduce((sum, group) => sum + group.cases.length, 0)} objects`);
