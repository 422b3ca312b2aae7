// What if several ask for the same package? A small random world with more requests: for packages that are asked for
// already, and for bundles by name, also for skipped ones that no other request can have.

import type { Bundle, Package } from "../../src/model/catalog.ts";
import { compareText } from "../../src/model/json.ts";
import type { Problem, Request } from "../../src/model/problem.ts";
import { parseRange, type Range } from "../../src/semver/blang-range.ts";
import { printVersion } from "../../src/semver/version.ts";
import { Dice } from "../worlds/dice.ts";
import { generateWorld } from "../worlds/generate.ts";

/** The world of a seed, with two to four requests more. */
export function crowded(seed: number): Problem {
  const problem = generateWorld(seed);
  const dice = new Dice(2 * seed + 1);
  const offered = problem.catalogs.flatMap(({ packages }) =>
    [...packages.values()].filter(({ name }) => !problem.removed.includes(name)),
  );
  if (offered.length === 0) return problem;
  const asked = offered.filter(({ name }) => problem.requests.some((request) => request.package === name));
  // Of a package with several versions there is something to disagree about.
  const varied = (some: readonly Package[]): readonly Package[] => some.filter(({ bundles }) => bundles.size > 1);
  const owner = dice.pick([varied(asked), varied(offered), offered].find((some) => some.length > 0) ?? offered);
  const skipping = offered.filter((one) => skippedOf(one).length > 0);
  const more = [
    another(dice, owner),
    ...(dice.chance(0.6) ? [another(dice, owner)] : []),
    ...(dice.chance(0.3) ? [another(dice, dice.pick(offered))] : []),
    starting(dice, dice.pick(skipping.length > 0 && dice.chance(0.8) ? skipping : offered)),
  ];
  const requests = more.map((one, index): Request => {
    const name = `more-${index}`;
    const running = problem.installed.find((operator) => operator.package === one.package);
    const claim = running !== undefined && dice.chance(0.7) ? { installed: running.name } : {};
    return { ...one, ...claim, name, id: `${problem.namespace}/${name}` };
  });
  return {
    ...problem,
    requests: [...problem.requests, ...requests].sort((a, b) => b.priority - a.priority || compareText(a.id, b.id)),
  };
}

type NewRequest = Omit<Request, "id" | "name">;

function another(dice: Dice, { name, channels, bundles }: Package): NewRequest {
  const { version } = dice.pick([...bundles.values()]);
  const range = dice.chance(0.75) ? { range: parseRange(printVersion(version)) as Range } : {};
  const channel = dice.chance(0.3) ? { channel: dice.pick([...channels.keys()]) } : {};
  return { package: name, priority: dice.pick([0, 0, 1]), approval: approval(dice), ...range, ...channel };
}

function starting(dice: Dice, owner: Package): NewRequest {
  const skipped = skippedOf(owner);
  const { name } = dice.pick(skipped.length > 0 ? skipped : [...owner.bundles.values()]);
  return { package: owner.name, priority: dice.pick([0, 0, 1]), approval: approval(dice), startingCSV: name };
}

function approval(dice: Dice): Request["approval"] {
  return dice.chance(0.1) ? "Manual" : "Automatic";
}

/** Bundles that a channel has, but not on its chain. */
function skippedOf({ channels }: Package): readonly Bundle[] {
  return [...channels.values()].flatMap(({ entries, chain }) =>
    [...entries.values()].flatMap((entry) =>
      entry.bundle === undefined || chain.includes(entry) ? [] : [entry.bundle],
    ),
  );
}
