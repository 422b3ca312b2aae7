// Which mirrors does a machine have, and is an image read from the first that has it?
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { mirroredImage } from "../../src/oci/mirrored.ts";
import type { MirrorRule } from "../../src/oci/mirrors.ts";
import { openImage } from "../../src/oci/read-image.ts";
import { registriesConf } from "../../src/oci/registries-conf.ts";
import { atEnd } from "../at-end.ts";
import { failureOf, folder } from "../kube/scripted-server.ts";
import {
  bytesOf,
  errors,
  NEVER,
  OCI_INDEX,
  OCI_MANIFEST,
  proxyTo,
  reference,
  scriptedRegistry,
  testImage,
  testOptions,
} from "./scripted-registry.ts";

const IMAGE = testImage([Buffer.from("layer")]);
const [LAYER] = IMAGE.layers as [(typeof IMAGE.layers)[number]];

/** The rules of these files; `home` and `etc` are their folders. */
async function rulesOf(files: Readonly<Record<string, string>>, environment: NodeJS.ProcessEnv = {}) {
  const root = folder();
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const resolved = Object.fromEntries(
    Object.entries(environment).map(([name, value]) => [name, value?.replace("ROOT", root)]),
  );
  return registriesConf({ environment: resolved, home: join(root, "home"), system: join(root, "etc") });
}

const USER = "home/.config/containers/registries.conf";
const SYSTEM = "etc/containers/registries.conf";

test("a whole file", async () => {
  const [first, second, ...rest] = await rulesOf({
    [SYSTEM]: `
unqualified-search-registries = ["docker.io"]
short-name-mode = "enforcing"

[[registry]]
prefix = "*.example.com/"
insecure = true
mirror-by-digest-only = true
[[registry.mirror]]
location = "m.example:5000/"
insecure = true
[[registry.mirror]]
location = "n.example"
pull-from-mirror = "tag-only"

[[registry]]
location = "quay.io/ns"
prefix = "old.example/ns"
blocked = true

[aliases]
"fedora" = "registry.fedoraproject.org/fedora"
`,
  });
  expect(rest).toEqual([]);
  expect(first).toMatchObject({
    source: "*.example.com",
    isInsecure: true,
    isBlocked: false,
    mirrors: [
      { location: "m.example:5000", isInsecure: true, pulls: "digest" },
      { location: "n.example", isInsecure: false, pulls: "tag" },
    ],
  });
  expect(second).toMatchObject({ source: "old.example/ns", location: "quay.io/ns", isBlocked: true, mirrors: [] });
});

function registry(prefix: string, mirror: string): string {
  return `[[registry]]\nprefix = "${prefix}"\n[[registry.mirror]]\nlocation = "${mirror}"\n`;
}

test("which files, and in which order", async () => {
  const files = {
    [SYSTEM]: registry("a.example", "system"),
    "etc/containers/registries.conf.d/50.conf": registry("b.example", "system-50"),
    "etc/containers/registries.conf.d/60.conf": registry("b.example", "system-60"),
    "etc/containers/registries.conf.d/README": "not read",
    "home/.config/containers/registries.conf.d/50.conf": registry("a.example", "user-50"),
    "other/containers/registries.conf.d/x.conf": registry("c.example", "xdg"),
    "named.conf": registry("d.example", "named"),
  };
  const shown = (rules: readonly MirrorRule[]): readonly string[] =>
    rules.map(({ source, mirrors }) => `${source} ${mirrors[0]?.location}`);
  expect(shown(await rulesOf(files))).toEqual(["a.example user-50", "b.example system-60"]);
  expect(shown(await rulesOf({ ...files, [USER]: registry("e.example", "user") }))).toEqual([
    "e.example user",
    "a.example user-50",
  ]);
  expect(shown(await rulesOf(files, { XDG_CONFIG_HOME: "ROOT/other" }))).toEqual([
    "a.example system",
    "b.example system-60",
    "c.example xdg",
  ]);
  expect(shown(await rulesOf(files, { CONTAINERS_REGISTRIES_CONF: "ROOT/named.conf" }))).toEqual([
    "d.example named",
    "b.example system-60",
    "a.example user-50",
  ]);
  expect(await rulesOf({})).toEqual([]);
});

