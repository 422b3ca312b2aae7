// Do several threads read the bundle directories of a tree as one does? With the files of threads that are built into dist/.

import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import { afterAll, describe, expect, test } from "vitest";
import { receivedDerivations } from "../../src/input/bundle-directory/sent-derivation.ts";
import { DEFAULT_LIMITS } from "../../src/input/limits.ts";
import { type PackageFiles, treeFiles } from "../../src/source/bundle-files.ts";
import { InputFiles } from "../../src/source/input-files.ts";
import { type ReaderTask, readPackages, type SentPackage } from "../../src/source/package-threads.ts";

const folder = mkdtempSync(join(tmpdir(), "plimsoll-threads-"));
afterAll(() => rmSync(folder, { recursive: true }));

const PREFIX = "operators.operatorframework.io.bundle.";
const paths: string[] = [];

function write(path: string, text: string): void {
  const whole = join(folder, path);
  mkdirSync(dirname(whole), { recursive: true });
  writeFileSync(whole, text);
  paths.push(whole);
}

// Forty packages of three versions, which share a definition; one package in ten has a broken file.
for (let operator = 0; operator < 40; operator++) {
  const name = `winch-${String(operator).padStart(2, "0")}`;
  for (const version of ["1.0.0", "1.1.0", "2.0.0"]) {
    const directory = `${name}/${version}`;
    const definition = { group: `${name}.example.com`, names: { kind: "Winch", plural: "winches" } };
    write(
      `${directory}/manifests/crd.yaml`,
      `apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata:\n  name: winches.${name}.example.com\nspec: ${JSON.stringify({ ...definition, versions: [{ name: "v1" }] })}\n`,
    );
    write(
      `${directory}/manifests/csv.yaml`,
      `apiVersion: operators.coreos.com/v1alpha1\nkind: ClusterServiceVersion\nmetadata:\n  name: ${name}.v${version}\nspec:\n  version: ${version}\n  displayName: Wïnch ⚓ ${operator}\n`,
    );
    // Two documents in a file, and a value that JSON.stringify does not take.
    write(`${directory}/manifests/more.yaml`, "kind: ConfigMap\n---\nkind: Secret\ncount: 12345678901234567890\n");
    write(
      `${directory}/metadata/annotations.yaml`,
      `annotations:\n  ${PREFIX}package.v1: ${name}\n  ${PREFIX}channels.v1: stable\n`,
    );
    if (operator % 10 === 3 && version === "1.1.0") write(`${directory}/manifests/broken.yaml`, "kind: [\n");
  }
}
const packages: readonly PackageFiles[] = [...treeFiles(paths).packages.values()];

/** What is read, with the data of every manifest, and of how many bytes. */
async function readings(
  threads: { readonly count: number; readonly reader?: URL },
  filesOf: (onBytes: (more: number) => void) => InputFiles = (onBytes) => new InputFiles(DEFAULT_LIMITS, onBytes),
) {
  let bytes = 0;
  const files = filesOf((more) => {
    bytes += more;
  });
  const all = await readPackages(packages, files, threads);
  return { all, plain: structuredClone(all.map(({ bundles, findings }) => ({ bundles, findings }))), bytes };
}

/** The file of a thread that does something, then makes a marker, then something else. */
function threadFile(name: string, before: string, marker: string, after = ""): URL {
  const path = join(folder, name);
  const mark = `import { writeFileSync } from "node:fs";\nwriteFileSync(${JSON.stringify(marker)}, "");`;
  writeFileSync(path, `${before}\n${mark}\n${after}\n`);
  return pathToFileURL(path);
}

