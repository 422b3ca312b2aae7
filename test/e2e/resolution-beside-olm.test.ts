// Is the advice what OLM v0 then does, where OLM is right? Its own operators and the resolution controller run on a real API server, for
// a list of worlds, a namespace each. The advice comes first, while OLM is held. Where the two differ, the table of the world says so,
// and docs/compatibility.md.

import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { partOf } from "../../src/model/json.ts";
import { documentsOf } from "../case-documents.ts";
import { testFolder } from "./command.ts";
import { until } from "./controller/until.ts";
import { writeKubeconfig } from "./kubeconfig.ts";
import { loadObjects } from "./load-objects.ts";
import { type Advice, type Asked, adviceOf, type Generation } from "./olm/advice.ts";
import { CONTROLLER_POD, generationsSaid, startAdvising } from "./olm/advising-controller.ts";
import { type OlmBed, startOlmBed } from "./olm/bed.ts";
import { OLM_USER } from "./olm/olm-operators.ts";
import { endingOf, isUnderWay, type OlmState, olmStates } from "./olm/olm-state.ts";
import { type Ending, prefixOf, type World } from "./olm/world.ts";
import { CHOICES } from "./olm/worlds/choices.ts";
import { communityWorlds } from "./olm/worlds/community.ts";
import { DIFFERENCES } from "./olm/worlds/differences.ts";
import { HARBOUR_WORLDS } from "./olm/worlds/harbour.ts";
import { REFUSALS } from "./olm/worlds/refusals.ts";
import { STORIES } from "./olm/worlds/stories.ts";

const WORLDS = [...STORIES, ...CHOICES, ...REFUSALS, ...DIFFERENCES, ...HARBOUR_WORLDS, ...communityWorlds()];
const THIS_TEST = "test/e2e/resolution-beside-olm.test.ts";
/** Whose rights the advice needs, and no others. */
const READER = "system:serviceaccount:plimsoll:plimsoll-reader";
/** Only a deadlock takes this long, also on a busy machine. */
const SETUP_MS = 900_000;
/** How many questions are asked at the same time. */
const AT_ONCE = 2;

const folder = testFolder("beside-olm");
let bed: OlmBed;
let advice: ReadonlyMap<string, Advice>;
/** What OLM had done when the advice was given. */
let held: ReadonlyMap<string, OlmState>;
let answers: ReadonlyMap<string, OlmState>;
/** What is advised where OLM has done as advised. */
let afterwards: ReadonlyMap<string, Advice>;
/** What the Resolutions say beside both kinds of advice. */
let said: ReadonlyMap<string, Generation>;
let saidAfterwards: ReadonlyMap<string, Generation>;

const ALIKE = WORLDS.filter(({ ours }) => ours === undefined);

beforeAll(async () => {
  bed = await startOlmBed();
  const controller = await startAdvising(bed.cluster);
  const reader = await readerOf(bed);
  await bed.prepare(WORLDS);
  await bed.ask(WORLDS);
  advice = await adviceFor(reader, WORLDS);
  said = await saidBeside(advice, WORLDS);
  held = await olmStates(bed.cluster.admin);
  answers = await bed.answers(WORLDS);
  afterwards = await adviceFor(reader, ALIKE);
  saidAfterwards = await saidBeside(afterwards, ALIKE);
  await controller.stop();
}, SETUP_MS);
afterAll(() => bed?.stop());

/** What the Resolutions say when they say the same as an advice, or after some time. */
async function saidBeside(
  found: ReadonlyMap<string, Advice>,
  worlds: readonly World[],
): Promise<ReadonlyMap<string, Generation>> {
  const { admin } = bed.cluster;
  const isSame = (now: ReadonlyMap<string, Generation>): boolean =>
    worlds.every((world) => isDeepStrictEqual(now.get(world.name), adviceIn(found, world).next));
  const ask = async () => {
    const now = await generationsSaid(admin, worlds);
    return isSame(now) ? now : undefined;
  };
  // A test for each world says which one is not as advised.
  return until("the Resolutions say what is advised", ask).catch(() => generationsSaid(admin, worlds));
}

/** The service account of the read role. */
async function readerOf({ cluster: { admin, server } }: OlmBed): Promise<Asked> {
  await loadObjects(admin, documentsOf("deploy/read-role.yaml"));
  const [, , namespace, name] = READER.split(":");
  const path = `/api/v1/namespaces/${namespace}/serviceaccounts/${name}/token`;
  const request = { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: { expirationSeconds: 7200 } };
  const { body } = await admin.call("POST", path, request);
  const user = { token: `${partOf(body, "status").token}` };
  return { kubeconfig: writeKubeconfig(folder, { server, name: "reader", user }), home: folder };
}

