// How is a catalogd asked that only the cluster can reach? Through the proxy of the API server, as `kubectl proxy` does it; that
// needs the right to get `services/proxy`.

import type { ApiServer } from "../kube/api-server.ts";
import { segment } from "../kube/path.ts";
import type { CatalogdServer } from "../remote/catalogd.ts";
import { expectLines } from "../remote/direct-catalogd.ts";

/** The catalogd behind a Service; `path` is that of the catalog. `cluster` is the address of the API server. */
export function proxiedCatalogd(
  server: Pick<ApiServer, "read">,
  cluster: string,
  { namespace, name }: { readonly namespace: string; readonly name: string },
  path: string,
): CatalogdServer {
  const proxy = `/api/v1/namespaces/${segment(namespace)}/services/${name}/proxy${path}`;
  const peer = `catalogd behind the Service ${namespace}/${name.split(":")[1]} (by the API server)`;
  // Two clusters have catalogs of one name: a copy of one is not known as that of the other.
  const url = `${cluster}${proxy}`;
  return {
    ...{ name: peer, url, key: url },
    about: peer,
    request: (headers, use) =>
      server.read(proxy, headers, (response) => {
        expectLines(response, peer, path);
        return use(response);
      }),
  };
}