test.for<[string, RegExp]>([
  ['[[registry]]\nprefix = "a"\nlocation = b\n', /^the file ".*registries\.conf" is not TOML: line 3$/],
  [
    "[[registry]]\ninsecure = true\n",
    /^\[\[registry\]\] number 1 of the file ".*" has neither a prefix nor a location$/,
  ],
  ['[[registry]]\nprefix = "a"\n[[registry.mirror]]\ninsecure = true\n', / has a mirror without a location$/],
  [`${registry("a", "b")}pull-from-mirror = "never"\n`, / has the pull-from-mirror "never", which is not one of all, /],
  [`a = ${"[".repeat(100_000)}`, /is not TOML: line 1$/],
])("a broken file: %.40j", async ([text, message]) => {
  const failure = await failureOf(rulesOf({ [SYSTEM]: text }));
  expect(failure.kind).toBe("config");
  expect(failure.message).toMatch(message);
});

test("a file that is named and does not exist", async () => {
  const failure = await failureOf(rulesOf({}, { CONTAINERS_REGISTRIES_CONF: "/nonexistent" }));
  expect(failure.message).toBe('the configuration of registries cannot be read: "/nonexistent": no such file');
});

function mirrors(source: string, locations: readonly string[], more: Partial<MirrorRule> = {}): MirrorRule {
  return {
    source,
    mirrors: locations.map((location) => ({ location, isInsecure: false, pulls: "all" })),
    isBlocked: false,
    isInsecure: false,
    origin: "the test",
    ...more,
  };
}

test("one after the other, and the one that answered for the rest", async () => {
  const empty = await scriptedRegistry({ manifests: {}, blobs: {} });
  const full = await scriptedRegistry(IMAGE);
  const source = await scriptedRegistry(IMAGE);
  const rules = [mirrors(`${source.host}/ns`, [`${empty.host}/x`, `${full.host}/y`])];
  const image = mirroredImage(reference(`${source.host}/ns/index:v1`), rules, testOptions());
  atEnd(() => image.close());
  expect(image.usedLocation).toBeUndefined();
  expect((await image.manifest(NEVER)).digest).toBe(IMAGE.digest);
  expect(image.usedLocation).toBe(`${full.host}/y/index:v1`);
  expect(image.name).toBe(`the registry ${full.host}`);
  expect(await bytesOf(image.blob(LAYER, NEVER))).toHaveLength(LAYER.size);
  expect((await image.manifest(NEVER)).digest).toBe(IMAGE.digest);
  expect([empty.asked.length, source.asked.length]).toEqual([1, 0]);
  expect(full.asked.map(({ path }) => path)).toEqual([
    "/v2/y/index/manifests/v1",
    `/v2/y/index/blobs/${LAYER.digest}`,
    "/v2/y/index/manifests/v1",
  ]);
});

test("a mirror with some platforms of an index is enough, also if nothing else can be reached", async () => {
  const absent = { mediaType: OCI_MANIFEST, digest: `sha256:${"0".repeat(64)}`, size: 10 };
  const present = { mediaType: OCI_MANIFEST, digest: IMAGE.digest, size: IMAGE.manifests.v1?.bytes.length };
  const platform = (architecture: string): object => ({ platform: { os: "linux", architecture } });
  const manifests = [
    { ...absent, ...platform("amd64") },
    { ...present, ...platform("arm64") },
  ];
  const bytes = Buffer.from(JSON.stringify({ schemaVersion: 2, mediaType: OCI_INDEX, manifests }));
  const all = { mediaType: OCI_INDEX, bytes };
  const mirror = await scriptedRegistry({ ...IMAGE, manifests: { ...IMAGE.manifests, all } });
  const source = await scriptedRegistry(IMAGE);
  source.faults.set("/v2/", (_, response) => errors(response, 403, "DENIED", "not from here"));
  const rules = [mirrors(source.host, [mirror.host])];
  const image = mirroredImage(reference(`${source.host}/ns/index:all`), rules, testOptions());
  atEnd(() => image.close());
  expect((await openImage(image, NEVER)).digest).toBe(IMAGE.digest);
});

