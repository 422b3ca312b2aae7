// Where does a controller listen, and what does it say if it cannot? Its servers start before it asks a cluster, so that none is needed.

import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer, type Server } from "node:net";
import { networkInterfaces, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";

/** Nothing listens there. */
const KUBECONFIG = `
current-context: nowhere
contexts: [{ name: nowhere, context: { cluster: nowhere, namespace: harbour } }]
clusters: [{ name: nowhere, cluster: { server: "http://127.0.0.1:9" } }]
`;
const NO_SERVERS = ["--health-address", "off", "--metrics-address", "off", "--debug-address", "off"];
const HAS_IPV6 = Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === "::1"));

let folder: string;
let child: ChildProcess | undefined;
let taken: Server | undefined;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "plimsoll-listen-"));
  writeFileSync(join(folder, "config"), KUBECONFIG);
});
afterEach(() => {
  child?.kill("SIGKILL");
  taken?.close();
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs a controller without a cluster; the flags replace those that turn all servers off. Lines of the log, and the exit code. */
function start(...flags: readonly string[]) {
  const others = NO_SERVERS.flatMap((flag, at) =>
    at % 2 === 0 && !flags.includes(flag) ? [flag, NO_SERVERS[at + 1] as string] : [],
  );
  const args = ["controller", "--controllers", "placement", "--kubeconfig", "config", ...flags, ...others];
  const started = spawn(process.execPath, [resolve("dist/bin/plimsoll.js"), ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH ?? "", HOME: folder },
    stdio: ["ignore", "ignore", "pipe"],
  });
  child = started;
  const log = createInterface({ input: started.stderr });
  return {
    code: new Promise<number | null>((done) => started.on("close", done)),
    line: (message: string) =>
      new Promise<Readonly<Record<string, unknown>>>((done) =>
        log.on("line", (text) => {
          const line = JSON.parse(text);
          if (line.message === message) done(line);
        }),
      ),
    stop: () => void started.kill("SIGTERM"),
  };
}

/** A port of an address that is in use. */
async function takenPort(host: string): Promise<number> {
  const server = createServer();
  taken = server;
  await new Promise<void>((done) => server.listen(0, host, done));
  return (server.address() as AddressInfo).port;
}

test.each(["--health-address", "--metrics-address", "--debug-address"])(
  "%s with a port that is in use",
  async (flag) => {
    const address = `127.0.0.1:${await takenPort("127.0.0.1")}`;
    const controller = start(flag, address);
    const { level, ...said } = await controller.line("cannot listen");
    expect(said).toMatchObject({
      flag,
      address,
      why: "the port is in use",
      help: `give ${flag} another address, or off`,
    });
    expect([level, await controller.code]).toEqual(["error", 2]);
  },
);

test("an address that this machine does not have", async () => {
  const controller = start("--health-address", "192.0.2.1:8081");
  const said = await controller.line("cannot listen");
  expect(said).toMatchObject({ flag: "--health-address", why: "this machine does not have the address" });
  expect(await controller.code).toBe(2);
});

test("a port without a host is that of all addresses, IPv4 and IPv6", async () => {
  const controller = start("--health-address", ":0");
  const { address } = await controller.line("listening");
  expect(address).toMatch(/^:[0-9]+$/);
  for (const host of ["127.0.0.1", ...(HAS_IPV6 ? ["[::1]"] : [])])
    expect((await fetch(`http://${host}${address}/livez`)).status, host).toBe(200);
  controller.stop();
  expect(await controller.code).toBe(0);
});
