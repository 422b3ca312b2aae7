// Why not? Reasons about the operator alone come first; then requests; then what the answer prefers. As OLM does
// it, and where an approval would not suffice, too.

import { describe, expect, test } from "vitest";
import { type ExplainedResolution, explainedAnswer as resolve } from "../../../test/explanations/explained-answer.ts";
import { explanationText } from "../../../test/explanations/explanation-text.ts";
import { needs, needsPackage, provides, request, running, scene, stocked } from "../../../test/worlds/scene.ts";
import type { Property } from "../../model/catalog.ts";
import type { Installed, Problem } from "../../model/problem.ts";
import { fixText } from "../../render/sentence/fix.ts";
import { flagsOf } from "../../render/sentence/flags.ts";
import { catalogWorld } from "../catalog-world.ts";
import { Encoding } from "../encoding.ts";
import type { Explanation } from "../resolution.ts";
import { solve } from "../solution.ts";
import { changedByAll } from "../what-if.ts";
import { explainAbsent } from "./why.ts";

/** The only explanation of an answer. */
function explanationOf({ unsatisfied, heldBack }: ExplainedResolution): Explanation {
  const [only, ...more] = [...unsatisfied, ...heldBack];
  expect(more).toEqual([]);
  return (only as NonNullable<typeof only>).explanation;
}

/** The kinds of its facts; requests with their reason, and rules with whether they are about a repair. */
function kindsOf({ facts }: Explanation): readonly string[] {
  return facts
    .map((fact) => {
      if (fact.kind === "wanted") return `wanted ${fact.why}`;
      return "isRepair" in fact && fact.isRepair ? `repair ${fact.kind}` : fact.kind;
    })
    .sort();
}

/** The requested packages that the explanation mentions. */
function askedFor({ facts }: Explanation): readonly string[] {
  return facts.flatMap((fact) => (fact.kind === "wanted" ? [fact.request?.package ?? ""] : [])).sort();
}

/** Whether some bundle of a package is forbidden in the answer. */
function absence(problem: Problem, owner: string): Explanation | undefined {
  const world = catalogWorld(problem);
  const solution = solve(new Encoding(problem), problem);
  return explainAbsent(solution, world.chainsOf(world.packageNameOf(owner)));
}

function there(name: string, properties: readonly Property[]): Installed {
  return running(name, properties, { namespace: "there" });
}

const OLM = { compat: true };

