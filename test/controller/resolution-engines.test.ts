// What does the resolution controller say of namespaces for which engines fail, or take too long? Others are not held up.

import { afterEach, describe, expect, test } from "vitest";
import { harbour, lampRequested, type ResolutionStory } from "./resolution-story.ts";

let story: ResolutionStory;

afterEach(() => story.stop());

async function begun(): Promise<void> {
  story = await lampRequested();
}

const BOTH = ["install lamp.v1.1.0", "install oil.v0.1.0"];

describe("an engine", () => {
  test("that ends is replaced; its namespace is undecided and is tried again, the others are answered", async () => {
    story = harbour();
    story.subscribe("deck", "lamp");
    story.subscribe("quay", "oil");
    let failures = 0;
    story.onAdvise = (namespace) => {
      if (namespace === "deck" && failures++ < 1) throw new Error("out of memory");
    };
    story.start();
    await story.clock.pass(10_000);
    expect(story.advised("quay")).toEqual(["install oil.v0.1.0"]);
    expect(story.status("deck")).toMatchObject({ outcome: "Undecided" });
    expect(story.condition("deck", "Degraded")).toBe("True NoAnswer: Plimsoll has no answer: out of memory");
    expect(story.enginesStarted).toBe(3);
    await story.clock.pass(90_000);
    await story.settle();
    expect(story.advised("deck")).toEqual(BOTH);
    expect(story.condition("deck", "Degraded")).toMatch(/^False AllRead/);
    expect(story.metric("plimsoll_engine_restarts_total")).toBe(1);
  });

  test("that ends says nothing of constraints and catalogs, and its namespace counts as undecided", async () => {
    story = harbour();
    story.subscribe("deck", "lamp");
    story.putConstraints("[");
    story.onAdvise = () => {
      throw new Error("out of memory");
    };
    story.start();
    await story.clock.pass(10_000);
    const unknown = "Unknown NoAnswer: It is not known, because no answer was computed.";
    expect(story.condition("deck", "ConstraintsValid")).toBe(unknown);
    expect(story.condition("deck", "CatalogsReady")).toBe(unknown);
    expect(story.metric('plimsoll_resolutions{outcome="Undecided"}')).toBe(1);
  });
});

test("an answer that was cut off is asked for again later, although nothing has changed", async () => {
  story = harbour();
  story.limit = -1;
  story.subscribe("deck", "lamp");
  story.start();
  await story.settle();
  expect(story.status("deck")).toMatchObject({ outcome: "Undecided" });
  story.limit = 10_000;
  await story.clock.pass(700_000);
  await story.settle();
  expect(story.advised("deck")).toEqual(BOTH);
});

/** Changes that every answer could depend on, and that of deck does not. */
async function changeElsewhere(): Promise<void> {
  for (let count = 0; count < 10; count++) {
    story.install("elsewhere", { package: "crane", version: `1.0.${count}`, provides: ["Crane"] });
    await story.clock.pass(3000);
  }
}

test("an answer that was cut off is not asked for again at changes that it does not depend on", async () => {
  story = harbour();
  story.limit = -1;
  story.subscribe("deck", "lamp");
  story.start();
  await story.settle();
  const before = story.resolves;
  await changeElsewhere();
  expect(story.resolves).toBe(before);
  await story.clock.pass(700_000);
  expect(story.resolves).toBe(before + 1);
});

test("an engine that fails is not asked again before its time, unless something of the namespace changes", async () => {
  story = harbour();
  story.subscribe("deck", "lamp");
  let asked = 0;
  story.onAdvise = (namespace) => {
    if (namespace !== "deck") return;
    asked++;
    throw new Error("out of memory");
  };
  story.start();
  await story.settle();
  expect(asked).toBe(1);
  await changeElsewhere();
  expect(asked).toBe(1);
  story.subscribe("deck", "oil");
  await story.settle();
  expect(asked).toBe(2);
  await story.clock.pass(90_000);
  expect(asked).toBe(3);
});

test("what has changed in a namespace while an engine was asked in vain is tried at once", async () => {
  story = harbour();
  story.subscribe("deck", "lamp");
  let asked = 0;
  let fail: () => void = () => undefined;
  story.onAdvise = async (namespace) => {
    if (namespace !== "deck" || asked++ > 0) return;
    await new Promise<void>((done) => {
      fail = done;
    });
    throw new Error("out of memory");
  };
  story.start();
  await story.clock.pass(5000);
  expect(asked).toBe(1);
  story.subscribe("deck", "oil");
  await story.clock.pass(5000);
  fail();
  await story.clock.pass(5000);
  expect(story.advised("deck")).toEqual(["install lamp.v1.1.0", "install oil.v0.1.0"]);
});

test.for([false, true])(
  "a failure of the engine does not repeat events (after a restart: %s)",
  async (isAfterRestart) => {
    await begun();
    if (isAfterRestart) {
      await story.restart();
      await story.settle();
    }
    let failures = 1;
    story.onAdvise = () => {
      if (failures-- > 0) throw new Error("out of memory");
    };
    story.subscribe("deck", "oil");
    await story.clock.pass(5000);
    expect(story.condition("deck", "Degraded")).toMatch(/^True NoAnswer/);
    await story.clock.pass(90_000);
    await story.settle();
    expect(story.recorded.map(({ reason, regarding }) => `${regarding.name} ${reason}`)).toEqual([
      "lamp InstallAdvised",
      "oil InstallAdvised",
    ]);
  },
);