/** Files of which this thread reads none before there is a marker. */
function waitingFor(marker: string): (onBytes: (more: number) => void) => InputFiles {
  class Waiting extends InputFiles {
    override readBytes(...given: Parameters<InputFiles["readBytes"]>): void {
      while (!existsSync(marker)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
      super.readBytes(...given);
    }
  }
  return (onBytes) => new Waiting(DEFAULT_LIMITS, onBytes);
}

/** What one thread sends if it alone reads. */
async function sentBy(reader: URL): Promise<readonly SentPackage[]> {
  const sent: SentPackage[] = [];
  const task: ReaderTask = { packages, limits: DEFAULT_LIMITS, taken: new Int32Array(new SharedArrayBuffer(4)) };
  const thread = new Worker(reader, { workerData: task });
  thread.on("message", (message: SentPackage) => sent.push(message));
  await once(thread, "exit");
  return sent;
}

const BUILT = ["dist/chunks/package-reader.js", "dist/bin/package-reader.js"];
/** Files of dist/ that start threads. */
function starters(): readonly string[] {
  return readdirSync("dist", { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".js"))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => /new URL\("\.\/package-reader\.js"/.test(readFileSync(file, "utf8")));
}

const alone = await readings({ count: 0 });

test("the file of a thread is beside each file that starts one", () => {
  const folders = new Set(starters().map(dirname));
  expect(folders).toContain(dirname("dist/bin/package-reader.js"));
  expect(folders).toContain(dirname("dist/chunks/package-reader.js"));
  for (const place of folders) expect(readdirSync(place)).toContain("package-reader.js");
});

describe("a tree that several threads read", () => {
  for (const [index, built] of BUILT.entries())
    test(`${built}: is as if one had read it`, async () => {
      // The other thread reads all but the first package.
      const marker = join(folder, `done-${index}`);
      const code = `await import(${JSON.stringify(pathToFileURL(built).href)});`;
      const reader = threadFile(`reader-${index}.mjs`, code, marker);
      const { plain, bytes } = await readings({ count: 1, reader }, waitingFor(marker));
      expect(plain).toEqual(alone.plain);
      expect(bytes).toBe(alone.bytes);
    });

  for (const built of BUILT)
    test(`${built}: a thread reads all that no other takes`, async () => {
      const sent = await sentBy(pathToFileURL(built));
      expect(sent.map(({ index }) => index)).toEqual([...packages.keys()]);
      const received = sent.map(({ bundles, findings }) => ({ bundles: receivedDerivations(bundles), findings }));
      expect(structuredClone(received)).toEqual(alone.plain);
      expect(sent.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(alone.bytes);
    });

  test("versions with the same definition share it, whichever thread read it", async () => {
    const sent = await sentBy(pathToFileURL("dist/chunks/package-reader.js"));
    for (const bundles of [
      ...alone.all.map((one) => one.bundles),
      ...sent.map((one) => receivedDerivations(one.bundles)),
    ]) {
      const held = [...bundles.values()].map(({ document }) => {
        const properties = document?.value.properties as readonly { readonly type: string; readonly value: unknown }[];
        return properties?.filter(({ type }) => type === "olm.bundle.object") ?? [];
      });
      const [first = [], ...others] = held.filter((manifests) => manifests.length > 0);
      for (const other of others) expect(other.filter((manifest) => first.includes(manifest)).length).toBe(3);
    }
  });

  test("what a thread has taken and not read is read by this one", async () => {
    const marker = join(folder, "taken");
    const failing = threadFile(
      "failing.mjs",
      'import { workerData } from "node:worker_threads";\nAtomics.add(workerData.taken, 0, 1);',
      marker,
      'throw new Error("broken");',
    );
    const { plain, bytes } = await readings({ count: 1, reader: failing }, waitingFor(marker));
    expect(plain).toEqual(alone.plain);
    expect(bytes).toBe(alone.bytes);
  });

  test.for([
    ["has no file", () => pathToFileURL(join(folder, "nothing.js"))],
    ["cannot be started", () => new URL("https://example.com/reader.js")],
  ] as const)("a thread that %s is not missed", async ([, reader]) => {
    expect((await readings({ count: 2, reader: reader() })).plain).toEqual(alone.plain);
  });
});

test("threads are started for many files of the disk, and for none of an image", async () => {
  let started = 0;
  const onWorker = (): void => void started++;
  process.on("worker", onWorker);
  const many = (root: string): PackageFiles => {
    const members = Array.from(
      { length: 3000 },
      (_, index) => ({ path: `${root}${index}`, half: "metadata" }) as const,
    );
    return new Map([[root, members]]);
  };
  const files = new InputFiles(DEFAULT_LIMITS);
  files.mount("oci://", () => (async function* () {})());
  await readPackages([many("oci://harbour/")], files);
  expect(started).toBe(0);
  await readPackages([many(join(folder, "none"))], files);
  expect(started).toBe(availableParallelism() > 1 ? 1 : 0);
  process.off("worker", onWorker);
});
