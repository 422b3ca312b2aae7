// Does the same catalog give the same answer, whichever way it comes? Byte for byte but for the names of places: standard output,
// standard error with its excerpts, and the exit code. From a registry, a layout, archives, catalogd and a gRPC registry.

import { mkdtempSync, writeFileSync } from "node:fs";
import { get } from "node:https";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/model/json.ts";
import { documentsOf } from "../case-documents.ts";
import { AUTHORITY, CERTIFICATES } from "../certificates.ts";
import { exampleDocuments } from "../example-documents.ts";
import { catalogFiles, servedByOpm, writeFiles } from "./catalog-files.ts";
import { type Catalogd, startCatalogd } from "./catalogd.ts";
import { type Cluster, startCluster } from "./cluster.ts";
import { type Ran, runCommand, testFolder } from "./command.ts";
import { saveImage } from "./crane.ts";
import { type GrpcRegistry, startOpm } from "./opm.ts";
import { filesBelow, pushBundleImage, pushCatalogImage, pushImage, pushIndex } from "./push-image.ts";
import { type Registry, startRegistry } from "./registry.ts";
import type { Files } from "./tar.ts";

const folder = testFolder("same-catalog");
let registry: Registry;
beforeAll(async () => {
  registry = await startRegistry();
});
afterAll(() => registry.stop());

/** How a catalog is given, and how the names of its places begin. */
interface Source {
  readonly reference: string;
  readonly prefix: string;
}

/** The catalog whose source differs; the others, and the cluster, are files. */
const ABOVE = ["--kube-version", "1.31.4", "-f", "examples/harbour/cluster"];
const OTHERS = [
  ...["--catalog", "partner=examples/harbour/partner-catalog,priority=20"],
  ...["--catalog", "workshop=examples/harbour/bundles,priority=10"],
];
const EXAMPLE_LINES = [
  "resolve -A",
  "resolve -A -o json",
  "resolve -n engine-room -o yaml",
  "explain foghorn -n bridge",
  "explain lading -n cargo -o json",
  "plan -A",
  "plan -n drydock -o installplan",
  "show",
  "show lantern -o json",
  "lint",
  "lint -o json",
] as const;

/** A home whose cache is empty. */
function newHome(): string {
  return mkdtempSync(join(folder, "home-"));
}

async function answerOf(line: string, source: Source, home: string, environment = {}): Promise<string> {
  const [command, ...rest] = line.split(" ") as [string, ...string[]];
  const input = /^(?:show|lint)$/.test(command) ? [] : [...OTHERS, ...ABOVE];
  const args = [command, ...rest, "--catalog", `harbour=${source.reference}`, ...input];
  return comparable(await runCommand(args, home, environment), source);
}

/** What a command did, with SOURCE for what differs; tables of places are not aligned. */
function comparable({ code, out, err }: Ran, { reference, prefix }: Source): string {
  return `exit ${code}\n${out}\n--- standard error\n${err}`
    .replaceAll(prefix, "SOURCE/")
    .replaceAll(reference, "SOURCE")
    .replace(/^( *\S+:\d+:\d+(?: \([^)]*\))?) {2,}/gm, "$1  ");
}

/** The answers to all lines, by file. */
async function answersByFile(lines: readonly string[], source: Source): Promise<ReadonlyMap<string, string>> {
  const home = newHome();
  const answers = new Map<string, string>();
  for (const line of lines) answers.set(line, await answerOf(line, source, home));
  return answers;
}

/** Compares all answers of a source with those by file: the first line without a cache, all of them with it. */
async function expectSame(expected: ReadonlyMap<string, string>, source: Source, environment = {}): Promise<void> {
  const home = newHome();
  const [first] = expected.keys();
  for (const line of [first as string, ...expected.keys()])
    expect(await answerOf(line, source, home, environment), line).toBe(expected.get(line));
}

