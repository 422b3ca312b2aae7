// What is a checkout of a community repository? Thousands of bundle directories below operators/, with the files that real
// ones have beside them. Seeded. The proportions are measured on k8s-operatorhub/community-operators: the number of versions
// of a package, the number of definitions of a bundle, and how many of those are the same as in an earlier version (80 %).
//
// node bench/community/tree.mjs DIRECTORY [BUNDLES] writes one.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { randomBelow } from "../resolve/random.mjs";
import { definitionText } from "./crd.mjs";
import { csvText, icon } from "./csv.mjs";
import { prose } from "./prose.mjs";

/** Quantiles, each with its share: the last number of a line is the largest. */
const VERSIONS_OF_A_PACKAGE = [1, 1, 2, 3, 6, 9, 14, 21, 33, 66];
const DEFINITIONS_OF_A_BUNDLE = [1, 1, 1, 2, 3, 3, 4, 6, 10, 20];
/** Bytes: most definitions are small, but those with the specification of a pod are not. */
const SIZE_OF_A_DEFINITION = [3_000, 5_000, 7_000, 10_000, 14_000, 20_000, 26_000, 40_000, 80_000, 260_000];

/** Writes a tree with this number of bundles; returns how many files and bytes it has. */
export function writeTree(root, bundles, seed = 1) {
  const random = randomBelow(seed * 7919);
  const written = { operators: 0, bundles: 0, files: 0, bytes: 0 };
  const write = (text, ...path) => {
    const file = join(root, ...path);
    mkdirSync(join(file, ".."), { recursive: true });
    writeFileSync(file, text);
    written.files++;
    written.bytes += Buffer.byteLength(text);
  };
  writeSurroundings(random, write);
  const provided = [];
  while (written.bundles < bundles) {
    const name = `operator-${String(written.operators++).padStart(3, "0")}`;
    const count = Math.min(bundles - written.bundles, between(random, VERSIONS_OF_A_PACKAGE));
    writeOperator(random, write, { name, count, provided });
    written.bundles += count;
  }
  return written;
}

/** A number between two quantiles. */
function between(random, quantiles) {
  const index = random(quantiles.length);
  const low = quantiles[Math.max(0, index - 1)];
  return low + random(quantiles[index] - low + 1);
}

/** The files of the repository itself; none is part of a catalog. */
function writeSurroundings(random, write) {
  write("[core]\n\tbare = false\n", ".git", "config");
  write("ref: refs/heads/main\n", ".git", "HEAD");
  write(
    `name: CI\non:\n  pull_request:\njobs:\n  test:\n    runs-on: ubuntu-latest\n`,
    ".github",
    "workflows",
    "ci.yaml",
  );
  write("pipeline:\n  steps:\n  - lint\n", "ci", "pipeline-config.yaml");
  write("- operators/*\n", "ci", "list.yaml");
  write(`# Operators\n\n${prose(random, 2000)}\n`, "README.md");
  write(`# How to contribute\n\n${prose(random, 4000)}\n`, "docs", "contributing.md");
  write("site_name: Operators\nnav:\n- Home: index.md\n", "mkdocs.yml");
}

