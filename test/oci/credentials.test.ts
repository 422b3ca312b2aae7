// Which login does a user have for a registry? The files and programs of docker and podman, and pull secrets.
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { inspect } from "node:util";
import { expect, test } from "vitest";
import { pullSecretCredentials, userCredentials } from "../../src/oci/credentials.ts";
import { type Credentials, combinedCredentials, type Login } from "../../src/oci/login.ts";
import { failureOf, folder } from "../kube/scripted-server.ts";
import { NEVER } from "./scripted-registry.ts";

const SECRET = "pass:word-of-me";

function auth(user: string, password = SECRET): { readonly auth: string } {
  return { auth: Buffer.from(`${user}:${password}`).toString("base64") };
}

/** A home directory with these files; programs are executable. */
function homeWith(files: Readonly<Record<string, unknown>>): string {
  const home = folder();
  for (const [path, content] of Object.entries(files)) {
    const file = join(home, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
    if (path.startsWith("bin/")) chmodSync(file, 0o755);
  }
  return home;
}

function credentialsIn(files: Readonly<Record<string, unknown>>, environment: NodeJS.ProcessEnv = {}): Credentials {
  const home = homeWith(files);
  const resolved = Object.fromEntries(
    Object.entries(environment).map(([name, value]) => [name, value?.replace("HOME", home)]),
  );
  return userCredentials({ environment: { PATH: `${home}/bin:/usr/bin:/bin`, ...resolved }, home });
}

/** The user and the password of a login. */
function shown(login: Login | undefined): string | undefined {
  const identity = login?.identityToken();
  if (identity !== undefined) return `identity ${identity}`;
  return login && Buffer.from(login.basic().replace(/^Basic /, ""), "base64").toString();
}

async function found(credentials: Credentials, registry: string, repository?: string): Promise<string | undefined> {
  return shown(await credentials.login(registry, repository, NEVER));
}

const DOCKER = ".docker/config.json";
const PODMAN = ".config/containers/auth.json";

test("files in the order of podman", async () => {
  const files = {
    "run/containers/auth.json": { auths: { "one.example": auth("runtime") } },
    [PODMAN]: { auths: { "one.example": auth("config"), "two.example": auth("config") } },
    [DOCKER]: { auths: { "two.example": auth("docker"), "three.example": auth("docker") } },
    ".dockercfg": { "https://three.example": auth("legacy"), "four.example": auth("legacy") },
    "named.json": { auths: { "four.example": auth("named") } },
    "xdg/containers/auth.json": { auths: { "two.example": auth("xdg") } },
    "other/config.json": { auths: { "three.example": auth("other") } },
  };
  const all = async (environment: NodeJS.ProcessEnv): Promise<unknown> => {
    const credentials = credentialsIn(files, environment);
    const users: (string | undefined)[] = [];
    for (const host of ["one.example", "two.example", "three.example", "four.example", "five.example"])
      users.push((await found(credentials, host))?.replace(/:.*/, ""));
    return users;
  };
  expect(await all({})).toEqual(["config", "config", "docker", "legacy", undefined]);
  expect(await all({ XDG_RUNTIME_DIR: "HOME/run" })).toEqual(["runtime", "config", "docker", "legacy", undefined]);
  const moved = { XDG_CONFIG_HOME: "HOME/xdg", DOCKER_CONFIG: "HOME/other" };
  expect(await all(moved)).toEqual([undefined, "xdg", "other", "legacy", undefined]);
  expect(await all({ REGISTRY_AUTH_FILE: "HOME/named.json" })).toEqual([
    undefined,
    undefined,
    undefined,
    "named",
    undefined,
  ]);
});

test("keys: Docker Hub, addresses, paths, ports", async () => {
  const credentials = credentialsIn({
    [DOCKER]: {
      auths: {
        "https://index.docker.io/v1/": auth("hub"),
        "https://a.example/v2/": auth("a"),
        "quay.io": auth("quay"),
        "quay.io/ns": auth("ns"),
        "quay.io/ns/name": auth("name"),
        "B.Example:5000": auth("b"),
        "empty.example": {},
        "named.example": { username: "me", password: "x" },
        "identity.example": { ...auth("<token>", ""), identitytoken: "abc" },
        "zero.example": { auth: Buffer.from("me:pw\0\0").toString("base64") },
      },
    },
  });
  expect(await found(credentials, "docker.io", "library/busybox")).toBe(`hub:${SECRET}`);
  expect(await found(credentials, "a.example", "x")).toBe(`a:${SECRET}`);
  expect(await found(credentials, "quay.io", "other")).toBe(`quay:${SECRET}`);
  expect(await found(credentials, "quay.io", "nsx/y")).toBe(`quay:${SECRET}`);
  expect(await found(credentials, "quay.io", "ns/other")).toBe(`ns:${SECRET}`);
  expect(await found(credentials, "quay.io", "ns/name")).toBe(`name:${SECRET}`);
  expect(await found(credentials, "b.example:5000", "x")).toBe(`b:${SECRET}`);
  expect(await found(credentials, "b.example", "x")).toBeUndefined();
  expect(await found(credentials, "empty.example")).toBeUndefined();
  expect(await found(credentials, "named.example")).toBe("me:x");
  expect(await found(credentials, "identity.example")).toBe("identity abc");
  expect(await found(credentials, "zero.example")).toBe("me:pw");
  expect(await found(credentials, "constructor")).toBeUndefined();
});

test.for<[string, string, RegExp]>([
  ["text", `{\n  "auths": {\n    "x": { "auth": "${SECRET}" },,\n`, /is not JSON: line 3$/],
  ["cut off", `{"auths": {"x": {"auth": "${SECRET}`, /is not JSON(: line 1)?$/],
  ["a list", `["${SECRET}"]`, /is not a JSON object$/],
  ["auths as a list", `{"auths": ["${SECRET}"]}`, /has auths that are not a map of registries$/],
  [
    "no user",
    `{"auths": {"x.example": {"auth": "${Buffer.from(SECRET.replace(":", "")).toString("base64")}"}}}`,
    /the auth of "x\.example" in the file ".*" is not a user name and a password$/,
  ],
])("a broken file: %s", async ([, text, message]) => {
  const credentials = credentialsIn({ [DOCKER]: text });
  const failure = await failureOf(credentials.login("x.example", "a", NEVER));
  expect(failure.kind).toBe("config");
  expect(failure.message).toMatch(message);
  expect(failure.message).toContain("config.json");
  expect(inspect(failure)).not.toContain("word-of");
  expect(inspect(failure)).not.toContain(Buffer.from("password-of").toString("base64").slice(0, 8));
});

test("a file that is named and does not exist", async () => {
  const failure = await failureOf(credentialsIn({}, { REGISTRY_AUTH_FILE: "HOME/none" }).login("x", "a", NEVER));
  expect(failure).toMatchObject({ kind: "config", help: "correct REGISTRY_AUTH_FILE, or unset it" });
  expect(failure.message).toMatch(/^the file of registry credentials cannot be read: ".*\/none": no such file$/);
});

const HELPER = `#!/bin/sh
read server
echo "$1 $server" >>"$(dirname "$0")/asked"
case "$server" in
  known.example|docker.io) printf '{"ServerURL":"x","Username":"helped","Secret":"${SECRET}"}' ;;
  identity.example) printf '{"Username":"<token>","Secret":"abc"}' ;;
  broken.example) echo "cannot unlock token=${SECRET}" >&2; exit 3 ;;
  rubbish.example) echo "${SECRET}" ;;
  large.example) head -c 2000000 /dev/zero ;;
  *) echo "credentials not found in native keychain"; exit 1 ;;
esac
`;

test("credential helpers", async () => {
  const files = {
    "bin/docker-credential-test": HELPER,
    [DOCKER]: {
      credsStore: "test",
      credHelpers: { "missing.example": "missing", "quay.io/ns": "test" },
      auths: { "known.example": {}, "own.example": auth("own"), "quay.io": auth("quay") },
    },
  };
  const credentials = credentialsIn(files);
  expect(await found(credentials, "known.example", "a/b")).toBe(`helped:${SECRET}`);
  expect(await found(credentials, "known.example", "a/c")).toBe(`helped:${SECRET}`);
  expect(await found(credentials, "docker.io", "library/x")).toBe(`helped:${SECRET}`);
  expect(await found(credentials, "identity.example")).toBe("identity abc");
  expect(await found(credentials, "unknown.example")).toBeUndefined();
  expect(await found(credentials, "own.example")).toBe(`own:${SECRET}`);
  // The helper has nothing for it, the file has.
  expect(await found(credentials, "quay.io", "ns/x")).toBe(`quay:${SECRET}`);
  const origin = (await credentials.login("known.example", undefined, NEVER))?.origin;
  expect(origin).toMatch(/^the credential helper "docker-credential-test" of the file ".*config\.json"$/);
  const failures = {
    "missing.example": /is not installed$/,
    "broken.example": /failed with exit code 3: cannot unlock token=\[hidden\]$/,
    "rubbish.example": /did not print a user name and a secret$/,
    "large.example": /printed more than 1 MiB$/,
  };
  for (const [host, message] of Object.entries(failures)) {
    const failure = await failureOf(credentials.login(host, "a", NEVER));
    expect(failure.kind).toBe("credentials");
    expect(failure.message).toMatch(message);
    expect(inspect(failure)).not.toContain(SECRET);
  }
});

test("a helper is run once for each server, and a path is not one", async () => {
  const home = homeWith({
    "bin/docker-credential-test": HELPER,
    [DOCKER]: { credsStore: "test", credHelpers: { "path.example": "../../bin/sh" } },
  });
  const credentials = userCredentials({ environment: { PATH: `${home}/bin:/usr/bin:/bin` }, home });
  await Promise.all([found(credentials, "known.example", "a"), found(credentials, "known.example", "b")]);
  const { readFileSync } = await import("node:fs");
  expect(readFileSync(join(home, "bin/asked"), "utf8")).toBe("get known.example\n");
  const failure = await failureOf(credentials.login("path.example", "a", NEVER));
  expect(failure.message).toMatch(/names the credential helper "\.\.\/\.\.\/bin\/sh", which is not a name$/);
});

test("a helper that hangs ends with the read", async () => {
  const files = { "bin/docker-credential-test": "#!/bin/sh\nsleep 1000\n", [DOCKER]: { credsStore: "test" } };
  const stop = new AbortController();
  const work = credentialsIn(files).login("x.example", "a", stop.signal);
  setTimeout(() => stop.abort(), 100);
  expect(await failureOf(work)).toMatchObject({ kind: "cancelled" });
});

test("pull secrets: wildcards, no helpers; they can come before the files", async () => {
  const secrets = pullSecretCredentials([
    {
      name: "the pull secret a/b",
      text: JSON.stringify({ credsStore: "evil", auths: { "*.example.com": auth("wild"), "quay.io": auth("secret") } }),
    },
    { name: "the pull secret c/d", isLegacy: true, text: JSON.stringify({ "old.example": auth("old") }) },
  ]);
  expect(await found(secrets, "a.example.com", "x")).toBe(`wild:${SECRET}`);
  expect(await found(secrets, "a.b.example.com", "x")).toBeUndefined();
  expect(await found(secrets, "old.example", "x")).toBe(`old:${SECRET}`);
  expect(await found(secrets, "none.example", "x")).toBeUndefined();
  const files = credentialsIn({ [PODMAN]: { auths: { "quay.io": auth("file"), "own.example": auth("file") } } });
  const both = combinedCredentials([secrets, files]);
  expect(await found(both, "quay.io", "x")).toBe(`secret:${SECRET}`);
  expect(await found(both, "own.example", "x")).toBe(`file:${SECRET}`);
  const failure = await failureOf(() =>
    pullSecretCredentials([{ name: "the pull secret a/b", text: `{"x": "${SECRET}` }]),
  );
  expect(failure.message).toMatch(/^the pull secret a\/b is not JSON/);
  expect(inspect(failure)).not.toContain("word-of");
});

test("pull secrets: wildcards in a label, and before a path", async () => {
  const auths = {
    "*.example.com/images": auth("images"),
    "*.example.com/images/deep": auth("deep"),
    "*-good.example.com": auth("good"),
    "regis?ry.*.net:5000": auth("port"),
    "a.example.com": auth("exact"),
    [`${"*a".repeat(30)}b.example.org`]: auth("slow"),
  };
  const secrets = pullSecretCredentials([{ name: "the pull secret a/b", text: JSON.stringify({ auths }) }]);
  const user = async (registry: string, repository?: string): Promise<string | undefined> =>
    (await found(secrets, registry, repository))?.replace(/:.*/, "");
  expect(await user("b.example.com", "images/index")).toBe("images");
  expect(await user("b.example.com", "images/deep/index")).toBe("deep");
  expect(await user("b.example.com", "imagesque/index")).toBeUndefined();
  expect(await user("b.example.com")).toBeUndefined();
  expect(await user("so-good.example.com", "x")).toBe("good");
  expect(await user("a.example.com", "images/index")).toBe("exact");
  expect(await user("registry.of.net:5000", "x")).toBe("port");
  expect(await user("registry.of.net", "x")).toBeUndefined();
  expect(await user(`${"a".repeat(60)}.example.org`, "x")).toBeUndefined();
});

test("pull secrets: a key with wildcards is for the port that it has", async () => {
  const userOf = (key: string, registry: string): Promise<string | undefined> =>
    found(
      pullSecretCredentials([{ name: "s", text: JSON.stringify({ auths: { [key]: auth("me") } }) }]),
      registry,
      "x",
    );
  for (const [key, with5000] of [
    ["registry.*", "registry.io:5000"],
    ["*.*", "registry.io:5000"],
    ["*", "localhost:5000"],
    ["*", "[::1]:5000"],
    ["*:*", "localhost:5000"],
  ] as const)
    expect([key, await userOf(key, with5000)]).toEqual([key, undefined]);
  expect(await userOf("registry.*", "registry.io")).toBeDefined();
  expect(await userOf("registry.*:5000", "registry.io:5000")).toBeDefined();
  expect(await userOf("registry.*:5000", "registry.io:5001")).toBeUndefined();
  expect(await userOf("registry.*:5000", "registry.io")).toBeUndefined();
  expect(await userOf("*:5000", "[::1]:5000")).toBeDefined();
  expect(await userOf("localhost:5000", "localhost:5000")).toBeDefined();
});

test("nothing prints a login", async () => {
  const credentials = credentialsIn({ [PODMAN]: { auths: { "quay.io": auth("me") } } });
  const login = await credentials.login("quay.io", "x", NEVER);
  for (const text of [
    JSON.stringify({ credentials, login }),
    inspect({ credentials, login }, { depth: 9, showHidden: true }),
  ])
    for (const secret of ["word-of", auth("me").auth]) expect(text).not.toContain(secret);
});
