// What are the catalogs of a live cluster, and how are they read? Each in the first way that leads to it, said on standard error,
// with the rights of deploy/read-role.yaml. The answer is that of the same catalogs by file.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type JsonObject, partOf } from "../../src/model/json.ts";
import { documentsOf } from "../case-documents.ts";
import { CERTIFICATES } from "../certificates.ts";
import { exampleDocuments } from "../example-documents.ts";
import { catalogFiles, servedByOpm, writeFiles } from "./catalog-files.ts";
import { type Catalogd, startCatalogd } from "./catalogd.ts";
import { type Cluster, startCluster } from "./cluster.ts";
import { type Environment, type Ran, runCommand, testFolder } from "./command.ts";
import { type Exposure, exposeService } from "./expose-service.ts";
import { writeKubeconfig } from "./kubeconfig.ts";
import { loadObjects } from "./load-objects.ts";
import { mirrorDefinitions } from "./mirror-definitions.ts";
import { type GrpcRegistry, startOpm } from "./opm.ts";
import { type ApiProxy, startProxy } from "./proxy.ts";
import { filesBelow, type PushedImage, pushCatalogImage } from "./push-image.ts";
import { type Registry, startRegistry } from "./registry.ts";
import { type SecureRegistry, startSecureRegistry } from "./secure-registry.ts";

const folder = testFolder("own-catalogs");
const OLM = "operators.coreos.com/v1alpha1";
const LOGIN = { user: "keeper", password: "lamp-oil-7-secret" };
const BY_FILE = [
  ...["--catalog", "olm/harbour=examples/harbour/catalog"],
  ...["--catalog", "olm/partner=examples/harbour/partner-catalog,priority=20"],
  ...["--catalog", "olm/workshop=examples/harbour/bundles,priority=10"],
];

let registry: Registry;
let opm: GrpcRegistry;
let cluster: Cluster;
let proxy: ApiProxy;
let harbour: PushedImage;
let workshop: PushedImage;

function catalogSource(namespace: string, name: string, spec: JsonObject): JsonObject {
  return { apiVersion: OLM, kind: "CatalogSource", metadata: { namespace, name }, spec };
}

/** The documents of a catalog with one package. */
function onePackage(name: string): readonly JsonObject[] {
  return [
    { schema: "olm.package", name, defaultChannel: "stable" },
    { schema: "olm.channel", package: name, name: "stable", entries: [{ name: `${name}.v1.0.0` }] },
    {
      schema: "olm.bundle",
      name: `${name}.v1.0.0`,
      package: name,
      image: `registry.example.com/${name}:1.0.0`,
      properties: [{ type: "olm.package", value: { packageName: name, version: "1.0.0" } }],
    },
  ];
}

/** A kubeconfig of the service account of the read role, or of the administrator. */
async function kubeconfigOf(who: "reader" | "admin", server: string): Promise<string> {
  if (who === "admin")
    return writeKubeconfig(folder, { server, name: who, user: { token: cluster.tokens.admin as string } });
  const path = "/api/v1/namespaces/plimsoll/serviceaccounts/plimsoll-reader/token";
  const request = { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: { expirationSeconds: 7200 } };
  const { body } = await cluster.admin.call("POST", path, request);
  return writeKubeconfig(folder, { server, name: who, user: { token: partOf(body, "status").token as string } });
}

let reader: string;

/** Runs a command on the cluster with the rights of the read role. */
function run(line: string, more: readonly string[] = [], environment: Environment = {}): Promise<Ran> {
  const [command, ...rest] = line.split(" ") as [string, ...string[]];
  return runCommand([command, ...rest, "--live", "--kubeconfig", reader, ...more], folder, environment);
}

/** What standard error says about the ways of catalogs: their names, and the rest of the line. */
function waysIn(err: string): Readonly<Record<string, string>> {
  const lines = [...err.matchAll(/^plimsoll: catalog (\S+) was read from (.*)$/gm)];
  return Object.fromEntries(lines.map(([, name, way]) => [name, way]));
}

/** Without the finding about what the gRPC registry does not serve, in every format. */
function withoutGap(text: string): string {
  return text
    .replace(/^warning\[PL017\][\s\S]*?\n\n/m, "")
    .replace(/^1 warning in the input; the rest is used\n/m, "")
    .replace(/("inputFindings": )\[\s*\{\s*"code": "PL017",[^}]*\}\s*\]/, "$1[]");
}

