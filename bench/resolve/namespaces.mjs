// How does the time grow with the number of namespaces? The command in a process of its own on clusters in which every
// namespace has the same four operators, one version behind: all move, each on top of what the others have become. And as
// text where the channel of each is gone: none moves, and what would help is looked for and tried for every one.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { calibrate, line, ms } from "../measure.mjs";
import { once } from "./cold.mjs";
import { packageDocuments } from "./problem.mjs";

const PACKAGES = ["alpha", "bravo", "charlie", "delta"];
/** For 5,000 namespaces, in milliseconds. */
const TARGET = 30_000;

const ASKED = [
  { command: "resolve", form: "name", channel: "stable", what: "" },
  { command: "plan", form: "name", channel: "stable", what: "" },
  { command: "resolve", form: "text", channel: "gone", what: ", all refused" },
];

/** Measures `resolve -A` and `plan -A`. */
export function benchNamespaces({ dist, quick }) {
  const counts = quick ? [250, 500] : [500, 1_000, 5_000];
  const folder = mkdtempSync(join(tmpdir(), "plimsoll-bench-"));
  console.log(`\n  namespaces with four operators each (calibration loop ${ms(calibrate())})`);
  try {
    const catalog = join(folder, "cat.jsonl");
    writeFileSync(catalog, lines(PACKAGES.flatMap((name) => packageDocuments(name, versions(name)))));
    for (const { command, form, channel, what } of ASKED) {
      let before;
      for (const count of counts) {
        const objects = join(folder, `${count}.jsonl`);
        writeFileSync(
          objects,
          lines(Array.from({ length: count }, (_, number) => objectsOf(`ns${number}`, channel)).flat()),
        );
        const bin = join(dist, "bin/plimsoll.js");
        const asked = ["-A", "-o", form, "--catalog", `olm/cat=${catalog}`, "-f", objects];
        const { status, cpu } = once([process.execPath, bin, command, ...asked]);
        const growth = before && `${(cpu / before.cpu).toFixed(1)} × for ${(count / before.count).toFixed(1)} ×`;
        const more = growth === undefined ? "" : `, ${growth}`;
        const target = count === 5_000 ? `<= ${TARGET / 1000} s` : "";
        line(
          `  ${command} -A${what}, ${count.toLocaleString("en-US")} namespaces (exit ${status})${more}`,
          ms(cpu),
          target,
        );
        before = { count, cpu };
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function lines(objects) {
  return `${objects.map((object) => JSON.stringify(object)).join("\n")}\n`;
}

/** alpha requires what bravo provides. */
function versions(name) {
  const required = { type: "olm.gvk.required", value: gvk("bravo") };
  const properties = [{ type: "olm.gvk", value: gvk(name) }, ...(name === "alpha" ? [required] : [])];
  return ["1.1.0", "1.0.0"].map((version) => ({ version, properties }));
}

function gvk(name) {
  return { group: `${name}.example.com`, version: "v1", kind: `${name[0].toUpperCase()}${name.slice(1)}` };
}

function objectsOf(namespace, channel) {
  const apiVersion = "operators.coreos.com/v1alpha1";
  const group = { apiVersion: "operators.coreos.com/v1", kind: "OperatorGroup", metadata: { name: "own", namespace } };
  return [
    { ...group, spec: { targetNamespaces: [namespace] } },
    ...PACKAGES.flatMap((name) => {
      const csv = `${name}.v1.0.0`;
      const owned = [{ name: `${name}s.${name}.example.com`, version: "v1", kind: gvk(name).kind }];
      return [
        {
          apiVersion,
          kind: "Subscription",
          metadata: { name, namespace },
          spec: { name, channel, source: "cat", sourceNamespace: "olm" },
          status: { installedCSV: csv, currentCSV: csv },
        },
        {
          apiVersion,
          kind: "ClusterServiceVersion",
          metadata: { name: csv, namespace },
          spec: {
            version: "1.0.0",
            installModes: [{ type: "OwnNamespace", supported: true }],
            customresourcedefinitions: { owned },
          },
        },
      ];
    }),
  ];
}
