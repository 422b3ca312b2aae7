// Does the controller say how it is? Probes before and after it has read everything, metrics by outcome whose number does not grow with
// the hub, and a clear end when it cannot go on.

import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { EXIT } from "../../src/cli/exit-code.ts";
import { COMMAND, testFolder } from "./command.ts";
import { HOME } from "./controller/account.ts";
import { controllerBed } from "./controller/bed.ts";
import type { ControllerProcess } from "./controller/controller-process.ts";
import { STOP_MS, works } from "./controller/fault-bed.ts";
import { CLUSTERS, DECISIONS, DISABLE_ANNOTATION, inNamespace, LEASES } from "./controller/kinds.ts";
import { seriesOf } from "./controller/metrics.ts";
import { expressed, labelled, names } from "./controller/specs.ts";
import { until } from "./controller/until.ts";

const bed = controllerBed({ isStarted: false });
const folder = testFolder("health");
const VERSION: string = JSON.parse(readFileSync("package.json", "utf8")).version;

async function probe(controller: ControllerProcess, path: string): Promise<readonly [number, string]> {
  const answer = await controller.ask("health", path);
  return [answer.status, await answer.text()];
}

test("it is alive from the start, and ready when it has read everything", async () => {
  let pass: () => void = () => {};
  const held = new Promise<void>((done) => {
    pass = done;
  });
  bed.proxy.inject({ when: ({ path }) => path === CLUSTERS, fault: { is: "held", until: held } });
  const controller = await bed.start();
  await bed.proxy.sees(({ path }) => path === CLUSTERS);
  expect(await probe(controller, "/livez")).toEqual([200, "ok\n"]);
  expect(await probe(controller, "/readyz")).toEqual([503, "[-]placement/synced failed\nreadyz check failed\n"]);
  expect(controller.log[0]).toMatchObject({ message: "starting", version: VERSION, controllers: "placement" });
  expect(controller.log.map(({ message }) => message)).not.toContain("synced");
  pass();
  await controller.says("synced");
  expect(await probe(controller, "/readyz")).toEqual([200, "ok\n"]);
  expect(await probe(controller, "/livez?verbose")).toEqual([
    200,
    "[+]placement/reading-thread ok\nlivez check passed\n",
  ]);
  expect(await controller.stop()).toMatchObject({ code: 0 });
});

/** How many Placements have which outcome; those without any are left out. */
async function outcomes(controller: ControllerProcess): Promise<Readonly<Record<string, number>>> {
  const found = Object.entries(await seriesOf(controller)).flatMap(([name, value]) => {
    const [, outcome] = /^plimsoll_placements\{outcome="(.*)"\}$/.exec(name) ?? [];
    return outcome === undefined || value === 0 ? [] : [[outcome, value] as const];
  });
  return Object.fromEntries(found);
}