/** Without places, lines of files, and what says how catalogs were read. */
function comparable({ code, out, err }: Ran): string {
  return withoutGap(`exit ${code}\n${out}\n--- standard error\n${err}`)
    .replace(/^plimsoll: catalog \S+ was read from .*\n/gm, "")
    .replace(
      /(?:oci:\/\/|grpc:\/\/|https:\/\/127|examples\/harbour\/(?:catalog|partner-catalog|bundles))[^\s",]*/g,
      "PLACE",
    )
    .replace(/^( *\S+)(?: \([^)]*\))? {2,}/gm, "$1  ")
    .replace(/"line": \d+,\s*"column": \d+,\s*(?="at": "PLACE)/g, "")
    .replace(/ --catalog olm\/\S+/g, "");
}

beforeAll(async () => {
  [registry, cluster] = await Promise.all([startRegistry(), startCluster()]);
  harbour = await pushCatalogImage(registry.address, "harbour/catalog:v1", filesBelow("examples/harbour/catalog"));
  workshop = await pushCatalogImage(registry.address, "harbour/workshop:v1", filesBelow("examples/harbour/bundles"));
  const partner = catalogFiles(servedByOpm(exampleDocuments("partner-catalog")));
  opm = await startOpm(writeFiles(join(folder, "partner"), partner));
  await loadObjects(cluster.admin, [...documentsOf("test/e2e/crds.yaml"), ...mirrorDefinitions()]);
  await loadObjects(cluster.admin, documentsOf("deploy/read-role.yaml"));
  const isSource = ({ kind }: JsonObject): boolean => kind === "CatalogSource";
  await loadObjects(cluster.admin, [
    ...exampleDocuments("cluster").filter((object) => !isSource(object)),
    catalogSource("olm", "harbour", { sourceType: "grpc", image: harbour.reference }),
    catalogSource("olm", "partner", { sourceType: "grpc", address: opm.address, priority: 20 }),
    catalogSource("olm", "workshop", { sourceType: "grpc", image: workshop.reference, priority: 10 }),
  ]);
  proxy = await startProxy({ server: cluster.server });
  reader = await kubeconfigOf("reader", proxy.server);
});
afterAll(async () => {
  await proxy?.stop();
  await opm?.stop();
  await cluster?.stop();
  await registry?.stop();
});

describe("CatalogSources", () => {
  test("are read without --catalog, each in its way", async () => {
    const { code, err } = await run("resolve -A --no-instances");
    expect(waysIn(err)).toEqual({
      "olm/harbour": `oci://${harbour.reference}@${harbour.digest}`,
      "olm/workshop": `oci://${workshop.reference}@${workshop.digest}`,
      "olm/partner": `grpc://${opm.address}`,
    });
    expect(code).toBe(0);
  });

  test.for([
    "resolve -A --no-instances",
    "resolve -n quay-north --no-instances -o json",
    "explain lading -n cargo --no-instances",
    "plan -A --no-instances",
    "show",
    "show winch@2.0.0",
  ])("give the answer of the same catalogs by file: %s", async (line) => {
    const own = await run(line);
    const given = await run(line, BY_FILE);
    expect(given.out).not.toBe("");
    expect(comparable(own)).toBe(comparable(given));
  });

  test("-q says nothing about ways, and -v says it once", async () => {
    expect((await run("show -q")).err).not.toContain("was read from");
    const { err } = await run("show -v");
    expect(err.match(/harbour.* from oci:/g)).toHaveLength(1);
  });
});

describe("a cluster with catalogs of several namespaces", () => {
  const SUBSCRIPTION = (namespace: string): JsonObject => ({
    apiVersion: OLM,
    kind: "Subscription",
    metadata: { namespace, name: "anchor" },
    spec: { name: "anchor", channel: "stable", source: "team", sourceNamespace: namespace },
  });
  const files: string[] = [];
  beforeAll(async () => {
    const { reference } = await pushCatalogImage(registry.address, "team/a:v1", catalogFiles(onePackage("anchor")));
    const objects: Readonly<Record<string, readonly JsonObject[]>> = {
      "team-a": [catalogSource("team-a", "team", { sourceType: "grpc", image: reference }), SUBSCRIPTION("team-a")],
      "team-b": [SUBSCRIPTION("team-b")],
      "team-c": [
        catalogSource("team-c", "gone", { sourceType: "grpc", image: `${registry.address}/team/gone:v1` }),
        catalogSource("team-c", "table", { sourceType: "configmap", configMap: "table" }),
        catalogSource("team-c", "served", { sourceType: "grpc", address: "127.0.0.1:1" }),
      ],
    };
    for (const [name, items] of Object.entries(objects)) {
      const file = join(folder, `${name}.json`);
      writeFileSync(file, JSON.stringify({ apiVersion: "v1", kind: "List", items }));
      files.push("-f", file);
    }
  });

  test("-n reads those in reach, also those of -f", async () => {
    const { err, out } = await run("resolve -n team-a --no-instances", files);
    expect(Object.keys(waysIn(err)).sort()).toEqual(["olm/harbour", "olm/partner", "olm/workshop", "team-a/team"]);
    expect(out).toContain("install  anchor");
    expect(err).not.toContain("team-c");
  });

  test("a catalog of one namespace is not used by another", async () => {
    const { out } = await run("resolve -A --no-instances", files);
    const [, ofA = ""] = out.split("namespace team-a:");
    expect(ofA.split("namespace team-b")[0]).toContain("install  anchor");
    const [, ofB = ""] = /namespace team-b([\s\S]*)/.exec(out) ?? [];
    expect(ofB).not.toContain("install  anchor");
  });

  test("those that cannot be read are said with what to do, and the others answer", async () => {
    const { code, out, err } = await run("resolve -n team-c anchor --no-instances", [...files]);
    expect(code).toBe(4);
    expect(err).toContain(`catalog team-c/gone cannot be read: there is no image ${registry.address}/team/gone:v1`);
    expect(err).toContain(
      "kubectl port-forward -n team-c service/gone 50051, then --catalog team-c/gone=grpc://127.0.0.1:50051",
    );
    expect(err).toContain("catalog team-c/table cannot be read: there is no way to read it");
    expect(err).toContain(
      "a CatalogSource of type configmap is not read; give its content with --catalog team-c/table=PATH",
    );
    expect(err).toContain("catalog team-c/served cannot be read: the gRPC registry 127.0.0.1:1 ");
    expect(Object.keys(waysIn(err)).sort()).toEqual(["olm/harbour", "olm/partner", "olm/workshop"]);
    expect(out).toContain("catalog team-c/gone is not available");
  });
});

describe("mirrors that the cluster declares", () => {
  test.for([
    ["ImageTagMirrorSet", "config.openshift.io/v1", "imageTagMirrors", "tag"],
    ["ImageDigestMirrorSet", "config.openshift.io/v1", "imageDigestMirrors", "digest"],
    ["ImageContentSourcePolicy", "operator.openshift.io/v1alpha1", "repositoryDigestMirrors", "digest"],
  ] as const)("%s", async ([kind, apiVersion, list, by]) => {
    const name = kind.toLowerCase();
    const { digest } = await pushCatalogImage(registry.address, `mirrored/${name}:v1`, catalogFiles(onePackage(name)));
    const host = `${name}.example.com`;
    const mirrors = [{ source: `${host}/elsewhere`, mirrors: [`${registry.address}/mirrored`] }];
    await loadObjects(cluster.admin, [{ apiVersion, kind, metadata: { name: "test" }, spec: { [list]: mirrors } }]);
    const rest = `${name}${by === "tag" ? ":v1" : `@${digest}`}`;
    const file = join(folder, `${kind}.json`);
    const image = `${host}/elsewhere/${rest}`;
    writeFileSync(file, JSON.stringify(catalogSource("mirrored", "far", { sourceType: "grpc", image })));
    const { err } = await run("show", ["-f", file]);
    const shown = by === "tag" ? `${image}@${digest}` : image;
    expect(waysIn(err)["mirrored/far"]).toBe(`oci://${shown}, mirror ${registry.address}/mirrored/${rest}`);
  });
});

describe("pull secrets", () => {
  let secure: SecureRegistry;
  const file = join(folder, "secret-source.json");
  beforeAll(async () => {
    secure = await startSecureRegistry({ ...LOGIN, by: "token" });
    await pushCatalogImage(secure.backend, "team/secret:v1", catalogFiles(onePackage("anchor")));
    const auth = Buffer.from(`${LOGIN.user}:${LOGIN.password}`).toString("base64");
    const config = JSON.stringify({ auths: { [secure.address]: { auth } } });
    await loadObjects(cluster.admin, [
      {
        apiVersion: "v1",
        kind: "Secret",
        type: "kubernetes.io/dockerconfigjson",
        metadata: { namespace: "team-s", name: "pull" },
        data: { ".dockerconfigjson": Buffer.from(config).toString("base64") },
      },
    ]);
    const image = `${secure.address}/team/secret:v1`;
    const source = catalogSource("team-s", "closed", { sourceType: "grpc", image, secrets: ["pull"] });
    writeFileSync(file, JSON.stringify(source));
  });
  afterAll(() => secure?.stop());

  const secretsIn = (from: number): readonly string[] =>
    proxy.seen.slice(from).flatMap(({ path }) => (path.includes("secrets") ? [path] : []));

  test("are not read unless asked for, and the hint says how", async () => {
    const before = proxy.seen.length;
    const { code, err, out } = await run("show", ["-f", file]);
    expect(code).toBe(4);
    expect(err).toContain(`the registry ${secure.address} wants credentials`);
    expect(err).toContain("add --pull-secrets, which reads its pull secret pull");
    expect(secretsIn(before)).toEqual([]);
    expect(out).toContain("lantern");
  });

  test("are used with --pull-secrets by a user who may read them, and appear nowhere", async () => {
    const admin = await kubeconfigOf("admin", proxy.server);
    const before = proxy.seen.length;
    const args = ["show", "--kubeconfig", admin, "-f", file, "--pull-secrets", "-v"];
    const { err, out } = await runCommand(args, folder);
    expect(out).toContain("anchor");
    expect(secretsIn(before)).toContain("/api/v1/namespaces/team-s/secrets/pull");
    for (const secret of [LOGIN.password, Buffer.from(`${LOGIN.user}:${LOGIN.password}`).toString("base64")])
      expect(out + err).not.toContain(secret);
  });

  test("are said if they may not be read", async () => {
    const { code, err } = await run("show", ["-f", file, "--pull-secrets"]);
    expect(code).toBe(4);
    expect(err).toMatch(/^plimsoll: the pull secret team-s\/pull could not be read: .*forbidden/m);
  });
});

describe("ClusterCatalogs", () => {
  let second: Registry;
  let catalogd: Catalogd;
  let exposure: Exposure;
  let image: PushedImage;
  const SERVICE = { namespace: "olmv1-system", name: "catalogd-service" };
  beforeAll(async () => {
    second = await startRegistry();
    image = await pushCatalogImage(second.address, "hub/catalog:v1", catalogFiles(exampleDocuments("catalog")));
    const host = `${SERVICE.name}.${SERVICE.namespace}.svc`;
    catalogd = await startCatalogd(cluster, { image: image.reference, name: "hub", externalAddress: host });
    exposure = await exposeService(cluster, { ...SERVICE, port: 443, target: catalogd.address });
    await loadObjects(cluster.admin, documentsOf("examples/guides/extensions.yaml"));
  });
  afterAll(async () => {
    await exposure?.stop();
    await catalogd?.stop();
    await second?.stop();
  });
  const QUESTION = "resolve --scope cluster --no-instances -o json";
  const BY_FILE_TOO = ["--catalog", "hub=examples/harbour/catalog"];
  const answer = (text: string): string =>
    withoutGap(text).replace(/(?:oci:\/\/|https:\/\/|cluster\/api\/v1\/|examples\/harbour\/catalog)[^\s",]*/g, "PLACE");

  test("are read by their image", async () => {
    const { out, err } = await run(QUESTION);
    expect(waysIn(err).hub).toBe(`oci://${second.address}/hub/catalog@${image.digest}`);
    expect(answer(out)).toBe(answer((await run(QUESTION, BY_FILE_TOO)).out));
  });

  test("are read from catalogd through the API server if the image cannot be had", async () => {
    await second.stop();
    const before = proxy.seen.length;
    const { out, err } = await run(QUESTION, [], { XDG_CACHE_HOME: join(folder, "cold") });
    expect(err).toContain(
      "catalog hub was read from catalogd behind the Service olmv1-system/catalogd-service (by the API server)\n",
    );
    expect(answer(out)).toBe(answer((await run(QUESTION, BY_FILE_TOO)).out));
    expect(proxy.seen.slice(before).filter(({ path }) => path.includes("/proxy/"))).toHaveLength(1);
    const again = await run(QUESTION, [], { XDG_CACHE_HOME: join(folder, "cold") });
    expect(again.out).toBe(out);
  });

  test("are read from catalogd directly if its address can be reached", async () => {
    const file = join(folder, "hub.json");
    const spec = { source: { type: "Image", image: { ref: "127.0.0.1:1/hub/catalog:v1" } } };
    const object = {
      apiVersion: "olm.operatorframework.io/v1",
      kind: "ClusterCatalog",
      metadata: { name: "hub" },
      spec,
    };
    writeFileSync(file, JSON.stringify({ ...object, status: { urls: { base: catalogd.url } } }));
    const environment = { NODE_EXTRA_CA_CERTS: join(CERTIFICATES, "authority.crt") };
    const { out, err } = await run(QUESTION, ["-f", file], environment);
    expect(waysIn(err).hub).toBe(`${catalogd.url}/api/v1/all`);
    expect(answer(out)).toBe(answer((await run(QUESTION, ["-f", file, ...BY_FILE_TOO])).out));
  });

  test("that cannot be reached name each way that was tried", async () => {
    await exposure.stop();
    await catalogd.stop();
    const { code, err } = await run(QUESTION, [], { XDG_CACHE_HOME: join(folder, "colder") });
    expect(code).toBe(4);
    expect(err).toMatch(
      /catalog hub cannot be read: the image 127\.0\.0\.1:\d+\/hub\/catalog@sha256:\w+: .*; catalogd behind the Service olmv1-system\/catalogd-service \(by the API server\): /,
    );
    expect(err).toContain("then --catalog hub=https://127.0.0.1:8443/catalogs/hub");
  });
});