describe("as OLM does it", () => {
  test("an operator that competes with one of another namespace cannot stay, and that is a reason", () => {
    const catalog = stocked({
      x: { "1.0.0": [provides("K")], "2.0.0": [] },
      a: { "1.0.0": [needsPackage("x", "<2.0.0")] },
    });
    const parts = {
      catalogs: [catalog],
      installed: [running("x.v1.0.0", [provides("K")])],
      elsewhere: [there("y.v1.0.0", [provides("K")])],
      requests: [request("a"), request("x", { installed: "x.v1.0.0" })],
    };
    const resolution = resolve(scene(parts, OLM));
    expect(resolution.unsatisfied.map(({ request: { package: owner } }) => owner)).toEqual(["a"]);
    expect(resolution.proven).toBe(true);
    const explanation = explanationOf(resolution);
    expect(explanation.facts).not.toEqual([]);
    expect(explanationText(explanation)).toContain("K (example.com/v1)");
    expect(explanationText(explanation)).not.toContain("search");
    expect(explanation.fixes.flatMap(({ changes }) => changes.map(({ kind }) => kind))).not.toContain("limit");
    // Without OLM's rules it may go on as it did.
    expect(resolve(scene(parts)).unsatisfied).toEqual([]);
  });

  test("two installed operators cannot both stay", () => {
    const both = { "1.0.0": [provides("K")], "2.0.0": [] };
    const needy = [needsPackage("p", "<2.0.0"), needsPackage("q", "<2.0.0")];
    const parts = {
      catalogs: [stocked({ p: both, q: both, a: { "1.0.0": needy } })],
      installed: [running("p.v1.0.0", [provides("K")]), running("q.v1.0.0", [provides("K")])],
      requests: [
        request("a"),
        request("p", { installed: "p.v1.0.0", priority: -1 }),
        request("q", { installed: "q.v1.0.0", priority: -1 }),
      ],
    };
    const resolution = resolve(scene(parts, OLM));
    expect(kindsOf(explanationOf(resolution))).toEqual(["demand", "demand", "one-provider", "wanted goal"]);
    expect(resolve(scene(parts)).unsatisfied).toEqual([]);
  });

  test("repairs and updates have no precedence, only candidates of earlier requests", () => {
    const catalog = stocked({
      first: { "1.0.0": [], "2.0.0": [provides("Lamp")] },
      second: { "1.0.0": [], "2.0.0": [provides("Lamp")] },
    });
    const parts = {
      catalogs: [catalog],
      requests: ["first", "second"].map((owner) => request(owner, { installed: `${owner}.v1.0.0` })),
      installed: [running("first.v1.0.0"), running("second.v1.0.0")],
    };
    expect(kindsOf(explanationOf(resolve(scene(parts, OLM))))).toEqual(["one-provider", "wanted best", "wanted goal"]);
    expect(kindsOf(explanationOf(resolve(scene(parts))))).toEqual(["one-provider", "wanted goal", "wanted update"]);
  });

  test("an update of a later request is no reason", () => {
    const chain = links(9, needs("Nothing"));
    const parts = {
      catalogs: [
        stocked({
          ...chain,
          first: { "1.0.0": [], "2.0.0": [needsPackage("link-0"), provides("Lamp")] },
          second: { "1.0.0": [], "2.0.0": [provides("Lamp")] },
        }),
      ],
      requests: ["first", "second"].map((owner) => request(owner, { installed: `${owner}.v1.0.0` })),
      installed: [running("first.v1.0.0"), running("second.v1.0.0")],
    };
    const kinds = kindsOf(explanationOf(resolve(scene(parts, OLM))));
    expect(kinds).not.toContain("wanted update");
    expect(kinds).toContain("demand");
  });
});

/** Packages of which each needs the next, and the last something else. */
function links(count: number, last: Property): Readonly<Record<string, { readonly "1.0.0": readonly Property[] }>> {
  return Object.fromEntries(
    Array.from({ length: count }, (_, index) => [
      `link-${index}`,
      { "1.0.0": [index === count - 1 ? last : needsPackage(`link-${index + 1}`)] },
    ]),
  );
}

describe("what was broken before", () => {
  test("two of one package that run forbid nothing by that", () => {
    const catalog = stocked({ x: { "1.0.0": [], "2.0.0": [] }, z: { "1.0.0": [] } });
    const problem = scene({ catalogs: [catalog], installed: [running("x.v1.0.0"), running("x.v2.0.0")] });
    expect(absence(problem, "z")).toBeUndefined();
  });

  test("two providers of an API that run forbid nothing by that", () => {
    const catalog = stocked({ x: { "1.0.0": [provides("K")] }, y: { "1.0.0": [provides("K")] }, z: { "1.0.0": [] } });
    const installed = [running("x.v1.0.0", [provides("K")]), running("y.v1.0.0", [provides("K")])];
    expect(absence(scene({ catalogs: [catalog], installed }), "z")).toBeUndefined();
  });

  test("a third provider is forbidden nevertheless", () => {
    const catalog = stocked({ z: { "1.0.0": [provides("K")] } });
    const installed = [running("x.v1.0.0", [provides("K")]), running("y.v1.0.0", [provides("K")])];
    const explanation = absence(scene({ catalogs: [catalog], installed }), "z");
    expect(explanation?.facts.map(({ kind }) => kind)).toContain("one-provider");
  });
});