/** An image in a registry: the files of its catalog are below /configs. */
function imageSource(reference: string): Source {
  return { reference: `oci://${reference}`, prefix: `oci://${reference}/configs/` };
}

/** What is left out of the lowest layer comes in a higher one; what is there too much is removed by one. */
function inLayers(files: Files): { readonly lowest: Files; readonly higher: readonly Files[] } {
  const paths = [...files.keys()];
  const half = paths.length / 2;
  const stale = new Map([...files].slice(0, half));
  stale.set("stale/catalog.yaml", "schema: olm.package\nname: stale\n");
  stale.set("old-folder/a/catalog.yaml", "this: is not\n a: catalog");
  const upper = new Map([...files].slice(half).map(([path, content]) => [`configs/${path}`, content]));
  const gone = new Map([
    ["configs/stale/.wh.catalog.yaml", ""],
    ["configs/.wh.old-folder", ""],
  ]);
  return { lowest: stale, higher: [upper, gone] };
}

/** Mistakes of each kind: YAML that is none, a type, a version, a reference, an unknown field. */
const BROKEN = new Map([
  [
    "broken/catalog.yaml",
    "---\nschema: olm.package\nname: broken\ndefaultChannel: stable\n---\nschema: olm.bundle\n  name: [\n",
  ],
  [
    "odd/catalog.yaml",
    `# A comment above.
---
schema: olm.package
name: odd
defaultChanel: stable
---
schema: olm.channel
package: odd
name: stable
entries:
  - name: odd.v1.0.0
  - name: odd.v2.0.0
    replaces: 7
---
schema: olm.bundle
package: odd
name: odd.v1.0.0
image: registry.example.com/odd:1
properties:
  - type: olm.package
    value: {packageName: odd, version: "one"}
`,
  ],
  ["odd/more.json", '{"schema": "olm.bundle", "name": 7, "package": "odd"}\n{"schema": "olm.bundel", "name": "x"}\n'],
]);

describe("an image with the files of the example, and broken ones", () => {
  const FILES: Files = new Map([...filesBelow("examples/harbour/catalog"), ...BROKEN]);
  let expected: ReadonlyMap<string, string>;
  let layered: string;
  beforeAll(async () => {
    const directory = writeFiles(join(folder, "example"), FILES);
    expected = await answersByFile(EXAMPLE_LINES, { reference: directory, prefix: `${directory}/` });
    const { lowest, higher } = inLayers(FILES);
    const { reference } = await pushCatalogImage(registry.address, "same/layers:v1", lowest, { layers: higher });
    layered = reference;
  });

  test("the answers have places and excerpts of it", () => {
    const lint = expected.get("lint") ?? "";
    expect(lint).toContain("exit 1\n");
    expect(lint).toMatch(/--> SOURCE\/odd\/catalog\.yaml:5:1[\s\S]*5 \| defaultChanel: stable/);
    expect(lint).toContain('1 | {"schema": "olm.bundle", "name": 7, "package": "odd"}');
    expect(expected.get("resolve -A -o json")).toContain('"at": "SOURCE/');
  });

  test("in a registry, in three layers with whiteouts", async () => {
    await expectSame(expected, imageSource(layered));
  });

  test("in a registry, by its digest, Docker's media types, not compressed", async () => {
    const form = { format: "docker", compression: "none" } as const;
    const { digest } = await pushCatalogImage(registry.address, "same/docker:v1", FILES, form);
    await expectSame(expected, imageSource(`${registry.address}/same/docker@${digest}`));
  });

  test("in a registry, in an index", async () => {
    const image = await pushCatalogImage(registry.address, "same/index:amd64", FILES);
    const other = await pushImage(registry.address, "same/index:arm64", { layers: [], architecture: "arm64" });
    const images = { arm64: other, amd64: image };
    const { reference } = await pushIndex(registry.address, "same/index:v1", images);
    await expectSame(expected, imageSource(reference));
  });

  test("in an OCI layout", async () => {
    const path = await saveImage(folder, "layout", layered, "oci-layout");
    const reference = `oci-layout:${path}`;
    await expectSame(expected, { reference, prefix: `${reference}/configs/` });
  });

  test.for([
    ["oci-archive", "oci-archive:"],
    ["docker-archive", "docker-archive:"],
    ["oci-archive", ""],
    ["docker-archive", ""],
  ] as const)("in an archive: %s, named %s", async ([form, scheme]) => {
    const name = `${form}${scheme === "" ? "" : "-named"}.tar`;
    const path = await saveImage(folder, name, layered, form);
    await expectSame(expected, { reference: `${scheme}${path}`, prefix: `${path}/configs/` });
  });
});

