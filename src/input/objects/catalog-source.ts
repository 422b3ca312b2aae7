// How are CatalogSource and ClusterCatalog read?

import type { CatalogSource, ClusterCatalog } from "../../model/catalog-source.ts";
import { isList, type JsonObject, own, partOf } from "../../model/json.ts";
import { anything, each, int32, object, text } from "../shape.ts";
import { conditionsOf, numberOf, optionalTexts, textMapOf, textOf } from "./fields.ts";
import {
  CONDITIONS,
  identityOf,
  type ObjectKind,
  objectShape,
  shapeWithSpec,
  specOf,
  statusOf,
} from "./object-kind.ts";

/** OLM v0's CatalogSource. */
export const CATALOG_SOURCE: ObjectKind<CatalogSource> = {
  kind: "CatalogSource",
  group: "operators.coreos.com",
  versions: ["v1alpha1"],
  namespaced: true,
  shape: shapeWithSpec({
    spec: object({
      sourceType: text,
      priority: int32,
      ...each(text, "image", "address", "configMap", "displayName", "description", "publisher"),
      ...each(anything, "grpcPodConfig", "icon", "runAsRoot", "secrets", "updateStrategy"),
    }),
    status: object({
      message: text,
      reason: text,
      connectionState: object({ address: text, lastConnect: text, lastObservedState: text }),
      ...each(anything, "conditions", "configMapReference", "latestImageRegistryPoll", "registryService"),
    }),
  }),
  build(given) {
    const spec = specOf(given);
    const status = statusOf(given);
    return {
      ...identityOf(given),
      priority: numberOf(spec, "priority") ?? 0,
      sourceType: textOf(spec, "sourceType") ?? "grpc",
      ...optionalTexts(spec, "image", "address", "configMap"),
      ...secretsOf(spec),
      connectionState: textOf(partOf(status, "connectionState"), "lastObservedState"),
      message: textOf(status, "message"),
    };
  },
};

/** OLM v1's ClusterCatalog. */
export const CLUSTER_CATALOG: ObjectKind<ClusterCatalog> = {
  kind: "ClusterCatalog",
  group: "olm.operatorframework.io",
  versions: ["v1"],
  namespaced: false,
  shape: objectShape({
    spec: object({
      priority: int32,
      availabilityMode: text,
      source: object({ type: text, image: object({ ref: text, pollIntervalMinutes: anything }) }),
    }),
    status: object({
      conditions: CONDITIONS,
      resolvedSource: object({ type: text, image: object({ ref: text }) }),
      urls: anything,
      lastUnpacked: anything,
    }),
  }),
  build(given) {
    const spec = specOf(given);
    const status = statusOf(given);
    return {
      place: given.place,
      name: given.name,
      labels: textMapOf(given.metadata, "labels"),
      priority: numberOf(spec, "priority") ?? 0,
      image: textOf(partOf(partOf(spec, "source"), "image"), "ref"),
      resolvedImage: textOf(partOf(partOf(status, "resolvedSource"), "image"), "ref"),
      availabilityMode: textOf(spec, "availabilityMode") ?? "Available",
      ...baseUrlOf(status),
      conditions: conditionsOf(status, "conditions"),
    };
  },
};

function secretsOf(spec: JsonObject): Pick<CatalogSource, "secrets"> {
  const written = own(spec, "secrets");
  const secrets = isList(written) ? written.filter((name) => typeof name === "string") : [];
  return secrets.length === 0 ? {} : { secrets };
}

function baseUrlOf(status: JsonObject): Pick<ClusterCatalog, "baseUrl"> {
  const base = own(partOf(status, "urls"), "base");
  return typeof base === "string" && base !== "" ? { baseUrl: base } : {};
}
