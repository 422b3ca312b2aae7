// Which credentials for registries does a cluster have? The pull secrets that its catalogs name, and that of OpenShift. Secrets are
// read only if the user asks for it.

import type { ApiServer } from "../kube/api-server.ts";
import { objectPath } from "../kube/path.ts";
import { failureOfOne, NetFailure } from "../net/failure.ts";
import { field, parsedJson, textField } from "../net/json-fields.ts";
import { pullSecretCredentials } from "../oci/credentials.ts";
import type { Credentials } from "../oci/login.ts";

const SECRETS = { group: "", version: "v1", plural: "secrets" };
/** The pull secret of all nodes of an OpenShift cluster. */
export const OPENSHIFT_SECRET: SecretName = { namespace: "openshift-config", name: "pull-secret" };

export interface SecretName {
  readonly namespace: string;
  readonly name: string;
}

/** The credentials of each secret, by NAMESPACE/NAME. */
export type PullSecrets = ReadonlyMap<string, Credentials>;

/** The credentials in the secrets, each read once; one that cannot be used is reported to `onUnread`. */
export async function pullSecrets(
  server: Pick<ApiServer, "get">,
  names: readonly SecretName[],
  onUnread: (name: SecretName, failure: NetFailure) => void,
): Promise<PullSecrets> {
  const all = new Map<string, Credentials>();
  for (const [key, one] of new Map(names.map((name) => [keyOf(name), name]))) {
    try {
      all.set(key, await credentialsOf(server, one));
    } catch (error) {
      onUnread(one, failureOfOne(error));
    }
  }
  return all;
}

/**
 * The credentials for one catalog: those of the secrets that it names itself, then that of the whole cluster. What another
 * namespace has stored for the same registry is not used: it may be wrong, or not meant for it.
 */
export function secretsFor(
  { namespace, secrets }: { readonly namespace?: string; readonly secrets: readonly string[] },
  all: PullSecrets,
): readonly Credentials[] {
  const own = namespace === undefined ? [] : secrets.map((name) => ({ namespace, name }));
  return [...own, OPENSHIFT_SECRET].flatMap((name) => all.get(keyOf(name)) ?? []);
}

function keyOf({ namespace, name }: SecretName): string {
  return `${namespace}/${name}`;
}

async function credentialsOf(server: Pick<ApiServer, "get">, { namespace, name }: SecretName): Promise<Credentials> {
  const data = field(parsedJson(await server.get(objectPath(SECRETS, namespace, name))), "data");
  const [modern, legacy] = [textField(data, ".dockerconfigjson"), textField(data, ".dockercfg")];
  const encoded = modern ?? legacy;
  if (encoded === undefined)
    throw new NetFailure("config", "it has neither .dockerconfigjson nor .dockercfg", {
      help: "make it with kubectl create secret docker-registry",
    });
  const text = Buffer.from(encoded, "base64").toString();
  const isLegacy = modern === undefined;
  return pullSecretCredentials([{ text, name: `the pull secret ${namespace}/${name}`, isLegacy }]);
}