test("metrics count Placements by outcome, and there are not more of them with more Placements", async () => {
  const controller = await bed.start();
  const scope = await bed.scope("outcomes");
  await scope.clusters(names(3));
  await scope.placement("all");
  await scope.placement("too-few", { numberOfClusters: 5 });
  await scope.placement("none", labelled({ not: "there" }));
  await scope.placement("mistake");
  await scope.placement("off", {}, { annotations: { [DISABLE_ANNOTATION]: "true" } });
  await scope.settles("mistake", { selected: 3 });
  await scope.edit("placement", "mistake", { spec: expressed("managedCluster.") });
  await scope.settles("mistake", { selected: 3, misconfigured: "True" });
  for (const [name, selected] of [
    ["all", 3],
    ["too-few", 3],
    ["none", 0],
  ] as const)
    await scope.settles(name, { selected });
  const few = await seriesOf(controller);
  expect(await outcomes(controller)).toEqual({ satisfied: 1, unsatisfied: 2, kept: 1, ignored: 1 });
  expect(few['plimsoll_leading{controller="placement"}']).toBe(1);
  expect(few['plimsoll_objects{controller="placement",kind="Placement"}']).toBe(5);
  expect(few['plimsoll_objects{controller="placement",kind="ManagedCluster"}']).toBe(3);
  expect(few['plimsoll_kind_synced{controller="placement",kind="AddOnPlacementScore"}']).toBe(1);
  expect(few['plimsoll_reconcile_seconds_count{controller="placement"}']).toBeGreaterThanOrEqual(5);
  expect(few['plimsoll_writes_total{controller="placement",verb="create",result="ok"}']).toBe(4);

  for (let at = 0; at < 45; at++) await scope.placement(`more-${at}`);
  for (let at = 0; at < 45; at++) await scope.reaches(`more-${at}`, { selected: 3 });
  await scope.mark();
  const many = await seriesOf(controller);
  expect(await outcomes(controller)).toEqual({ satisfied: 46, unsatisfied: 2, kept: 1, ignored: 1 });
  expect(many['plimsoll_objects{controller="placement",kind="Placement"}']).toBe(50);
  // A label has an outcome, a kind, a verb or a result, whatever the hub has.
  const refused = /^plimsoll_writes_total\{.*result="(?!ok")|^plimsoll_events_dropped_total/;
  const always = (all: Readonly<Record<string, number>>) =>
    Object.keys(all)
      .filter((name) => !refused.test(name))
      .sort();
  expect(always(many)).toEqual(always(few));

  // What is gone is not counted.
  for (let at = 0; at < 45; at++) await scope.remove("placement", `more-${at}`);
  await scope.remove("placement", "mistake");
  await until("they are not counted", async () => (await outcomes(controller)).satisfied === 1 || undefined);
  await until("nor is the other one", async () => (await outcomes(controller)).kept === undefined || undefined);
  expect(await controller.stop()).toMatchObject({ code: 0 });
});

test("when its reading thread dies, it says why, and ends with an error", async () => {
  // The command as it is built, but for the file of that thread.
  const copy = join(folder, "bin");
  cpSync(dirname(COMMAND), copy, { recursive: true });
  writeFileSync(
    join(copy, "reading-thread-entry.js"),
    'setTimeout(() => { throw new Error("out of order"); }, 1000);\n',
  );
  const controller = await bed.start({ program: join(copy, "plimsoll.js") });
  expect(await controller.says("failed")).toMatchObject({ level: "error", why: "out of order" });
  expect(await controller.ended).toEqual({ code: EXIT.bug, signal: undefined });
});

describe("it ends properly, and in time,", () => {
  const stops = async (controller: ControllerProcess): Promise<void> => {
    const { code, signal, ms } = await controller.stop();
    expect({ code, signal }).toEqual({ code: 0, signal: undefined });
    expect(ms).toBeLessThan(STOP_MS);
    expect(controller.log.at(-1)).toMatchObject({ message: "stopped" });
  };

  test("while the API server does not answer a write", async () => {
    const controller = await bed.start();
    await works(controller);
    const scope = await bed.scope("silent");
    await scope.placement("p");
    await scope.settles("p", { selected: [] });
    const decisions = inNamespace(DECISIONS, scope.namespace);
    let isSilent = true;
    bed.proxy.inject({ when: () => isSilent, fault: { is: "silent" } });
    const from = bed.proxy.seen.length;
    try {
      await scope.clusters(["a"]);
      await until(
        "it writes",
        () => bed.proxy.seen.slice(from).some(({ path }) => path.startsWith(decisions)) || undefined,
      );
      await stops(controller);
    } finally {
      isSilent = false;
    }
    // It could not be released.
    await bed.hub.call("DELETE", `${inNamespace(LEASES, HOME.namespace)}/${HOME.leaseName}`);
  });

  test("while there is no API server", async () => {
    const controller = await bed.start();
    await works(controller);
    await bed.hub.killApiServer();
    try {
      await stops(controller);
    } finally {
      await bed.hub.startApiServer();
    }
  });
});
