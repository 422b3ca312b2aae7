// Does it matter what a resolver was asked before? One that answers many questions about a namespace must give the answers
// of a new one.

import { expect, test } from "vitest";
import { compareText } from "../../src/model/json.ts";
import type { Installed, Problem, Request } from "../../src/model/problem.ts";
import { Resolver, resolve } from "../../src/resolve/resolve.ts";
import { Dice } from "../worlds/dice.ts";
import { generateWorld } from "../worlds/generate.ts";
import { generateLargeWorld } from "./large-world.ts";
import { resolutionText } from "./resolution-text.ts";

const FIRST = Number(process.env.PLIMSOLL_SEED ?? 1) * 1_000_000 + 400_000;
const MANY = process.env.PLIMSOLL_LONG ? 20 : 1;
const QUESTIONS = process.env.PLIMSOLL_LONG ? 20 : 12;

/** The same namespace on another day. */
function variant(dice: Dice, now: Problem, first: Problem): Problem {
  switch (dice.between(0, 7)) {
    case 0:
      return { ...now, requests: now.requests.filter(() => dice.chance(0.7)) };
    case 1:
      return { ...now, requests: inOrder([...now.requests, ...missing(first.requests, now.requests, ({ id }) => id)]) };
    case 2:
      return { ...now, requests: inOrder(now.requests.map((one) => otherRequest(dice, one))) };
    case 3:
      return { ...now, installed: now.installed.map((one) => (dice.chance(0.4) ? held(one) : one)) };
    case 4:
      return { ...now, installed: now.installed.filter(() => dice.chance(0.6)) };
    case 5:
      return { ...now, installed: byName([...now.installed, ...missing(first.installed, now.installed, nameOf)]) };
    case 6:
      return { ...now, installed: byName(withUpdate(dice, now)) };
    default:
      return first;
  }
}

const nameOf = ({ name }: Installed): string => name;

function inOrder(requests: readonly Request[]): readonly Request[] {
  return requests.toSorted((a, b) => b.priority - a.priority || compareText(a.id, b.id));
}

function byName(installed: readonly Installed[]): readonly Installed[] {
  return installed.toSorted((a, b) => compareText(a.name, b.name));
}

function missing<Item>(all: readonly Item[], there: readonly Item[], key: (item: Item) => string): readonly Item[] {
  const known = new Set(there.map(key));
  return all.filter((item) => !known.has(key(item)));
}

function otherRequest(dice: Dice, request: Request): Request {
  if (dice.chance(0.6)) return request;
  return {
    ...request,
    priority: dice.pick([-1, 0, 1]),
    channel: dice.pick([request.channel, undefined, "stable"]),
    approval: dice.pick(["Automatic", "Automatic", "Manual"]),
  };
}

function held(operator: Installed): Installed {
  const { hold, ...free } = operator;
  return { ...free, hold: hold === undefined ? { by: "flag", text: "not today" } : undefined };
}

/** One operator has been replaced by another bundle of its package, or has other properties. */
function withUpdate(dice: Dice, { installed, catalogs }: Problem): readonly Installed[] {
  const position = dice.between(0, installed.length - 1);
  return installed.map((one, index) => {
    const bundles = catalogs.flatMap(({ packages }) => [...(packages.get(one.package ?? "")?.bundles.values() ?? [])]);
    if (index !== position || bundles.length === 0) return one;
    const { name, version, properties } = dice.pick(bundles);
    if (dice.chance(0.3)) return { ...one, properties };
    return installed.some((other) => other.name === name) ? one : { ...one, name, version, properties };
  });
}

function sameAsNew(first: Problem, dice: Dice, about: object): void {
  const resolver = new Resolver();
  let problem = first;
  for (let question = 0; question < QUESTIONS; question++) {
    expect({ ...about, question, answer: resolutionText(resolver.resolve(problem), ["statistics"]) }).toEqual({
      ...about,
      question,
      answer: resolutionText(resolve(problem), ["statistics"]),
    });
    problem = question === QUESTIONS - 2 ? first : variant(dice, problem, first);
  }
}

test("small namespaces", () => {
  for (let number = 0; number < 40 * MANY; number++) {
    const seed = FIRST + number;
    sameAsNew(generateWorld(seed), new Dice(seed), { seed });
  }
});

test("larger namespaces", () => {
  for (let number = 0; number < 6 * MANY; number++) {
    const seed = FIRST + 50_000 + number;
    const problem = generateLargeWorld(seed, { packages: [30, 40], versions: [3, 5] });
    sameAsNew(problem, new Dice(seed), { seed });
  }
});
