// Whatever happens, does every Resolution end as a fresh start would write it, and is nothing written after that?

import { expect, test } from "vitest";
import { type JsonObject, own, partOf } from "../../src/model/json.ts";
import { NetFailure } from "../../src/net/failure.ts";
import { Dice } from "../worlds/dice.ts";
import { COLLECTIONS, harbour, LAMP, PATHS, type ResolutionStory, type StoryBundle } from "./resolution-story.ts";

const STORIES = process.env.PLIMSOLL_LONG === undefined ? 25 : 500;
const STEPS = 25;
const NAMESPACES = ["deck", "quay", "mole"];
const PACKAGES = ["lamp", "oil", "crane"];
const NEWER: readonly StoryBundle[] = [
  ...LAMP,
  { package: "lamp", version: "1.2.0", replaces: "1.1.0", provides: ["Lamp"], requires: ["Hook"] },
  { package: "crane", version: "1.0.0", provides: ["Hook"] },
];

type Step = (story: ResolutionStory, dice: Dice) => void | Promise<void>;

const REFUSED = new NetFailure("forbidden", "no", { status: 403 });
const ABSENT = new NetFailure("not-found", "nothing is there", { status: 404 });

const THINGS: readonly Step[] = [
  (story, dice) => story.subscribe(dice.pick(NAMESPACES), dice.pick(PACKAGES)),
  (story, dice) => story.api.remove(PATHS.subscription(dice.pick(NAMESPACES), dice.pick(PACKAGES))),
  (story, dice) => {
    const one = dice.pick(NEWER);
    story.install(dice.pick(NAMESPACES), one);
  },
  (story, dice) => {
    const { package: owner, version } = dice.pick(NEWER);
    story.api.remove(PATHS.operator(dice.pick(NAMESPACES), `${owner}.v${version}`));
  },
  (story, dice) => story.serve("harbour", dice.pick([LAMP, NEWER, [], "it does not answer"])),
  (story, dice) =>
    story.putSource(
      "harbour",
      { sourceType: "grpc", address: "harbour:50051" },
      { connectionState: { at: dice.between(0, 9) } },
    ),
  (story, dice) => story.putConstraints(dice.pick(["[]", "[", '[{"type": "cluster.name", "value": "dock"}]'])),
  (story) => story.api.remove(PATHS.constraints),
  (story, dice) =>
    story.api.patch(PATHS.resolution(dice.pick(NAMESPACES)), { spec: { mode: dice.pick(["Advise", "Off"]) } }),
  (story, dice) => story.api.patch(PATHS.resolution(dice.pick(NAMESPACES)), { status: { outcome: "Resolved" } }),
  (story, dice) => story.api.remove(PATHS.resolution(dice.pick(NAMESPACES))),
  (story, dice) => story.api.breakWatches(dice.chance(0.5)),
  (story, dice) =>
    story.api.patch(PATHS.subscription(dice.pick(NAMESPACES), dice.pick(PACKAGES)), { spec: { name: 7 } }),
  (story, dice) => {
    const { package: owner, version } = dice.pick(NEWER);
    story.api.patch(PATHS.operator(dice.pick(NAMESPACES), `${owner}.v${version}`), {
      metadata: { annotations: { "operatorframework.io/properties": "{" } },
    });
  },
  (story) => story.restart(),
  async (story, dice) => {
    story.api.unreadable.set(dice.pick(Object.values(COLLECTIONS)), dice.pick([REFUSED, ABSENT]));
    await story.restart();
    await story.clock.pass(dice.between(1, 60) * 1000);
    story.api.unreadable.clear();
  },
  async (story, dice) => {
    story.api.unreadable.set(dice.pick(Object.values(COLLECTIONS)), REFUSED);
    story.api.breakWatches(true);
    await story.clock.pass(dice.between(1, 60) * 1000);
    story.api.unreadable.clear();
  },
  async (story, dice) => {
    story.api.faultOf = () =>
      dice.chance(0.5)
        ? { refuse: new NetFailure("server", "busy", { status: 503 }) }
        : { lose: new NetFailure("timeout", "no answer") };
    await story.clock.pass(dice.between(1, 5) * 1000);
    story.api.faultOf = () => undefined;
  },
  (story, dice) => {
    let left = dice.between(1, 2);
    story.onAdvise = () => {
      if (left-- > 0) throw new Error("the engine fell");
    };
  },
  (story, dice) => {
    let left = dice.between(1, 2);
    story.onRead = () => {
      if (left-- > 0) throw new Error("the engine fell");
    };
  },
  (story, dice) => {
    const takes = dice.between(1, 90) * 1000;
    story.onRead = () => new Promise((done) => void story.clock.after(takes, done));
  },
];

/** What all Resolutions say, without the times of their conditions. */
function said(story: ResolutionStory): JsonObject {
  const found = story.api.collection("/apis/plimsoll.dev/v1alpha1/resolutions").map((object) => {
    const { conditions, ...status } = partOf(object, "status");
    const timeless = (conditions as readonly JsonObject[]).map(({ lastTransitionTime: _, ...rest }) => rest);
    return [String(own(partOf(object, "metadata"), "namespace")), { ...status, conditions: timeless }] as const;
  });
  return Object.fromEntries(found.sort(([a], [b]) => (a < b ? -1 : 1)));
}

test.each(Array.from({ length: STORIES }, (_, seed) => seed))("story %i", async (seed) => {
  const dice = new Dice(seed);
  const story = harbour();
  if (seed % 2 === 1) {
    story.api.lagOf = () => dice.between(0, 1500);
    story.api.delayOf = () => dice.between(0, 150);
  }
  story.start();
  for (let step = 0; step < STEPS; step++) {
    await dice.pick(THINGS)(story, dice);
    await story.clock.pass(dice.pick([0, 40, 700, 5000]));
  }
  // In the end everything can be read, and everything was read.
  story.serve("harbour", NEWER);
  story.onAdvise = () => undefined;
  story.onRead = () => undefined;
  await story.clock.pass(900_000);
  await story.settle();
  const writes = story.api.writes.length;
  const ended = said(story);
  await story.restart();
  await story.settle();
  expect(said(story)).toEqual(ended);
  expect(story.api.writes.slice(writes)).toEqual([]);
  for (const namespace of NAMESPACES)
    if (PACKAGES.some((name) => story.api.object(PATHS.subscription(namespace, name)) !== undefined))
      expect(ended).toHaveProperty(namespace);
  await story.stop();
});