async function adviceFor(asked: Asked, worlds: readonly World[]): Promise<ReadonlyMap<string, Advice>> {
  const found = new Map<string, Advice>();
  const waiting = [...worlds];
  const ask = async (): Promise<void> => {
    for (let world = waiting.shift(); world !== undefined; world = waiting.shift())
      found.set(world.name, await adviceOf(asked, world.name, prefixOf(world)));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, ask));
  return found;
}

function endOf(world: World): Required<Ending> {
  return endingOf(answers.get(world.name) as OlmState, prefixOf(world));
}

function whole(ending: Ending): Required<Ending> {
  return { refused: [], waiting: [], broken: [], ...ending };
}

function adviceIn(found: ReadonlyMap<string, Advice>, { name }: World): Advice {
  return found.get(name) as Advice;
}

describe("OLM", () => {
  test.for(WORLDS)("$name: has done nothing of it before the advice was given", (world) => {
    const state = held.get(world.name) as OlmState;
    const { operators, broken, waiting } = endingOf(state, prefixOf(world));
    expect({ isUnderWay: isUnderWay(state), broken, waiting }).toEqual({ isUnderWay: false, broken: [], waiting: [] });
    expect(operators.length === 0).toBe(world.before === undefined);
  });

  test.for(WORLDS)("$name: $says", (world) => {
    expect(endOf(world)).toEqual(whole(world.olm));
  });
});

describe("the advice", () => {
  test.for(ALIKE)("$name: is what OLM does", (world) => {
    const { outcome, operators, refused, waiting, heldBack } = adviceIn(advice, world);
    expect({ operators, refused, waiting, broken: [] }).toEqual(endOf(world));
    expect(outcome).toBe(refused.length === 0 ? "Resolved" : "Unsatisfiable");
    expect(heldBack).toEqual(world.heldBack ?? []);
  });

  test.for(ALIKE)("$name: is nothing more when OLM is done", (world) => {
    const { operators, refused, waiting } = adviceIn(advice, world);
    const now = adviceIn(afterwards, world);
    expect({ operators: now.operators, refused: now.refused, waiting: now.waiting }).toEqual({
      ...{ operators, refused, waiting },
    });
    expect(now.next.operators).toEqual(operators);
  });

  test.for(WORLDS.filter(({ ours }) => ours !== undefined))("$name: differs as documented", (world) => {
    const { differs, ...ours } = world.ours ?? { differs: "", operators: [] };
    const { operators, refused, waiting, heldBack } = adviceIn(advice, world);
    const advised = { operators, refused, waiting, broken: [] };
    expect(advised).toEqual(whole(ours));
    expect(heldBack).toEqual(world.heldBack ?? []);
    expect(advised).not.toEqual(endOf(world));
    expect(rowsOfThisTest()).toContain(differs);
  });

  test("differs in every row that names this test", () => {
    const differing = WORLDS.flatMap(({ ours }) => ours?.differs ?? []);
    expect([...new Set(rowsOfThisTest())].sort()).toEqual([...new Set(differing)].sort());
  });
});

describe("the Resolution", () => {
  test.for(WORLDS)("$name: says what is advised", (world) => {
    expect(said.get(world.name)).toEqual(adviceIn(advice, world).next);
  });

  test.for(ALIKE)("$name: says that nothing is to be done when OLM is done", (world) => {
    expect(saidAfterwards.get(world.name)).toEqual(adviceIn(afterwards, world).next);
  });
});

/** The first columns of the rows of the page that name this test. */
function rowsOfThisTest(): readonly string[] {
  const lines = readFileSync("docs/compatibility.md", "utf8").split("\n");
  const rows = lines.filter((line) => line.startsWith("| ") && line.includes(`\`${THIS_TEST}\``));
  return rows.map((row) => row.slice(2, row.indexOf(" | ")));
}

describe("OLM's objects", () => {
  test("are not written by those who ask", () => {
    expect([...bed.writesBy(READER).keys()]).toEqual([]);
  });

  test("are not written by the controller, which writes Resolutions, events and its Lease", () => {
    expect([...bed.writesBy(CONTROLLER_POD).keys()].sort()).toEqual([
      "coordination.k8s.io/leases",
      "events.k8s.io/events",
      "plimsoll.dev/resolutions",
      "plimsoll.dev/resolutions/status",
    ]);
  });

  test("are written by OLM, which the audit log shows", () => {
    expect([...bed.writesBy(OLM_USER).keys()]).toEqual(
      expect.arrayContaining([
        "operators.coreos.com/clusterserviceversions",
        "operators.coreos.com/installplans",
        "operators.coreos.com/subscriptions/status",
      ]),
    );
  });
});