/** A catalog that has the manifests of its bundles: those of the workshop, with their CRDs. */
function embedded(): readonly JsonObject[] {
  const versions = ["1.0.0", "1.1.0", "1.2.0", "1.3.0", "2.0.0", "2.1.0"];
  const bundles = versions.map((version): JsonObject => {
    const manifests = join("examples/harbour/bundles/winch", version, "manifests");
    const objects = [...filesBelow(manifests).keys()].flatMap((file) => documentsOf(join(manifests, file)));
    return {
      schema: "olm.bundle",
      name: `winch.v${version}`,
      package: "winch",
      image: `registry.example.com/winch:${version}`,
      properties: [
        { type: "olm.package", value: { packageName: "winch", version } },
        ...objects.map((object) => ({
          type: "olm.bundle.object",
          value: { data: Buffer.from(JSON.stringify(object)).toString("base64") },
        })),
      ],
    };
  });
  const entries = versions.map((version, index) => ({
    name: `winch.v${version}`,
    ...(index > 0 && { replaces: `winch.v${versions[index - 1]}` }),
  }));
  return [
    { schema: "olm.package", name: "winch", defaultChannel: "stable" },
    { schema: "olm.channel", package: "winch", name: "stable", entries },
    ...bundles,
  ];
}

/** What is asked about the winches: CRDs decide. */
const EMBEDDED_LINES = [
  "resolve -n quay-north -o json",
  "explain winch -n quay-north",
  "plan -n quay-north",
  "show winch@2.0.0 -o json",
  "lint",
] as const;

describe("a bundle and embedded manifests", () => {
  test("an image of a bundle gives the answers of its directory", async () => {
    const directory = "examples/harbour/bundles/tide-tables/1.0.0";
    const { reference } = await pushBundleImage(registry.address, "same/tides:v1", filesBelow(directory));
    const lines = ["show tide-tables@1.0.0 -o json", "show", "lint -o json"];
    const expected = await answersByFile(lines, { reference: directory, prefix: `${directory}/` });
    await expectSame(expected, { reference: `oci://${reference}`, prefix: `oci://${reference}/` });
  });

  test("an image with embedded manifests", async () => {
    const files = catalogFiles(embedded());
    const directory = writeFiles(join(folder, "embedded"), files);
    const lines = EMBEDDED_LINES;
    const expected = await answersByFile(lines, { reference: directory, prefix: `${directory}/` });
    const { reference } = await pushCatalogImage(registry.address, "same/embedded:v1", files);
    await expectSame(expected, imageSource(reference));
  });
});

/** The body of a response over TLS. */
function fetched(url: string): Promise<string> {
  return new Promise((done, failed) => {
    const sent = get(url, { ca: AUTHORITY, agent: false }, (answer) => {
      const parts: Buffer[] = [];
      answer.on("data", (part: Buffer) => parts.push(part)).on("error", failed);
      answer.on("end", () => done(Buffer.concat(parts).toString("utf8")));
    });
    sent.on("error", failed);
  });
}

