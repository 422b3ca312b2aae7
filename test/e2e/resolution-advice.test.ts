// Is the advice right, on a real API server with the shipped role? It is the answer of the command on the same cluster, kubectl shows it,
// events tell what has changed, nothing else is written, and an idle cluster costs nothing.

import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, expect, test } from "vitest";
import { isList, isObject, type Json, type JsonObject } from "../../src/model/json.ts";
import type { StoryBundle } from "../controller/resolution-story.ts";
import { documentedMetrics } from "../deploy/metric-tables.ts";
import { runCommand, testFolder } from "./command.ts";
import { isLease, writeText } from "./controller/fault-audit.ts";
import { until } from "./controller/until.ts";
import { writeKubeconfig } from "./kubeconfig.ts";
import { type Kubectl, kubectlOutput } from "./kubectl.ts";
import { becomesIdle, resolutionBed, resolutionOf, sameAsFreshStart, works } from "./resolution/bed.ts";
import { type Namespace, openNamespace } from "./resolution/namespace.ts";

/** The lamp needs oil from 1.1.0 on; the crane needs a hook that nothing provides, and the winch keeps the rope old. */
const CATALOG: readonly StoryBundle[] = [
  { package: "lamp", version: "1.0.0", provides: ["Lamp"] },
  { package: "lamp", version: "1.1.0", replaces: "1.0.0", provides: ["Lamp"], requires: ["Oil"] },
  { package: "oil", version: "0.1.0", provides: ["Oil"] },
  { package: "crane", version: "1.0.0", provides: ["Crane"], requires: ["Hook"] },
  { package: "rope", version: "1.0.0", provides: ["Rope", "Knot"] },
  { package: "rope", version: "2.0.0", replaces: "1.0.0", provides: ["Rope"] },
  { package: "winch", version: "1.0.0", provides: ["Winch"], requires: ["Knot"] },
];

const bed = resolutionBed(CATALOG);
const folder = testFolder("resolution-advice");
let kubectl: Kubectl;
let kubeconfig: string;
let deck: Namespace;
let quay: Namespace;
let hold: Namespace;

beforeAll(async () => {
  const { server, servers, tokens } = bed.cluster;
  kubeconfig = writeKubeconfig(folder, { server, name: "admin", user: { token: tokens.admin as string } });
  kubectl = { servers, kubeconfig, home: folder };
  deck = await openNamespace(bed, "deck");
  quay = await openNamespace(bed, "quay");
  hold = await openNamespace(bed, "hold");
  await deck.subscribe("lamp");
  await quay.subscribe("lamp", { installPlanApproval: "Manual" });
  await quay.subscribe("crane");
  await hold.subscribe("rope");
  await hold.subscribe("winch");
  await hold.install(CATALOG[4] as StoryBundle);
  await hold.install(CATALOG[6] as StoryBundle);
  await works(bed, await bed.run("one"));
  for (const namespace of [deck, quay, hold]) await namespace.reaches(({ outcome }) => outcome !== undefined);
});

