// Which server and user does a kubeconfig mean? As kubectl reads it; where client-node reads it rightly, compared with it.
import { mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { KubeConfig } from "@kubernetes/client-node";
import { expect, test } from "vitest";
import { openConnection } from "../../src/kube/connection.ts";
import { connection, failureOf, file, folder, kubeconfig } from "./scripted-server.ts";

const NO_SIGNAL = new AbortController().signal;

const TWO = `
apiVersion: v1
kind: Config
current-context: prod
preferences: {}
contexts:
- {name: prod, context: {cluster: production, user: admin, namespace: shop}}
- name: staging
  context:
    cluster: staging
    user: ""
clusters:
- name: production
  cluster:
    server: https://prod.example:6443/
    insecure-skip-tls-verify: true
- name: staging
  cluster: {server: "https://staging.example/k8s/clusters/c-1"}
users:
- name: admin
  user: {token: secret-token, namespace: null}
`;

test("the current context, and another one", () => {
  expect(connection(TWO)).toMatchObject({ context: "prod", server: "https://prod.example:6443", namespace: "shop" });
  const staging = connection(TWO, { context: "staging" });
  expect(staging).toMatchObject({ context: "staging", server: "https://staging.example/k8s/clusters/c-1" });
  expect(staging.namespace).toBeUndefined();
});

test("client-node reads the same", async () => {
  for (const context of ["prod", "staging"]) {
    const theirs = new KubeConfig();
    theirs.loadFromString(TWO);
    theirs.setCurrentContext(context);
    const options: { headers?: Record<string, unknown>; rejectUnauthorized?: boolean } = {};
    await theirs.applyToHTTPSOptions(options as never);
    const ours = connection(TWO, { context });
    expect(ours.server).toBe(theirs.getCurrentCluster()?.server);
    expect(ours.namespace).toBe(theirs.getContextObject(context)?.namespace);
    const { headers, tls } = await ours.authorize(NO_SIGNAL);
    expect(headers.Authorization).toBe(options.headers?.Authorization);
    expect(tls?.rejectUnauthorized).toBe(options.rejectUnauthorized ?? true);
  }
});

test("several files: the first that has something counts, and missing ones are skipped", () => {
  const directory = folder();
  const first = file(
    "current-context: b\nclusters: [{name: x, cluster: {server: https://first}}]\n",
    join(directory, "1"),
  );
  const second = file(
    "current-context: a\ncontexts: [{name: a, context: {cluster: x}}, {name: b, context: {cluster: y}}]\n" +
      "clusters: [{name: x, cluster: {server: https://second}}, {name: y, cluster: {server: https://other}}]\n",
    join(directory, "2"),
  );
  const empty = file("", join(directory, "3"));
  const KUBECONFIG = [join(directory, "missing"), empty, first, "", second].join(delimiter);
  const open = (context?: string): string =>
    openConnection({ asGroups: [], ...(context === undefined ? {} : { context }) }, { KUBECONFIG }).server;
  expect(open()).toBe("https://other");
  expect(open("a")).toBe("https://first");
});

test("the flag counts before KUBECONFIG, and KUBECONFIG before the home directory", () => {
  const home = folder();
  mkdirSync(join(home, ".kube"));
  const path = (name: string): string => file(kubeconfig(`https://${name}.example`), join(home, name));
  writeFileSync(join(home, ".kube", "config"), JSON.stringify(kubeconfig("https://home.example")));
  const environment = { HOME: home, KUBECONFIG: path("environment") };
  expect(openConnection({ kubeconfig: path("flag"), asGroups: [] }, environment).server).toBe("https://flag.example");
  expect(openConnection({ asGroups: [] }, environment).server).toBe("https://environment.example");
  expect(openConnection({ asGroups: [] }, { HOME: home }).server).toBe("https://home.example");
  expect(openConnection({ asGroups: [] }, { HOME: home, KUBECONFIG: "" }).server).toBe("https://home.example");
});

async function refusal(config: unknown, choice = {}): Promise<readonly [string, string | undefined]> {
  const path = file(config);
  const failure = await failureOf(() => connection(undefined, { kubeconfig: path, ...choice }));
  expect(failure.kind).toBe("config");
  return [failure.message.replaceAll(JSON.stringify(path), "FILE"), failure.help];
}

test("an unknown context", async () => {
  expect(await refusal(TWO, { context: "stagign" })).toEqual([
    'the kubeconfig FILE has no context "stagign"',
    'did you mean "staging"? contexts: "prod", "staging"',
  ]);
  expect(await refusal(TWO.replace("current-context: prod", ""))).toEqual([
    "the kubeconfig FILE has no current context",
    'choose one with --context; contexts: "prod", "staging"',
  ]);
  expect((await refusal(TWO.replace("current-context: prod", "current-context: gone")))[0]).toBe(
    'the kubeconfig FILE names the current context "gone", which it does not have or which has no cluster',
  );
  expect((await refusal(""))[1]).toBe("choose one with --context; it has no contexts");
});

test.for([
  [
    TWO.replace("name: production\n  ", "name: pruduction\n  "),
    'the cluster "production" of the context "prod" is not in the kubeconfig FILE, or has no server',
  ],
  [
    TWO.replace("server: https://prod.example:6443/", "x: y"),
    'the cluster "production" of the context "prod" is not in the kubeconfig FILE, or has no server',
  ],
  [
    TWO.replace("- name: admin", "- name: other"),
    'the user "admin" of the context "prod" is not in the kubeconfig FILE',
  ],
  [
    TWO.replace("https://prod.example:6443/", "ftp://me:pw@prod"),
    'the server of the cluster "production" is not an address: "ftp://[hidden]@prod"',
  ],
  [
    TWO.replace("    server: https://prod", "    certificate-authority: x\n    server: https://prod"),
    'the settings of the cluster "production" have a certificate-authority and insecure-skip-tls-verify',
  ],
  [
    TWO.replace("insecure-skip-tls-verify: true", "certificate-authority-data: bm8="),
    'the certificate-authority of the cluster "production" is not PEM',
  ],
  [
    TWO.replace("insecure-skip-tls-verify: true", "proxy-url: nonsense"),
    "the proxy-url of the cluster is not the address of a proxy",
  ],
  ["- a\n- b\n", "FILE is not a kubeconfig"],
  ["kind: Pod\n", "FILE is not a kubeconfig"],
  ["just text", "FILE is not a kubeconfig"],
])("a broken kubeconfig %#", async ([config, message]) => {
  expect((await refusal(config))[0]).toBe(message);
});

test("broken YAML: the line, and nothing of the text", async () => {
  const [message, help] = await refusal("kind: Config\nusers:\n- token: 'hunter22\n  x: [\n");
  expect(message).toMatch(/^the kubeconfig FILE is not valid YAML, line \d+$/);
  expect(`${message}${help}`).not.toContain("hunter22");
});

test("files that are missing", async () => {
  const gone = join(folder(), "gone");
  const flag = await failureOf(() => openConnection({ kubeconfig: gone, asGroups: [] }, {}));
  expect(flag.message).toBe(`the kubeconfig ${JSON.stringify(gone)} cannot be read: no such file`);
  const named = await failureOf(() => openConnection({ asGroups: [] }, { KUBECONFIG: gone }));
  expect(named.message).toBe(`no file of KUBECONFIG exists: ${JSON.stringify(gone)}`);
  const none = await failureOf(() => openConnection({ asGroups: [], context: "x" }, { HOME: folder() }));
  expect(none.message).toMatch(/^there is no kubeconfig/);
  const directory = await failureOf(() => openConnection({ kubeconfig: folder(), asGroups: [] }, {}));
  expect(directory.message).toMatch(/this is a directory$/);
  const config = TWO.replace("insecure-skip-tls-verify: true", "certificate-authority: gone.crt");
  expect((await refusal(config))[0]).toMatch(/gone\.crt": no such file$/);
});

test("an address is used and shown without its query, as in kubectl", () => {
  const address = "https://me:p@ss@prod.example:6443/prefix?token=secret#x";
  expect(connection(TWO.replace("https://prod.example:6443/", address)).server).toBe(
    "https://prod.example:6443/prefix",
  );
});

test("hostile entries", async () => {
  const odd = `
current-context: __proto__
contexts: [1, null, {}, {name: [x], context: {cluster: {}}}, {name: __proto__, context: {cluster: c, user: u, namespace: [1]}}]
clusters: [null, {name: c, cluster: {server: {}}}, {name: c, cluster: {server: https://x, tls-server-name: [1]}}]
users: [{name: u, user: {token: {a: b}, token-file: /does/not/exist, username: [1], exec: text, auth-provider: text, as-user-extra: [1]}}]
`;
  const made = connection(odd);
  expect(made).toMatchObject({ context: "__proto__", server: "https://x" });
  expect(made.namespace).toBeUndefined();
  expect((await made.authorize(NO_SIGNAL)).headers).toEqual({});
  const noText = "current-context: c\ncontexts: [{name: c, context: {cluster: {toString: x}}}]\n";
  expect((await refusal(noText))[0]).toMatch(/^the cluster "" of the context "c" is not in/);
  const aliases = `a: &a [x]\nb: [${"*a, ".repeat(200)}]\n`;
  expect((await refusal(aliases))[0]).toMatch(/is not valid YAML/);
  expect((await refusal(`a: ${"[".repeat(1000)}`))[0]).toMatch(/is not valid YAML/);
});
