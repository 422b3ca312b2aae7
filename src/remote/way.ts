// In which way is a catalog read? A reference of the command line is one way; a catalog of a cluster may have several, which
// are tried in order.

import type { CatalogLocation } from "../source/catalog-reference.ts";
import { withoutUrlSecrets } from "../text/url-secrets.ts";
import type { CatalogdServer } from "./catalogd.ts";

/** One way to the bytes of a catalog. */
export type Way =
  | { readonly kind: "image"; readonly image: string }
  | { readonly kind: "layout" | "archive"; readonly path: string }
  /** `statedBy`: the address of the API server whose object states the URL; without it, the user has given it. */
  | { readonly kind: "catalogd"; readonly url: string; readonly statedBy?: string }
  /** Through something that only the caller can reach, such as the API server of a cluster. */
  | { readonly kind: "proxied-catalogd"; readonly server: CatalogdServer }
  /** `isTrusted`: it is in the network of the cluster, where OLM itself uses no TLS. */
  | { readonly kind: "grpc"; readonly address: string; readonly isTrusted?: true };

/** The only way to what a reference of the command line names. */
export function wayTo({ scheme, address }: CatalogLocation): Way {
  switch (scheme) {
    case "image":
      return { kind: "image", image: address };
    case "catalogd":
      return { kind: "catalogd", url: address };
    case "grpc":
      return { kind: "grpc", address: address.replace(/\/$/, "") };
    default:
      return { kind: scheme, path: address };
  }
}

/** The way as people read it. */
export function wayText(way: Way): string {
  switch (way.kind) {
    case "image":
      return `the image ${withoutUrlSecrets(way.image)}`;
    case "layout":
      return `the image layout ${withoutUrlSecrets(way.path)}`;
    case "archive":
      return `the image archive ${withoutUrlSecrets(way.path)}`;
    case "catalogd":
      return `catalogd at ${withoutUrlSecrets(way.url)}`;
    case "proxied-catalogd":
      return way.server.name;
    case "grpc":
      return `the gRPC registry ${way.address}`;
  }
}
