// Which catalog is read with which pull secret, and what if one cannot be used?

import { describe, expect, test } from "vitest";
import { NetFailure } from "../net/failure.ts";
import { combinedCredentials } from "../oci/login.ts";
import { pullSecrets, type SecretName, secretsFor } from "./pull-secrets.ts";

const SIGNAL = new AbortController().signal;

function secret(user: string, type = ".dockerconfigjson"): string {
  const auths = { "registry.example": { username: user, password: "hunter2-hunter2" } };
  const text = JSON.stringify(type === ".dockercfg" ? auths : { auths, credHelpers: { "registry.example": "evil" } });
  return JSON.stringify({ data: { [type]: Buffer.from(text).toString("base64") } });
}

/** A cluster with some secrets. */
function cluster(secrets: Readonly<Record<string, string>>): {
  readonly asked: string[];
  get(path: string): Promise<string>;
} {
  const asked: string[] = [];
  return {
    asked,
    get: async (path) => {
      asked.push(path);
      const found = secrets[path];
      if (found === undefined) throw new NetFailure("forbidden", "you may not read it");
      return found;
    },
  };
}

const A = { namespace: "team-a", name: "pull" };
const B = { namespace: "team-b", name: "pull" };
const ALL = { namespace: "openshift-config", name: "pull-secret" };
const path = ({ namespace, name }: SecretName): string => `/api/v1/namespaces/${namespace}/secrets/${name}`;

describe("the login for a registry", () => {
  const server = cluster({ [path(A)]: secret("a"), [path(B)]: secret("b", ".dockercfg"), [path(ALL)]: secret("all") });
  test.each([
    ["of the catalog's own secret", { namespace: "team-b", secrets: ["pull"] }, "b"],
    ["of the cluster, if the catalog names none", { namespace: "team-c", secrets: [] }, "all"],
    ["never of the same name in another namespace", { namespace: "team-c", secrets: ["pull"] }, "all"],
    ["of the cluster, for a catalog without a namespace", { secrets: ["pull"] }, "all"],
  ])("%s", async (_, catalog, user) => {
    const all = await pullSecrets(server, [A, B, ALL], (name) => expect.unreachable(path(name)));
    const credentials = combinedCredentials(secretsFor(catalog, all));
    const login = await credentials.login("registry.example", "x/y", SIGNAL);
    expect(Buffer.from(login?.basic().slice(6) ?? "", "base64").toString()).toBe(`${user}:hunter2-hunter2`);
  });
});

test("a secret is read once, and its name is one part of the path", async () => {
  const server = cluster({});
  const unread: string[] = [];
  const names = [A, A, { namespace: "../../x", name: "..%2f/y?z" }];
  await pullSecrets(server, names, ({ name }, { message }) => unread.push(`${name}: ${message}`));
  expect(server.asked).toEqual([path(A), "/api/v1/namespaces/..%2F..%2Fx/secrets/..%252f%2Fy%3Fz"]);
  expect(unread).toEqual(["pull: you may not read it", "..%2f/y?z: you may not read it"]);
});

test.each([
  ["nothing", "{}", /neither \.dockerconfigjson nor \.dockercfg/],
  ["no JSON", JSON.stringify({ data: { ".dockerconfigjson": "aHVudGVyMi1odW50ZXIy" } }), /is not JSON/],
])("a secret with %s is reported without its content", async (_, text, message) => {
  const failures: NetFailure[] = [];
  const all = await pullSecrets(cluster({ [path(A)]: text }), [A], (__, failure) => failures.push(failure));
  expect(all.size).toBe(0);
  expect(failures[0]?.message).toMatch(message);
  expect(JSON.stringify([failures, failures[0]?.message])).not.toContain("hunter2");
});
