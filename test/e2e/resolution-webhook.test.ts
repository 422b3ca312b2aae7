// Do the resolution controller and the webhook work in one process, as docs/webhook.md installs them? A real API server asks it, with the
// rights of both; the warning about runtime constraints is what the Resolutions say when they are written.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { isList, isObject, type JsonObject, partOf } from "../../src/model/json.ts";
import type { StoryBundle } from "../controller/resolution-story.ts";
import { LAMP } from "../controller/resolution-story.ts";
import { testFolder } from "./command.ts";
import { isDone } from "./controller/fault-audit.ts";
import { until } from "./controller/until.ts";
import { writeKubeconfig } from "./kubeconfig.ts";
import { type Kubectl, runKubectl } from "./kubectl.ts";
import { asWritten, loadObjects } from "./load-objects.ts";
import { kustomized } from "./manifests.ts";
import { freePorts } from "./processes.ts";
import { resolutionBed, type Said, sameAsFreshStart, works } from "./resolution/bed.ts";
import { type Namespace, openNamespace } from "./resolution/namespace.ts";
import { CONSTRAINTS, constraintsMap } from "./resolution/objects.ts";

const CONFIGURATION = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/plimsoll-webhook";
const SECRETS = "/api/v1/namespaces/plimsoll-system/secrets";
const MAP = `/api/v1/namespaces/olm/configmaps/${CONSTRAINTS}`;
const [OLD] = LAMP as readonly [StoryBundle];

const bed = resolutionBed(LAMP, { alsoWritten: [CONFIGURATION, SECRETS] });
const folder = testFolder("resolution-webhook");
let kubectl: Kubectl;
let deck: Namespace;
let quay: Namespace;
/** The flags of the patch in docs/webhook.md. */
let flags: readonly string[];

beforeAll(async () => {
  const { admin, server, servers, tokens } = bed.cluster;
  const kubeconfig = writeKubeconfig(folder, { server, name: "admin", user: { token: tokens.admin as string } });
  kubectl = { servers, kubeconfig, home: folder };
  const [port] = await freePorts(1);
  const address = `127.0.0.1:${port}`;
  flags = ["--controllers", "resolution,webhook", "--webhook-address", address];
  const objects = Object.values(await kustomized(kubectl, "deploy/webhook")).filter(({ kind }) => kind !== "Service");
  await loadObjects(
    admin,
    objects.map((object) => atAddress(object, address)),
  );
  deck = await openNamespace(bed, "deck");
  quay = await openNamespace(bed, "quay");
  for (const one of [deck, quay]) await one.subscribe("lamp");
  await deck.install(OLD);
  await works(bed, await bed.run("one", { flags }));
  await deck.reaches(["update lamp.v1.1.0", "install oil.v0.1.0"]);
  await quay.reaches(["install lamp.v1.1.0", "install oil.v0.1.0"]);
  await until("API servers trust the webhook", async () => {
    const { status } = await admin.call("POST", `${MAP.slice(0, MAP.lastIndexOf("/"))}?dryRun=All`, brokenMap());
    return status === 422 || undefined;
  });
});

/** A configuration with a URL in place of the Service, which needs a network of pods, and with time for a busy machine. */
function atAddress(object: JsonObject, address: string): JsonObject {
  if (!isList(object.webhooks)) return object;
  const clientConfig = { url: `https://${address}/validate` };
  const webhooks = object.webhooks.filter(isObject).map((one) => ({ ...one, clientConfig, timeoutSeconds: 30 }));
  return { ...object, webhooks };
}

function brokenMap(): JsonObject {
  return asWritten(constraintsMap("- type: olm.constraint\n  value:\n    cel: {rule: properties.exists(p, }\n"));
}

/** What kubectl says to an apply. */
async function applied(map: JsonObject): ReturnType<typeof runKubectl> {
  const path = join(folder, "map.json");
  writeFileSync(path, JSON.stringify(asWritten(map)));
  return runKubectl(kubectl, ["apply", "-f", path]);
}

test("a mistake is denied with its line", async () => {
  const { code, err } = await applied(brokenMap());
  expect([code, err]).toEqual([1, expect.stringContaining("data.properties:3:")]);
});

test("what the warning foretells is what the Resolutions say then", async () => {
  // Nothing new may have version 1.1.0: the lamp of deck stays, and quay gets an older one.
  const rule =
    "- type: olm.constraint\n  value:\n    package: {packageName: lamp, versionRange: '>=1.1.0'}\n    action: {id: conflict}\n";
  const { code, err } = await applied(constraintsMap(rule));
  const holds = "holds back 2 operators (deck/lamp, quay/lamp), changes 2 other packages (deck/oil, quay/oil)";
  expect([code, err]).toEqual([0, `Warning: hides 1 of 3 bundles, ${holds}\n`]);
  const isHeld = ({ status }: Said): boolean => partOf(status, "counts").heldBack === 1;
  expect((await deck.reaches(isHeld)).advised).toEqual(["keep lamp.v1.0.0"]);
  expect((await quay.reaches(isHeld)).advised).toEqual(["install lamp.v1.0.0"]);
  await bed.cluster.call("DELETE", MAP);
  await deck.reaches(["update lamp.v1.1.0", "install oil.v0.1.0"]);
});

test("nothing but Resolutions, events, the Lease and the webhook's own objects is written", async () => {
  const own = bed.ownWrites().filter(isDone);
  const resources = own.map(({ verb, path }) => `${verb} ${path.replace(/\?.*$/, "")}`);
  expect(resources).toContain(`create ${SECRETS}`);
  expect(resources).toContain(`patch ${CONFIGURATION}`);
  await sameAsFreshStart(bed);
});