/** How many requests the API server has refused for want of a right. */
async function refused(): Promise<number> {
  const text = await bed.cluster.admin.text("/metrics");
  const lines = text.split("\n").filter((line) => /^apiserver_request_total\{.*code="403"/.test(line));
  return lines.reduce((sum, line) => sum + Number(line.split(" ").at(-1)), 0);
}

type Listed = "operators" | "heldBack" | "unsatisfied" | "pendingApproval" | "warnings";
type Answer = { readonly outcome: string } & Readonly<Record<Listed, readonly JsonObject[]>>;

/** What the command answers for a namespace. */
async function answerOf(namespace: string): Promise<Answer> {
  const args = ["resolve", "--live", "--kubeconfig", kubeconfig, "-n", namespace, "--no-instances", "-o", "json"];
  const { out, err } = await runCommand(args, folder);
  expect(out, err).not.toBe("");
  return JSON.parse(out) as Answer;
}

/** Without what has no value: an answer of the command says null, a status says nothing. */
function given(object: JsonObject): JsonObject {
  const isGiven = (value: Json | undefined): boolean => value !== null && !(isList(value) && value.length === 0);
  return Object.fromEntries(Object.entries(object).filter(([, value]) => isGiven(value)));
}

/** The parts of an answer that a status has as well. */
function comparable(answer: Answer): JsonObject {
  const { outcome, operators, heldBack, unsatisfied, pendingApproval, warnings } = answer;
  const explained = (object: JsonObject): JsonObject => {
    const { explanation, ...rest } = given(object);
    const { text, fixes } = explanation as { readonly text: string; readonly fixes: readonly JsonObject[] };
    return { ...rest, why: text.split("\n"), whatWouldHelp: fixes.map((fix) => fix.text as string) };
  };
  return {
    outcome,
    operators: operators.map((one) => {
      const { generatedSubscription, ...rest } = given(one);
      const { name } = isObject(generatedSubscription) ? generatedSubscription : {};
      return { ...rest, ...(name !== undefined && { generatedSubscription: name }) };
    }),
    heldBack: heldBack.map(explained),
    unsatisfied: unsatisfied.map(explained),
    pendingApproval: pendingApproval.map((one) => ({
      ...given(one),
      changes: (one.changes as readonly JsonObject[]).map(given),
    })),
    warnings: warnings.map(({ at: _, ...warning }) => warning),
  };
}

/** The same parts of a status. */
function comparableStatus(status: JsonObject): JsonObject {
  const list = (field: Listed): readonly JsonObject[] => (status[field] ?? []) as readonly JsonObject[];
  const explained = ({ summary: _, whatWouldHelp, ...rest }: JsonObject): JsonObject => ({
    ...rest,
    // The command that tries it is in the next line, and in the end a note about all commands.
    whatWouldHelp: (whatWouldHelp as readonly string[]).filter(
      (line) => !line.startsWith(" ") && !line.startsWith("Every command is a dry run"),
    ),
  });
  return {
    outcome: status.outcome as string,
    operators: list("operators"),
    heldBack: list("heldBack").map(explained),
    unsatisfied: list("unsatisfied").map(explained),
    pendingApproval: list("pendingApproval"),
    warnings: list("warnings"),
  };
}

async function isAnswerOfCommand(): Promise<void> {
  for (const namespace of [deck, quay, hold]) {
    const { status } = await namespace.reaches(() => true);
    expect(comparableStatus(status), namespace.name).toEqual(comparable(await answerOf(namespace.name)));
  }
}

test("the advice is the answer of the command", async () => {
  await isAnswerOfCommand();
  const { status } = await hold.reaches(() => true);
  expect(status.heldBack).toHaveLength(1);
});

test("kubectl get shows a namespace in a line, kubectl describe the reasons, each in a line of its own", async () => {
  const table = await kubectlOutput(kubectl, ["get", "resolutions.plimsoll.dev", "-A"]);
  expect(table.split("\n").map((line) => line.replace(/ +\S+$/, "").replace(/ {2,}/g, " "))).toEqual([
    "NAMESPACE NAME MODE OUTCOME OPERATORS UPDATES HELD-BACK UNSATISFIED WAITING",
    "deck plimsoll Advise Resolved 2 2 0 0 0",
    "hold plimsoll Advise Resolved 2 0 1 0 0",
    "quay plimsoll Advise Partial 0 0 0 1 2",
    "",
  ]);
  const text = await kubectlOutput(kubectl, ["describe", "resolution", "plimsoll", "-n", "hold"]);
  const { status } = await hold.reaches(() => true);
  const [held] = status.heldBack as readonly { readonly why: readonly string[]; readonly whatWouldHelp: string[] }[];
  expect(held?.why).toHaveLength(4);
  expect(text).toContain(`    Why:\n${held?.why.map((line) => `      ${line}\n`).join("")}`);
  expect(text).toContain(`    What Would Help:\n${held?.whatWouldHelp.map((line) => `      ${line}\n`).join("")}`);
});

/** The replicas' writes in short: the verb and what is written, without names. */
function kindsOf(writes: readonly { readonly verb: string; readonly path: string }[]): readonly string[] {
  const kind = (path: string): string =>
    path.replace(/^.*\/namespaces\/[^/]+\/([^/?]+)(?:\/[^/]+)?(\/status)?.*$/, "$1$2");
  return [...new Set(writes.map(({ verb, path }) => `${verb} ${kind(path)}`))].sort();
}

test("a Subscription gets one event for each change of its verdict, and others get none", async () => {
  for (const [namespace, count] of [
    [deck, 1],
    [quay, 2],
    [hold, 1],
  ] as const)
    await until("the first events are there", async () => (await namespace.events()).length >= count || undefined);
  expect(await deck.events()).toEqual(["lamp InstallAdvised"]);
  expect((await quay.events()).toSorted()).toEqual(["crane NotPossible", "lamp ApprovalRequired"]);
  expect(await hold.events()).toEqual(["rope HeldBack"]);
  const from = bed.mark();
  await deck.install({ package: "oil", version: "0.1.0", provides: ["Oil"] });
  await deck.reaches(["install lamp.v1.1.0", "keep oil.v0.1.0"]);
  await deck.install({ package: "lamp", version: "1.1.0", provides: ["Lamp"], requires: ["Oil"] });
  await deck.reaches(["keep lamp.v1.1.0", "keep oil.v0.1.0"]);
  await until("the events are there", async () => (await deck.events()).length > 1 || undefined);
  await until("the events are there", async () => (await quay.events()).length > 2 || undefined);
  await becomesIdle(bed);
  expect(await deck.events()).toEqual(["lamp InstallAdvised", "lamp UpToDate"]);
  // The oil of deck is one for quay, too: what waits for approval there is another change.
  expect((await quay.events()).toSorted()).toEqual([
    "crane NotPossible",
    "lamp ApprovalRequired",
    "lamp ApprovalRequired",
  ]);
  expect(
    bed
      .ownWrites(from)
      .filter(({ path }) => path.includes("/hold/"))
      .map(writeText),
  ).toEqual([]);
  await isAnswerOfCommand();
});

test("what is requested no longer leaves nothing behind, and is written with the shipped role alone", async () => {
  const gone = await openNamespace(bed, "gone");
  await gone.subscribe("oil");
  await gone.reaches(["install oil.v0.1.0"]);
  await gone.unsubscribe("oil");
  await until("the Resolution is gone", async () => (await resolutionOf(bed, "gone")) === undefined || undefined);

  const one = await bed.running();
  // A slow API server is a warning; a right that is missing is one, too.
  expect(one.log.filter(({ level, message }) => level === "error" || /forbid|cannot list/.test(message))).toEqual([]);
  expect(await refused()).toBe(0);
  const writes = bed.ownWrites();
  expect(kindsOf(writes)).toEqual([
    "create events",
    "create resolutions",
    "delete resolutions",
    "update resolutions/status",
  ]);
  expect(writes.filter(({ code }) => code >= 300 && code !== CONFLICT).map(writeText)).toEqual([]);
});

const CONFLICT = 409;

test("every metric of the page is exposed, and every exposed one is on it", async () => {
  const one = await bed.running();
  const text = await (await one.ask("metrics", "/metrics")).text();
  const exposed = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, type]) => ({
    ...{ name, isHistogram: type === "histogram" },
  }));
  const documented = ["Both controllers", "The resolution controller"].flatMap((section) => documentedMetrics(section));
  const short = documented.map(({ name, isHistogram }) => ({ name, isHistogram }));
  const byName = (a: { readonly name?: string | undefined }, b: typeof a): number =>
    `${a.name}`.localeCompare(`${b.name}`);
  expect(exposed.toSorted(byName)).toEqual(short.toSorted(byName));
  for (const { name, labels } of documented)
    for (const [, series = ""] of text.matchAll(new RegExp(`^${name}(?:_bucket|_count)?(?:\\{(.*)\\})? `, "gm"))) {
      const found = [...series.matchAll(/([a-z_]+)="/g)].map(([, label]) => label as string);
      expect(labels, `${name}{${series}}`).toEqual(expect.arrayContaining(found.filter((label) => label !== "le")));
    }
});