describe("reasons about a single operator come first", () => {
  test("a request that is impossible alone names no other request", () => {
    const catalog = stocked({
      a: { "1.0.0": [provides("K"), needs("Nothing")] },
      b: { "1.0.0": [provides("K")] },
    });
    const problem = scene({ catalogs: [catalog], requests: [request("b", { priority: 1 }), request("a")] });
    const explanation = explanationOf(resolve(problem));
    expect(askedFor(explanation)).toEqual(["a"]);
    expect(explanationText(explanation)).not.toContain("You asked for b");
  });

  test("also where the reason is three packages away", () => {
    const catalog = stocked({
      ...links(3, needs("Nothing")),
      a: { "1.0.0": [provides("K"), needsPackage("link-0")] },
      b: { "1.0.0": [provides("K")] },
    });
    const problem = scene({ catalogs: [catalog], requests: [request("b", { priority: 1 }), request("a")] });
    expect(askedFor(explanationOf(resolve(problem)))).toEqual(["a"]);
  });

  test("requests come before what the answer prefers", () => {
    const broker = { "1.0.0": [needs("Bill")], "1.1.0": [needs("Bill")] };
    const problem = scene({
      catalogs: [stocked({ broker, lading: { "1.0.0": [provides("Bill")], "2.0.0": [] } })],
      installed: [running("lading.v1.0.0", [provides("Bill")])],
      requests: [request("broker"), request("lading", { installed: "lading.v1.0.0" })],
    });
    const explanation = explanationOf(resolve(problem));
    expect(kindsOf(explanation)).toEqual(["demand", "one-bundle", "wanted goal", "wanted request"]);
    expect(explanationText(explanation)).toContain("You asked for broker.");
    expect(explanationText(explanation)).not.toMatch(/comes first|is given/);
  });

  test("also where what the answer prefers would be the shorter reason", () => {
    const problem = scene({
      catalogs: [
        stocked({
          ...links(2, needsPackage("lading", "<2.0.0")),
          first: { "1.0.0": [], "2.0.0": [provides("Lamp")] },
          asking: { "1.0.0": [needsPackage("link-0")] },
          lading: { "1.0.0": [], "2.0.0": [provides("Lamp")] },
        }),
      ],
      requests: [request("first", { priority: 1 }), request("asking"), request("lading")],
    });
    const explanation = explanationOf(resolve(problem));
    expect(askedFor(explanation)).toEqual(["asking", "lading"]);
    expect(kindsOf(explanation)).toContain("wanted request");
  });

  test("the candidate of an earlier request is the reason only if an older one would help", () => {
    const broker = { "1.0.0": [], "1.1.0": [needs("Bill")] };
    const problem = scene({
      catalogs: [stocked({ broker, lading: { "1.0.0": [provides("Bill")], "2.0.0": [] } })],
      requests: [request("broker"), request("lading")],
    });
    expect(kindsOf(explanationOf(resolve(problem)))).toContain("wanted best");
  });
});