function writeOperator(random, write, { name, count, provided }) {
  const style = random(3) === 0 ? "folded" : "literal";
  const isIndented = random(6) === 0;
  const group = `${name}.example.com`;
  const isOrdered = random(10) < 4;
  if (isOrdered)
    write(`---\nupdateGraph: semver-mode\nreviewers:\n- someone\n- another\n`, "operators", name, "ci.yaml");
  else if (random(2) === 0)
    write(`reviewers:\n- someone\naddReviewers: true\nmergeStrategy: squash\n`, "operators", name, "ci.yaml");
  if (random(8) === 0) write(`# ${name}\n`, "operators", name, "README.md");
  if (random(12) === 0) write("all:\n\tfalse\n", "operators", name, "Makefile");
  const versions = versionsOf(random, count);
  const image = icon(random);
  const kinds = Array.from({ length: between(random, DEFINITIONS_OF_A_BUNDLE) }, (_, index) => `Kind${index}`);
  const sizes = kinds.map(() => between(random, SIZE_OF_A_DEFINITION));
  const texts = new Map();
  const textLength = 1_500 + random(12_000);
  const required = provided.length > 0 && random(40) === 0 ? [provided[random(provided.length)]] : [];
  for (const [index, version] of versions.entries()) {
    const writeOf = (text, ...path) => write(text, "operators", name, version, ...path);
    for (const [at, kind] of kinds.entries()) {
      // One definition in five changes its schema; of the others some have the version of the operator in a label.
      const isChanged = !texts.has(kind) || random(5) === 0;
      if (isChanged) {
        const given = { group, kind, size: sizes[at], style, versions: ["v1alpha1"], revision: version, isIndented };
        texts.set(kind, definitionText(random, given));
      } else if (at % 6 === 5) texts.set(kind, texts.get(kind).replace(/version: ".*"/, `version: "${version}"`));
      writeOf(texts.get(kind), "manifests", `${group}_${kind.toLowerCase()}s.yaml`);
    }
    const replaces = index > 0 && !isOrdered ? `${name}.v${versions[index - 1]}` : undefined;
    const given = { name, version, replaces, group, kinds, icon: image, style, textLength, required };
    writeOf(csvText(random, given), "manifests", `${name}.clusterserviceversion.yaml`);
    writeOf(serviceText(name), "manifests", `${name}-metrics_v1_service.yaml`);
    if (kinds.length > 2)
      writeOf(roleText(name), "manifests", `${name}-viewer_rbac.authorization.k8s.io_v1_clusterrole.yaml`);
    writeOf(annotationsText(name), "metadata", "annotations.yaml");
    if (required.length > 0 && random(2) === 0)
      writeOf(
        `dependencies:\n- type: olm.package\n  value:\n    packageName: operator-000\n    version: ">=0.0.1"\n`,
        "metadata",
        "dependencies.yaml",
      );
    writeOf(
      `apiVersion: scorecard.operatorframework.io/v1alpha3\nkind: Configuration\nmetadata:\n  name: config\nstages:\n- parallel: true\n  tests:\n  - entrypoint:\n    - scorecard-test\n    - basic-check-spec\n    image: quay.io/operator-framework/scorecard-test:v1.32.0\n`,
      "tests",
      "scorecard",
      "config.yaml",
    );
    if (random(2) === 0)
      writeOf("FROM scratch\nCOPY manifests /manifests/\nCOPY metadata /metadata/\n", "bundle.Dockerfile");
  }
  provided.push({ kind: "Kind0", name: `kind0s.${group}`, version: "v1alpha1" });
}

/** Versions in order, with major, minor and patch steps. */
function versionsOf(random, count) {
  let [major, minor, patch] = [0, 1, 0];
  return Array.from({ length: count }, () => {
    const step = random(12);
    if (step === 0) [major, minor, patch] = [major + 1, 0, 0];
    else if (step < 6) [minor, patch] = [minor + 1, 0];
    else patch++;
    return `${major}.${minor}.${patch}`;
  });
}

function annotationsText(name) {
  const prefix = "operators.operatorframework.io";
  return `annotations:
  # Core bundle annotations.
  ${prefix}.bundle.mediatype.v1: registry+v1
  ${prefix}.bundle.manifests.v1: manifests/
  ${prefix}.bundle.metadata.v1: metadata/
  ${prefix}.bundle.package.v1: ${name}
  ${prefix}.bundle.channels.v1: stable
  ${prefix}.bundle.channel.default.v1: stable
  ${prefix}.metrics.builder: operator-sdk-v1.32.0

  # Annotations for testing.
  ${prefix}.test.mediatype.v1: scorecard+v1
  ${prefix}.test.config.v1: tests/scorecard/
`;
}

function serviceText(name) {
  return `apiVersion: v1
kind: Service
metadata:
  creationTimestamp: null
  labels:
    control-plane: controller-manager
  name: ${name}-metrics
spec:
  ports:
  - name: https
    port: 8443
    protocol: TCP
    targetPort: https
  selector:
    control-plane: controller-manager
status:
  loadBalancer: {}
`;
}

function roleText(name) {
  return `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  creationTimestamp: null
  name: ${name}-viewer
rules:
- nonResourceURLs:
  - /metrics
  verbs:
  - get
`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const [, , root, bundles = "6000"] = process.argv;
  if (root === undefined) throw new Error("usage: node bench/community/tree.mjs DIRECTORY [BUNDLES]");
  const { operators, files, bytes, bundles: count } = writeTree(root, Number(bundles));
  console.log(`${count} bundles of ${operators} operators: ${files} files, ${(bytes / 1e6).toFixed(0)} MB`);
}