/** An answer without places in the source, and without the lines of it: they differ where the documents have other files. */
function withoutPlaces(answer: string): string {
  const lines = answer.replace(/SOURCE[^\s",]*(?: \([^)]*\))?/g, "PLACE").split("\n");
  return lines
    .filter((line) => !/^\s*(?:\d+ )?\|/.test(line))
    .map((line) => line.replace(/^\s*(?=--> PLACE|= )/, ""))
    .join("\n")
    .replace(/"line": \d+,\s*"column": \d+,\s*(?="at": "PLACE")/g, "")
    .replace(/^( *)PLACE +/gm, "$1PLACE  ");
}

const EXAMPLE = exampleDocuments("catalog");

describe("catalogd", () => {
  let cluster: Cluster;
  let catalogd: Catalogd;
  beforeAll(async () => {
    cluster = await startCluster();
    const { reference } = await pushCatalogImage(registry.address, "same/served:v1", catalogFiles(EXAMPLE));
    catalogd = await startCatalogd(cluster, { image: reference, name: "hub" });
  });
  afterAll(async () => {
    await catalogd?.stop();
    await cluster.stop();
  });

  test.for(["NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE"])(
    "gives the answers of a file of what it serves: %s",
    async (variable) => {
      const url = `${catalogd.url}/api/v1/all`;
      const file = join(folder, "all.jsonl");
      writeFileSync(file, await fetched(url));
      const expected = await answersByFile(EXAMPLE_LINES, { reference: file, prefix: `${file}:` });
      const source = { reference: catalogd.url, prefix: `${url}:` };
      await expectSame(expected, source, { [variable]: join(CERTIFICATES, "authority.crt") });
    },
  );

  test("gives the answers of the files that it was built from, but for places", async () => {
    const directory = writeFiles(join(folder, "served"), catalogFiles(EXAMPLE));
    const expected = await answersByFile(EXAMPLE_LINES, { reference: directory, prefix: `${directory}/` });
    const source = { reference: catalogd.url, prefix: `${catalogd.url}/api/v1/all:` };
    const home = newHome();
    for (const [line, answer] of expected)
      expect(withoutPlaces(await answerOf(line, source, home)), line).toBe(withoutPlaces(answer));
  });
});

describe("a gRPC registry", () => {
  let opm: GrpcRegistry | undefined;
  afterAll(() => opm?.stop());

  /** Removes the finding about what a gRPC registry does not serve, in every format. */
  function withoutGap(answer: string): string {
    return answer
      .replace(/^warning\[PL017\][\s\S]*?\n\n/m, "")
      .replace(/^1 warning in the input; the rest is used\n/m, "")
      .replace("1 error, 1 warning and 2 remarks", "1 error and 2 remarks")
      .replace(/^inputFindings:\n {2}- code: PL017\n(?: {4}.*\n)+/m, "inputFindings: []\n")
      .replace(/("(?:inputFindings|findings)": )\[\s*\{\s*"code": "PL017",[^}]*\}\s*\]/, "$1[]");
  }

  function withoutDescriptions(answer: string): string {
    return answer.replace(/^( *"description": )".*"/gm, '$1""');
  }

  test("gives the answers of the files that it serves, but for places and what it names as left out", async () => {
    // No bundle of the example has manifests or olm.csv.metadata: nothing is left out that matters.
    const files = catalogFiles(servedByOpm(EXAMPLE));
    const directory = writeFiles(join(folder, "opm"), files);
    opm = await startOpm(directory);
    const lines = EXAMPLE_LINES.filter((line) => line !== "lint -o json"); // the same as lint, but with more counts
    const expected = await answersByFile(lines, { reference: directory, prefix: `${directory}/` });
    const source = { reference: `grpc://${opm.address}`, prefix: `grpc://${opm.address}:` };
    const home = newHome();
    for (const [line, answer] of expected) {
      const first = await answerOf(line, source, home);
      expect(first, line).toContain("serves no descriptions of packages, and no manifests and olm.csv.metadata");
      expect(withoutPlaces(withoutGap(first)), line).toBe(withoutDescriptions(withoutPlaces(answer)));
    }
  });
});