test("a fresh start writes nothing, and neither does a controller on a cluster where nothing changes", async () => {
  await sameAsFreshStart(bed);
  const from = bed.mark();
  await sleep(IDLE_MS);
  expect(bed.ownWrites(from).map(writeText)).toEqual([]);
  expect(bed.audit.writes(from).some(isLease)).toBe(true);
});

/** Several looks at the catalog, and renewals of the Lease. */
const IDLE_MS = 20_000;

test("what the spec of a Resolution says is in the commands that would help, too", async () => {
  const kept = await openNamespace(bed, "kept");
  await kept.subscribe("lamp");
  await kept.install(CATALOG[0] as StoryBundle);
  await kept.reaches(({ outcome }) => outcome !== undefined);
  await kept.edit("resolutions", "plimsoll", { spec: { hold: ["lamp", "oil"], allOrNothing: true } });
  const { status } = await kept.reaches(({ advised }) => advised.includes("keep lamp.v1.0.0"));
  const [held] = status.heldBack as readonly { readonly why: readonly string[]; readonly whatWouldHelp: string[] }[];
  expect(held?.why.join(" ")).toContain("(spec.hold of the Resolution)");
  expect(held?.whatWouldHelp.slice(0, 2)).toEqual([
    "no longer hold lamp",
    "  plimsoll resolve --live -n kept --all-or-nothing --hold oil",
  ]);
});
