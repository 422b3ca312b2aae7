// Does the API server know who signs the certificates of the webhook? The authorities are written into the `caBundle` of our own entries of
// one ValidatingWebhookConfiguration. Where the webhook is (`service` or `url`) and everything else is left as it is.

import type { ApiServer } from "../kube/api-server.ts";
import { objectPath } from "../kube/path.ts";
import { isList, isObject, type Json, type JsonObject, own, partOf } from "../model/json.ts";
import { REQUEST_LIMIT, servedObject } from "./served-object.ts";

const CONFIGURATIONS = {
  group: "admissionregistration.k8s.io",
  version: "v1",
  plural: "validatingwebhookconfigurations",
};
/** Our entries are named `….plimsoll.dev`. */
const OWN_ENTRY = /\.plimsoll\.dev$/;

/** Writes the bundle, PEM, where it is not there yet; false if it is everywhere. Rejects if the configuration is absent. */
export async function announce(
  server: Pick<ApiServer, "getOnce" | "write">,
  configuration: string,
  bundle: string,
): Promise<boolean> {
  const path = objectPath(CONFIGURATIONS, undefined, configuration);
  const body = announcement(await servedObject(server, path), Buffer.from(bundle).toString("base64"));
  if (body === undefined) return false;
  await server.write({ method: "PATCH", path, body, timeout: REQUEST_LIMIT });
  return true;
}

/** The merge patch that sets the bundle, in base64, of our entries; undefined if they have it. A list is replaced as a whole. */
export function announcement(configuration: JsonObject, caBundle: string): JsonObject | undefined {
  const resourceVersion = own(partOf(configuration, "metadata"), "resourceVersion");
  const entries = own(configuration, "webhooks");
  if (typeof resourceVersion !== "string" || !isList(entries)) return undefined;
  const webhooks = entries.map((entry) => (isOwn(entry) ? withBundle(entry, caBundle) : entry));
  if (webhooks.every((entry, at) => entry === entries[at])) return undefined;
  return { metadata: { resourceVersion }, webhooks };
}

function isOwn(entry: Json): entry is JsonObject {
  if (!isObject(entry)) return false;
  const name = own(entry, "name");
  return typeof name === "string" && OWN_ENTRY.test(name);
}

function withBundle(entry: JsonObject, caBundle: string): JsonObject {
  const clientConfig = partOf(entry, "clientConfig");
  return own(clientConfig, "caBundle") === caBundle ? entry : { ...entry, clientConfig: { ...clientConfig, caBundle } };
}
