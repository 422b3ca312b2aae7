// At which moment does a fault happen? At a certain request of the controller that changes the hub, as the proxy in front of the API
// server sees it.

import type { ApiProxy, Fault, SeenRequest } from "../proxy.ts";

const NO_CHANGE = /\/leases(?:\/|$)|reviews$|^\/apis\/events\.k8s\.io\//;

/** Does a request change the hub? The Lease, reviews and events do not. */
export function changesHub({ method, path }: SeenRequest): boolean {
  return method !== "GET" && !NO_CHANGE.test(path);
}

/** Resolves as soon as the proxy has seen so many more changes, before the last of them is passed on. */
export function nthChange(proxy: ApiProxy, count: number): Promise<void> {
  let left = count + proxy.seen.filter(changesHub).length;
  return proxy.sees((request) => changesHub(request) && --left === 0);
}

/** Does something when the proxy sees the change after so many others, of those that are meant; that one has the fault. */
export function atChange(
  proxy: ApiProxy,
  count: number,
  act: () => void,
  fault: Fault,
  isMeant: (request: SeenRequest) => boolean = () => true,
): void {
  let passed = 0;
  const when = (request: SeenRequest): boolean => {
    if (!changesHub(request) || !isMeant(request)) return false;
    passed++;
    if (passed === count + 1) act();
    return passed === count + 1;
  };
  proxy.inject({ when, fault, times: 1 });
}

/** Holds up every watch of a kind, given by its plural name, until it is released. */
export function holdWatch(proxy: Pick<ApiProxy, "inject">, plural: string): () => void {
  let release = (): void => undefined;
  const until = new Promise<void>((done) => {
    release = done;
  });
  proxy.inject({
    when: ({ path, query }) => path.endsWith(`/${plural}`) && query.has("watch"),
    fault: { is: "held", until },
  });
  return release;
}
