// How does a Service of a test's API server lead to a server on this machine? By endpoints and a Pod that nothing runs. The API
// server proxies only to addresses of Pods, and to no loopback address, so a forwarder listens on another address of this machine
// while the test runs: any process that reaches this address reaches the server behind it.

import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { networkInterfaces } from "node:os";
import type { Cluster } from "./cluster.ts";
import { loadObjects } from "./load-objects.ts";

/** A Service, and where it leads to. */
export interface ExposedService {
  readonly namespace: string;
  readonly name: string;
  /** The port of the Service. */
  readonly port: number;
  /** 127.0.0.1:PORT */
  readonly target: string;
}

/** A forwarder that runs in the thread of the test. */
export interface Exposure {
  stop(): Promise<void>;
}

/** Creates a Service without a selector, its endpoints and their Pod. Throws where this machine has only loopback addresses. */
export async function exposeService(
  { admin }: Pick<Cluster, "admin">,
  { namespace, name, port, target }: ExposedService,
): Promise<Exposure> {
  const address = machineAddress();
  const [host, targetPort] = target.split(":") as [string, string];
  const sockets = new Set<Socket>();
  const forwarder = createServer((socket) => {
    const to = connect(Number(targetPort), host);
    for (const [one, other] of [
      [socket, to],
      [to, socket],
    ] as const) {
      sockets.add(one);
      one.on("error", () => other.destroy());
      one.on("close", () => {
        sockets.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
  });
  forwarder.listen(0, address);
  await once(forwarder, "listening");
  const stop = async (): Promise<void> => {
    const closed = once(forwarder, "close");
    forwarder.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  try {
    const forwarded = (forwarder.address() as AddressInfo).port;
    await loadObjects(admin, serviceObjects({ namespace, name, port }, address, forwarded));
  } catch (error) {
    await stop();
    throw error;
  }
  return { stop };
}

/** The Service, a Pod, and the endpoints in both ways: the API server reads the older one, everything else the newer one. */
function serviceObjects(
  { namespace, name, port }: Omit<ExposedService, "target">,
  address: string,
  targetPort: number,
): Parameters<typeof loadObjects>[1] {
  const metadata = { namespace, name };
  const targetRef = { kind: "Pod", namespace, name };
  const ports = [{ name: "https", port: targetPort, protocol: "TCP" }];
  return [
    { apiVersion: "v1", kind: "Service", metadata, spec: { ports: [{ name: "https", port, targetPort }] } },
    {
      ...{ apiVersion: "v1", kind: "Pod", metadata },
      spec: { containers: [{ name: "server", image: "registry.invalid/server:v1" }] },
      status: { phase: "Running", podIP: address, podIPs: [{ ip: address }] },
    },
    {
      ...{ apiVersion: "v1", kind: "Endpoints", metadata },
      subsets: [{ addresses: [{ ip: address, targetRef }], ports }],
    },
    {
      apiVersion: "discovery.k8s.io/v1",
      kind: "EndpointSlice",
      metadata: { ...metadata, labels: { "kubernetes.io/service-name": name } },
      addressType: "IPv4",
      endpoints: [{ addresses: [address], targetRef, conditions: { ready: true } }],
      ports,
    },
  ];
}

/** An address of this machine that an API server proxies to. */
function machineAddress(): string {
  const found = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .find(({ family, address }) => family === "IPv4" && !/^(?:127|169\.254)\./.test(address));
  if (found !== undefined) return found.address;
  throw new Error(
    "this machine has no IPv4 address besides loopback and link-local ones, and the API server proxies to no such address; give it one, for example with: ip address add 192.0.2.1/32 dev lo",
  );
}