describe("where an approval would not suffice", () => {
  const MANUAL = { installed: "m.v1.0.0", approval: "Manual" } as const;
  const versions = { "1.0.0": [provides("Bill")], "2.0.0": [] };
  const installed = [running("broker.v1.0.0", [needs("Bill")]), running("m.v1.0.0", [provides("Bill")])];

  /** Its fixes as flags, each of which has been seen to work while nothing else is approved. */
  function effective(problem: Problem, wanted: string): readonly string[] {
    const { fixes } = heldBackOf(problem, "m");
    return fixes.map(({ changes }) => {
      const { operators } = resolve(changedByAll(problem, changes));
      expect(operators.map(({ name }) => name)).toContain(wanted);
      return changes.flatMap(flagsOf).join(" ");
    });
  }

  test("the real reason is reported, and the approval is part of the fix", () => {
    const problem = scene({ catalogs: [stocked({ m: versions })], installed, requests: [request("m", MANUAL)] });
    const explanation = explanationOf(resolve(problem));
    expect(kindsOf(explanation)).toEqual(["demand", "one-bundle", "stays", "wanted goal"]);
    expect(explanationText(explanation)).toContain("broker 1.0.0 requires the API Bill");
    expect(explanationText(explanation)).not.toContain("approval");
    expect(effective(problem, "m.v2.0.0")).toEqual(["--remove broker --approve m"]);
  });

  test("no approval is needed if another request does not wait", () => {
    // Another operator waits, so that there is something to approve.
    const other = { installed: "n.v1.0.0", approval: "Manual" } as const;
    const problem = scene({
      catalogs: [stocked({ m: versions, n: { "1.0.0": [], "2.0.0": [] } })],
      installed: [...installed, running("n.v1.0.0")],
      requests: [
        request("m", MANUAL),
        request("m", { id: "here/m-too", name: "m-too", installed: "m.v1.0.0" }),
        request("n", other),
      ],
    });
    expect(effective(problem, "m.v2.0.0")).toEqual(["--remove broker"]);
  });

  test("an earlier request that does not wait has to change, too", () => {
    const lamps = { "1.0.0": [], "2.0.0": [provides("Lamp")] };
    const problem = scene({
      catalogs: [stocked({ b: lamps, m: lamps })],
      installed: [running("b.v1.0.0"), running("m.v1.0.0")],
      requests: [request("b", { installed: "b.v1.0.0" }), request("m", MANUAL)],
    });
    expect(explanationText(heldBackOf(problem, "m"))).toContain("b 2.0.0");
    expect(effective(problem, "m.v2.0.0")).toEqual(["--hold b --approve m", "--drop b --approve m"]);
  });

  test("an earlier request that waits, too, is no obstacle", () => {
    const lamps = { "1.0.0": [], "2.0.0": [provides("Lamp")] };
    const problem = scene({
      catalogs: [stocked({ b: lamps, m: lamps })],
      installed: [running("b.v1.0.0"), running("m.v1.0.0")],
      requests: [request("b", { installed: "b.v1.0.0", approval: "Manual" }), request("m", MANUAL)],
    });
    expect(effective(problem, "m.v2.0.0")).toEqual(["--approve m"]);
  });
});

/** Why the operator of a package is held back. */
function heldBackOf(problem: Problem, owner: string): Explanation {
  const item = resolve(problem).heldBack.find((one) => one.package === owner);
  return (item as NonNullable<typeof item>).explanation;
}

test("all or nothing: the facts of what would be possible are those of what is not", () => {
  const catalogs = [stocked({ lamp: { "1.0.0": [] }, reader: { "1.0.0": [needs("Light")] } })];
  const requests = [request("lamp"), request("reader")];
  const { unsatisfied } = resolve(scene({ catalogs, requests }, { allOrNothing: true }));
  const facts = unsatisfied.map(({ explanation }) =>
    explanation.facts.map(({ rule, subject }) => `${rule} ${subject}`),
  );
  expect(unsatisfied.map(({ request: { id } }) => id)).toEqual(["here/lamp", "here/reader"]);
  expect(facts[1]).not.toEqual([]);
  expect(facts[0]).toEqual(["all-or-nothing here/reader", ...(facts[1] ?? [])]);
});

test("catalogs that share a name are printed with their namespaces", () => {
  const lamp = { lamp: { "1.0.0": [] } };
  const catalogs = ["olm", "shop"].map((namespace) => stocked(lamp, { name: "cat", namespace }));
  const wanted = request("lamp", { catalog: { name: "cat", namespace: "oml" } });
  const [refused] = resolve(scene({ catalogs, requests: [wanted] })).unsatisfied;
  expect(explanationText(refused?.explanation)).toBe("there is no catalog oml/cat; there are olm/cat and shop/cat");
  expect(refused?.explanation.fixes.map(fixText)).toEqual([
    "take lamp from catalog olm/cat",
    "take lamp from catalog shop/cat",
  ]);
  const [other] = resolve(scene({ catalogs, requests: [request("lamp", { catalog: { name: "dog" } })] })).unsatisfied;
  expect(explanationText(other?.explanation)).toBe("there is no catalog dog; there is cat");
});
