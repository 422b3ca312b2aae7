// Which credentials for registries does a cluster have? The pull secrets that its catalogs name, and that of OpenShift. Secrets are
// read only if the user asks for it.

import type { ApiServer } from "../kube/api-server.ts";
import { objectPath } from "../kube/path.ts";
import { NetFailure } from "../net/failure.ts";
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

/** The credentials in the secrets, in order; one that cannot be used is reported to `onUnread`. */
export async function pullSecrets(
  server: Pick<ApiServer, "get">,
  names: readonly SecretName[],
  onUnread: (name: SecretName, failure: NetFailure) => void,
): Promise<readonly Credentials[]> {
  const all: Credentials[] = [];
  for (const one of names) {
    try {
      all.push(await credentialsOf(server, one));
    } catch (failure) {
      if (!(failure instanceof NetFailure) || failure.kind === "cancelled") throw failure;
      onUnread(one, failure);
    }
  }
  return all;
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