test("a mirror without the blob, or that lies about the digest, is not the last word", async () => {
  const mirror = await scriptedRegistry(IMAGE);
  const source = await scriptedRegistry(IMAGE);
  mirror.faults.set("/blobs/", (_, response) => errors(response, 404, "BLOB_UNKNOWN", "gone"));
  const rules = [mirrors(source.host, [mirror.host])];
  const image = mirroredImage(reference(`${source.host}/a@${IMAGE.digest}`), rules, testOptions());
  atEnd(() => image.close());
  await image.manifest(NEVER);
  expect(image.usedLocation).toContain(mirror.host);
  expect(await bytesOf(image.blob(LAYER, NEVER))).toHaveLength(LAYER.size);
  mirror.faults.set("/manifests/", (_, response) => response.end('{"layers":[]}'));
  expect((await image.manifest(NEVER)).digest).toBe(IMAGE.digest);
  expect(image.usedLocation).toContain(source.host);
});

test("if none has it, every place with its reason", async () => {
  const one = await scriptedRegistry({ manifests: {}, blobs: {} });
  const source = await scriptedRegistry(IMAGE, { challenge: () => "Basic" });
  const rules = [
    mirrors(source.host, [one.host, "blocked.example"]),
    mirrors("blocked.example", [], { isBlocked: true }),
  ];
  const image = mirroredImage(reference(`${source.host}/a:v1`), rules, testOptions());
  atEnd(() => image.close());
  const failure = await failureOf(image.manifest(NEVER));
  expect(failure.message).toBe(
    `the image ${source.host}/a:v1 cannot be read from 3 places: ` +
      `${one.host}/a:v1: there is no image ${one.host}/a:v1: unknown to registry; ` +
      `${source.host}/a:v1: the registry ${source.host} wants credentials for the image ${source.host}/a:v1, and there are none for it; ` +
      "blocked.example/a:v1: it is blocked by the test",
  );
  expect(failure).toMatchObject({
    kind: "unauthorized",
    status: 401,
    help: expect.stringMatching(/^log in with podman/),
  });
  expect((await failureOf(() => bytesOf(image.blob(LAYER, NEVER)))).message).toContain("cannot be read from 3 places");
});

test("one place without mirrors fails as itself; all blocked is the configuration's failure", async () => {
  const { host } = await scriptedRegistry({ manifests: {}, blobs: {} });
  const alone = mirroredImage(reference(`${host}/a:v1`), [], testOptions());
  expect((await failureOf(alone.manifest(NEVER))).message).toBe(`there is no image ${host}/a:v1: unknown to registry`);
  const blocked = [mirrors("quay.io", [], { isBlocked: true })];
  expect(await failureOf(() => mirroredImage(reference("quay.io/a:v1"), blocked, testOptions()))).toMatchObject({
    kind: "config",
    message: "the image quay.io/a:v1 cannot be read: quay.io/a:v1: it is blocked by the test",
  });
});

test("cancelling does not go on to the next place", async () => {
  const one = await scriptedRegistry(IMAGE);
  const source = await scriptedRegistry(IMAGE);
  const stop = new AbortController();
  one.faults.set("/", () => stop.abort());
  const image = mirroredImage(reference(`${source.host}/a:v1`), [mirrors(source.host, [one.host])], testOptions());
  atEnd(() => image.close());
  expect(await failureOf(image.manifest(stop.signal))).toMatchObject({ kind: "cancelled" });
  expect(source.asked).toHaveLength(0);
});

test("a mirror that is insecure is not verified; the authorities of certs.d are trusted", async () => {
  const mirror = await scriptedRegistry(IMAGE, { name: "elsewhere" });
  const proxy = await proxyTo({ "elsewhere.example:443": mirror.port, "mirror.example:443": mirror.port });
  const environment = { HTTPS_PROXY: proxy.url };
  const insecure = { location: "mirror.example", isInsecure: true, pulls: "all" as const };
  const read = async (rules: readonly MirrorRule[], text: string, home: string): Promise<string> => {
    const image = mirroredImage(reference(text), rules, { ...testOptions(), environment, home });
    atEnd(() => image.close());
    return (await image.manifest(NEVER)).digest;
  };
  const home = folder();
  const rules = [mirrors("quay.io", [], { mirrors: [insecure] })];
  expect(await read(rules, "quay.io/a:v1", home)).toBe(IMAGE.digest);
  expect((await failureOf(read([], "elsewhere.example/a:v1", home))).kind).toBe("certificate");
  const directory = join(home, ".config/containers/certs.d/elsewhere.example");
  mkdirSync(directory, { recursive: true });
  const { AUTHORITY } = await import("../certificates.ts");
  writeFileSync(join(directory, "ca.crt"), AUTHORITY);
  expect(await read([], "elsewhere.example/a:v1", home)).toBe(IMAGE.digest);
});
