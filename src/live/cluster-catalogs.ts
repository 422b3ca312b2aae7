// Which catalogs does a cluster have, and in which ways can each be read? CatalogSources of OLM v0 and ClusterCatalogs of OLM v1.
// Outside the cluster its Services cannot be reached: the image comes first there, then the proxy of the API server. Inside, what
// the cluster really serves comes first.

import type { CatalogIdentity } from "../input/catalog/catalog-builder.ts";
import type { CatalogSource, ClusterCatalog } from "../model/catalog-source.ts";
import type { ClusterObjects } from "../model/cluster-objects.ts";
import type { Place } from "../model/place.ts";
import type { CatalogdServer } from "../remote/catalogd.ts";
import type { Way } from "../remote/way.ts";

/** A catalog of a cluster. */
export interface OwnCatalog extends CatalogIdentity {
  readonly ways: readonly Way[];
  /** Where its object is. */
  readonly place: Place;
  /** What to do if no way leads to it. */
  readonly help: string;
  /** The pull secrets that it names, in its namespace. */
  readonly secrets: readonly string[];
}

/** Where the question is asked. */
export interface Position {
  /** In a pod of the cluster, where Services can be reached. */
  readonly isInside: boolean;
  /** The namespace in question; undefined for all. */
  readonly namespace: string | undefined;
  /** Only ClusterExtensions are in question. */
  readonly isOfClusterScope: boolean;
  /** The address of the API server. */
  readonly server: string;
  /** A catalogd behind the proxy of the API server: `service` is `https:NAME:PORT`. */
  readonly proxied: (service: { readonly namespace: string; readonly name: string }, path: string) => CatalogdServer;
}

/** Catalogs of these namespaces are for all of them: that of OLM, and that of OpenShift. */
const GLOBAL_NAMESPACES: ReadonlySet<string> = new Set(["olm", "openshift-marketplace"]);
const REGISTRY_PORT = 50051;

/** The catalogs that an answer about a namespace, or about all, can need. */
export function ownCatalogs(
  { catalogSources, clusterCatalogs, clusterExtensions, subscriptions }: ClusterObjects,
  position: Position,
): readonly OwnCatalog[] {
  const { namespace: asked, isOfClusterScope } = position;
  const isNamed = ({ name, namespace }: CatalogSource): boolean =>
    subscriptions.some(
      (one) => one.source === name && one.sourceNamespace === namespace && (asked ?? one.namespace) === one.namespace,
    );
  const isWanted = (source: CatalogSource): boolean =>
    asked === undefined || source.namespace === asked || isGlobal(source) || isNamed(source);
  // Of one namespace, what ClusterExtensions have installed matters, too: their catalogs know it.
  const areExtensionsWanted = asked === undefined || clusterExtensions.length > 0;
  const sources = isOfClusterScope ? [] : catalogSources.filter(isWanted);
  return [
    ...sources.map((source) => ofSource(source, position)),
    ...(areExtensionsWanted ? clusterCatalogs : [])
      .filter(({ availabilityMode }) => availabilityMode !== "Unavailable")
      .map((one) => ofCluster(one, position)),
  ];
}

function isGlobal({ namespace }: CatalogSource): boolean {
  return GLOBAL_NAMESPACES.has(namespace);
}

function ofSource(source: CatalogSource, { isInside }: Position): OwnCatalog {
  const { name, namespace, priority, image, address, place, secrets = [] } = source;
  const byImage: readonly Way[] = image === undefined ? [] : [{ kind: "image", image }];
  const service = isInside ? `${name}.${namespace}.svc:${REGISTRY_PORT}` : undefined;
  const served = address ?? service;
  const byAddress: readonly Way[] =
    served === undefined ? [] : [{ kind: "grpc", address: served, ...(isInside && { isTrusted: true as const }) }];
  const isContentElsewhere = source.sourceType !== "grpc";
  return {
    ...{ name, namespace, priority, place, secrets },
    ...(!isGlobal(source) && { onlyFor: "own-namespace" as const }),
    ways: isContentElsewhere ? [] : isInside ? [...byAddress, ...byImage] : [...byImage, ...byAddress],
    help: isContentElsewhere
      ? `a CatalogSource of type ${source.sourceType} is not read; give its content with --catalog ${namespace}/${name}=PATH`
      : `forward its port: kubectl port-forward -n ${namespace} service/${name} ${REGISTRY_PORT}, then --catalog ${namespace}/${name}=grpc://127.0.0.1:${REGISTRY_PORT}, and give the other catalogs, too`,
  };
}

function ofCluster(
  { name, priority, image, resolvedImage, baseUrl, place }: ClusterCatalog,
  position: Position,
): OwnCatalog {
  const pulled = resolvedImage ?? image;
  const byImage: readonly Way[] = pulled === undefined ? [] : [{ kind: "image", image: pulled }];
  const served = baseUrl === undefined ? [] : [servedBy(baseUrl, position)];
  return {
    ...{ name, priority, place, secrets: [] },
    onlyFor: "cluster-extensions",
    ways: position.isInside ? [...served, ...byImage] : [...byImage, ...served],
    help: `forward the port of catalogd: kubectl port-forward -n olmv1-system service/catalogd-service 8443:443, then --catalog ${name}=https://127.0.0.1:8443/catalogs/${name}, and give the other catalogs, too`,
  };
}

/** catalogd by the address that it states: through the API server if that is the name of a Service. */
function servedBy(baseUrl: string, { isInside, server, proxied }: Position): Way {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  const [service = "", namespace, svc] = url?.hostname.split(".") ?? [];
  // Only hosts of these schemes are names: others can have a slash in them, encoded.
  const isWeb = url?.protocol === "https:" || url?.protocol === "http:";
  if (url === undefined || !isWeb || isInside || svc !== "svc" || namespace === undefined)
    return { kind: "catalogd", url: baseUrl, statedBy: server };
  const scheme = url.protocol.replace(":", "");
  const port = url.port || (scheme === "https" ? "443" : "80");
  const path = `${url.pathname.replace(/\/$/, "")}/api/v1/all`;
  return { kind: "proxied-catalogd", server: proxied({ namespace, name: `${scheme}:${service}:${port}` }, path) };
}
