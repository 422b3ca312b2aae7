// Does it read well? Small worlds, each with the whole text that a person gets.

import { describe, expect, test } from "vitest";
import { explanationText } from "../../../test/explanations/explanation-text.ts";
import {
  constraint,
  gvk,
  needs,
  needsPackage,
  provides,
  request,
  running,
  scene,
  stocked,
} from "../../../test/worlds/scene.ts";
import type { Property } from "../../model/catalog.ts";
import { finding } from "../../model/finding.ts";
import type { JsonObject } from "../../model/json.ts";
import { wholeSource } from "../../model/place.ts";
import type { Problem } from "../../model/problem.ts";
import { rankOf } from "../../resolve/candidates.ts";
import { Encoding } from "../../resolve/encoding.ts";
import { explainHeldBack, explainUnsatisfied } from "../../resolve/explain/why.ts";
import type { Explanation } from "../../resolve/resolution.ts";
import { solve } from "../../resolve/solution.ts";
import { parseRange, type Range } from "../../semver/blang-range.ts";
import { factTexts } from "./fact.ts";

/** Why the last request that lacks something lacks it. */
function explained(problem: Problem): Explanation {
  const solution = solve(new Encoding(problem), problem);
  const without = solution.unsatisfied.at(-1);
  if (without !== undefined) return explainUnsatisfied(solution, without);
  const behind = solution.satisfied.findLast((one) => rankOf(one, solution.members) > 0);
  if (behind === undefined) throw new Error("nothing is lacking");
  return explainHeldBack(solution, behind, rankOf(behind, solution.members));
}

/** Versions 0.1.0 to 0.COUNT.0, each with what the function gives it. */
function versions(count: number, properties: (minor: number) => readonly Property[] = () => []) {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`0.${index + 1}.0`, properties(index + 1)]));
}

const range = (text: string): Range => parseRange(text) as Range;
const conflict = (value: object): Property => constraint({ ...value, action: { id: "conflict" } });

const twiceDenied = (value: JsonObject): Property =>
  constraint({ none: { constraints: [{ none: { constraints: [{ package: value }] } }] } });

const GOLD = 'properties.exists(p, p.type == "tier" && p.value == "gold")';

const STORIES: readonly (readonly [title: string, problem: Problem, text: string])[] = [
  [
    "runtime constraints that cannot be read: the first line is not repeated",
    scene({
      catalogs: [stocked({ a: versions(2) })],
      requests: [request("a")],
      runtime: { entries: [], problems: [finding("PL003", wholeSource("rules.yaml"), { message: "not closed" })] },
    }),
    `No version of a can be installed.
Nothing is installed or updated while the runtime constraints cannot be read.`,
  ],
  [
    "two requests that need different versions of one package",
    scene({
      catalogs: [
        stocked({
          kogito: versions(14, (minor) => (minor > 10 ? [needs("Kafka")] : [])),
          strimzi: versions(40, (minor) => (minor < 23 ? [provides("Kafka")] : [])),
        }),
      ],
      requests: [request("strimzi", { range: range(">=0.23.0") }), request("kogito", { range: range("0.14.0") })],
    }),
    `kogito 0.14.0 cannot be installed.
1. kogito 0.14.0 requires the API Kafka (example.com/v1), which only strimzi 0.1.0 to 0.22.0 provides.
2. You asked for strimzi >=0.23.0, which is 0.23.0 to 0.40.0.
3. Only one version of strimzi can run in a namespace. So (1) and (2) cannot both be met.
When requests conflict, as many as possible are satisfied; ties are broken by priority (plimsoll.dev/priority), then name.`,
  ],
  [
    "an API without a provider",
    scene({ catalogs: [stocked({ a: versions(3, () => [needs("Nothing")]) })], requests: [request("a")] }),
    `No version of a can be installed.
Every version of a requires the API Nothing (example.com/v1), and no operator in the catalogs provides it.`,
  ],
  [
    "versions that there are not",
    scene({
      catalogs: [stocked({ a: versions(2, () => [needsPackage("b", ">=0.4.0")]), b: versions(3) })],
      requests: [request("a")],
    }),
    `No version of a can be installed.
Every version of a requires b >=0.4.0, and there are only 0.1.0 to 0.3.0.`,
  ],
  [
    "a package that there is not",
    scene({ catalogs: [stocked({ a: { "1.0.0": [needsPackage("b")] } })], requests: [request("a")] }),
    `a 1.0.0 cannot be installed.
a 1.0.0 requires b, and no catalog has it.`,
  ],
  [
    "ranges that differ from version to version, and a rival",
    scene({
      catalogs: [
        stocked({
          a: versions(9, (minor) => [needsPackage("b", `>=0.${minor}.0`)]),
          b: versions(12, (minor) => [needsPackage("c", `0.${minor}.0`)]),
          c: versions(12, (minor) => (minor > 4 ? [needs("X")] : [])),
          x: versions(2, () => [provides("X"), provides("Z")]),
          y: versions(2, () => [provides("Z")]),
        }),
      ],
      requests: [request("a", { range: range(">=0.5.0"), priority: -1 }), request("y")].reverse(),
    }),
    `None of a 0.5.0 to 0.9.0 can be installed.
1. a 0.5.0 to 0.9.0 require b, each in a range of its own within 0.5.0 to 0.12.0 (a 0.9.0: >=0.9.0).
2. b 0.5.0 to 0.12.0 require c, each in a range of its own within 0.5.0 to 0.12.0 (b 0.12.0: 0.12.0).
3. You asked for y.
4. Only one operator can provide Z (example.com/v1), and both x and y do. So no version of x can be installed.
5. c 0.5.0 to 0.12.0 require the API X (example.com/v1), which only x provides. So, by (4), (2) cannot be met.
When requests conflict, as many as possible are satisfied; ties are broken by priority (plimsoll.dev/priority), then name.`,
  ],
  [
    "cases",
    scene({
      catalogs: [
        stocked({
          a: { "1.0.0": [needs("X"), needsPackage("b")] },
          b: versions(3, (minor) => [needsPackage("k", minor < 2 ? "<0.3.0" : ">=0.3.0")]),
          k: versions(4),
          p: versions(5, () => [provides("X"), needsPackage("b", "<0.2.0"), needsPackage("k", ">=0.3.0")]),
          q: versions(3, () => [provides("X"), needsPackage("b", ">=0.2.0"), needsPackage("k", "<0.3.0")]),
        }),
      ],
      requests: [request("a")],
    }),
    `a 1.0.0 cannot be installed.
1. a 1.0.0 requires the API X (example.com/v1), which only p and q provide.
Either it is p:
  2. Every version of p requires b <0.2.0, which is 0.1.0.
  3. b 0.1.0 requires k <0.3.0, which is 0.1.0 and 0.2.0.
  4. Every version of p requires k >=0.3.0, which is 0.3.0 and 0.4.0.
  5. Only one version of k can run in a namespace. So (3) and (4) cannot both be met.
Or it is q:
  6. Every version of q requires b >=0.2.0, which is 0.2.0 and 0.3.0.
  7. b 0.2.0 and 0.3.0 require k >=0.3.0, which is 0.3.0 and 0.4.0.
  8. Every version of q requires k <0.3.0, which is 0.1.0 and 0.2.0.
  9. Only one version of k can run in a namespace. So (7) and (8) cannot both be met.`,
  ],
  [
    "a rule that one operator nearly meets",
    scene({
      catalogs: [
        stocked({
          a: { "1.0.0": [constraint({ failureMessage: "needs a good store", cel: { rule: GOLD } })] },
          b: { "1.0.0": [{ type: "tier", value: "bronze" }], "1.1.0": [{ type: "tier", value: "silver" }] },
        }),
      ],
      requests: [request("a")],
    }),
    `a 1.0.0 cannot be installed.
a 1.0.0 requires an operator with the property tier = "gold", and there is none: b 1.1.0 has tier = "silver" (a's author says: "needs a good store").`,
  ],
  [
    "a rule that cannot be evaluated",
    scene({
      catalogs: [
        stocked({
          a: {
            "1.0.0": [
              constraint({
                cel: { rule: 'properties.exists(p, p.type == "v" && semver_compare(p.value, "2.0.0") > 0)' },
              }),
            ],
          },
          b: { "1.0.0": [{ type: "v", value: "one" }] },
        }),
      ],
      requests: [request("a")],
    }),
    `a 1.0.0 cannot be installed.
a 1.0.0 requires an operator that meets a rule, and there is none: for b 1.0.0 it cannot be evaluated: semver_compare: the major number "one" is not a number (rule properties.exists(p, p.type == "v" && semver_compare(p.value, "2.0.0") > 0)).`,
  ],
  [
    "a conflict",
    scene({
      catalogs: [
        stocked({
          a: versions(2, () => [conflict({ package: { name: "b", versionRange: ">0.2.0" } })]),
          b: versions(4),
        }),
      ],
      requests: [request("b", { range: range(">=0.3.0"), priority: 1 }), request("a")],
    }),
    `No version of a can be installed.
1. You asked for b >=0.3.0, which is 0.3.0 or 0.4.0.
2. No version of a can run beside b >0.2.0, which is 0.3.0 and 0.4.0. So, by (1), no version of a can be installed.
When requests conflict, as many as possible are satisfied; ties are broken by priority (plimsoll.dev/priority), then name.`,
  ],
  [
    "a catalog that is not available",
    scene({
      catalogs: [
        stocked({ a: versions(2, () => [needsPackage("b")]) }),
        stocked({ b: versions(4) }, { name: "other" }),
      ],
      unavailable: [{ name: "away", priority: 100, reason: "connection refused" }],
      requests: [request("a")],
    }),
    `No version of a can be installed.
Every version of a requires b; b would do, but comes from a catalog after one that is not available. Catalog away (connection refused) is not available and might have a better choice, so nothing new may be taken from catalogs that come after it.`,
  ],
  [
    "a demand that is written as a double negation, and that no catalog meets",
    scene({
      catalogs: [
        stocked({ a: versions(1, () => [twiceDenied({ name: "b", versionRange: ">=9.0.0" })]), b: versions(2) }),
      ],
      requests: [request("a")],
    }),
    `a 0.1.0 cannot be installed.
a 0.1.0 cannot run without b >=9.0.0, and there are only 0.1.0 and 0.2.0.`,
  ],
  [
    "the same where only its own package has it",
    scene({
      catalogs: [stocked({ a: versions(1, () => [twiceDenied({ name: "a", versionRange: ">=0.1.0" })]) })],
      requests: [request("a")],
    }),
    `a 0.1.0 cannot be installed.
a 0.1.0 cannot run without a >=0.1.0, and no other operator meets that.`,
  ],
  [
    "an operator in another namespace",
    scene({
      catalogs: [stocked({ b: versions(4) })],
      elsewhere: [
        running("z.v1.0.0", [conflict({ package: { name: "b", versionRange: ">0.0.0" } })], { namespace: "there" }),
      ],
      requests: [request("b")],
    }),
    `No version of b can be installed.
z 1.0.0, which runs in namespace there, cannot run beside b >0.0.0.`,
  ],
  [
    "an operator that is held",
    scene({
      catalogs: [stocked({ b: versions(4), c: versions(2, () => [needsPackage("b", ">=0.3.0")]) })],
      installed: [running("b.v0.2.0", [], { hold: { by: "condition", text: "migration runs" } })],
      requests: [request("b", { installed: "b.v0.2.0" }), request("c")],
    }),
    `No version of c can be installed.
1. Every version of c requires b >=0.3.0, which is 0.3.0 and 0.4.0.
2. b 0.2.0 runs and stays: its OperatorCondition has Upgradeable=False (migration runs). Only one version of b can run in a namespace. So (1) cannot be met.`,
  ],
  [
    "a request that comes first",
    scene({
      catalogs: [
        stocked({
          a: versions(3, (minor) => [needsPackage("c", `0.${minor}.0`)]),
          b: versions(3, (minor) => [needsPackage("c", `0.${4 - minor}.0`)]),
          c: versions(3),
        }),
      ],
      requests: [request("a"), request("b")],
    }),
    `Neither b 0.2.0 nor 0.3.0 can be installed.
1. b 0.3.0 requires c 0.1.0; b 0.2.0 requires c 0.2.0.
2. The request for a comes first and is given a 0.3.0.
3. a 0.3.0 requires c 0.3.0.
4. Only one version of c can run in a namespace. So (1) and (3) cannot both be met.`,
  ],
  [
    "demands put together",
    scene({
      catalogs: [
        stocked({
          a: versions(2, () => [constraint({ all: { constraints: [gvk("X"), gvk("Y")] } })]),
          c: versions(3, () => [provides("X")]),
        }),
      ],
      requests: [request("a")],
    }),
    `No version of a can be installed.
Every version of a requires the API X (example.com/v1) and the API Y (example.com/v1), and there is no operator that provides Y (example.com/v1).`,
  ],
  [
    "an operator that can neither stay nor go",
    scene({
      catalogs: [
        stocked({
          kuadrant: versions(2, (minor) => [
            needsPackage("authorino", `0.${minor}.0`),
            needsPackage("limitador", minor === 1 ? "0.1.0" : ">=0.0.0"),
          ]),
          authorino: versions(2),
          limitador: versions(2),
        }),
      ],
      installed: [
        running("authorino.v0.1.0"),
        running("kuadrant.v0.1.0", [needsPackage("authorino", "0.1.0"), needsPackage("limitador", "0.1.0")]),
        running("limitador.v0.1.0"),
      ],
      requests: [
        request("kuadrant", { installed: "kuadrant.v0.1.0" }),
        request("limitador", { installed: "limitador.v0.1.0", place: { source: "s.yaml", line: 1, column: 1 } }),
      ],
    }),
    `limitador cannot be updated to 0.2.0.
1. authorino 0.1.0 runs and stays: no Subscription claims it, so nothing updates it.
2. kuadrant 0.1.0 runs, and channel stable leads from there only to 0.2.0.
3. Only one version of authorino can run in a namespace. So, by (1), authorino 0.2.0 cannot be installed.
4. kuadrant 0.2.0 requires authorino 0.2.0. So kuadrant cannot be updated to 0.2.0.
5. Only one version of limitador can run in a namespace. So limitador 0.1.0 cannot run beside 0.2.0.
6. kuadrant 0.1.0 requires limitador 0.1.0. So kuadrant can neither stay (5, 6) nor go to 0.2.0 (4).`,
  ],
  [
    "an operator that stays, since nothing is newer",
    scene({
      catalogs: [
        stocked({ lading: versions(3, (minor) => (minor < 3 ? [provides("Bill")] : [])), broker: versions(1) }),
      ],
      installed: [running("broker.v0.1.0", [needs("Bill")]), running("lading.v0.2.0", [provides("Bill")])],
      requests: [request("broker", { installed: "broker.v0.1.0" }), request("lading", { installed: "lading.v0.2.0" })],
    }),
    `lading cannot be updated to 0.3.0.
1. broker 0.1.0 runs and stays: its channel has nothing newer.
2. broker 0.1.0 requires the API Bill (example.com/v1), which only lading 0.1.0 and 0.2.0 provide.
3. Only one version of lading can run in a namespace. So, by (1) and (2), lading cannot be updated to 0.3.0.`,
  ],
  [
    "demands of which none may be met",
    scene({
      catalogs: [
        stocked({
          a: versions(2, () => [
            constraint({
              failureMessage: "two offices,\ntwo pilots",
              none: { constraints: [gvk("X"), { gvk: { ...(gvk("X").gvk as object), version: "v2" } }] },
            }),
          ]),
          b: versions(2, () => [provides("X")]),
        }),
      ],
      requests: [request("b", { priority: 1 }), request("a")],
    }),
    `No version of a can be installed.
1. You asked for b.
2. No version of a can run beside an operator that provides X (example.com, v1 or v2), which is b (a's author says: "two offices, two pilots"). So, by (1), no version of a can be installed.
When requests conflict, as many as possible are satisfied; ties are broken by priority (plimsoll.dev/priority), then name.`,
  ],
  [
    "demands of which one would do",
    scene({
      catalogs: [stocked({ a: versions(2, () => [constraint({ any: { constraints: [gvk("X"), gvk("Y")] } })]) })],
      requests: [request("a")],
    }),
    `No version of a can be installed.
Every version of a requires the API X (example.com/v1) or the API Y (example.com/v1), and there is neither.`,
  ],
  [
    "a property that one has, and that another cannot bear",
    scene({
      catalogs: [
        stocked({
          a: versions(2, () => [constraint({ cel: { rule: GOLD } })]),
          b: versions(2, (minor) => [{ type: "tier", value: minor === 1 ? "gold" : "silver" }]),
          c: { "1.0.0": [conflict({ failureMessage: "too shiny", cel: { rule: GOLD } })] },
        }),
      ],
      requests: [request("c", { priority: 1 }), request("a")],
    }),
    `No version of a can be installed.
1. Every version of a requires an operator with the property tier = "gold", which only b 0.1.0 has.
2. You asked for c, which is 1.0.0.
3. c 1.0.0 cannot run beside an operator with the property tier = "gold", which b 0.1.0 has (c's author says: "too shiny"). So (1) and (2) cannot both be met.
When requests conflict, as many as possible are satisfied; ties are broken by priority (plimsoll.dev/priority), then name.`,
  ],
];

describe("the text of an explanation", () => {
  test.each(STORIES)("%s", (_, problem, text) => {
    expect(explanationText(explained(problem))).toBe(text);
  });

  test("every fact has a subject and a text, and demands have the place of their property", () => {
    for (const [, problem] of STORIES) {
      const explanation = explained(problem);
      const { facts, operators } = explanation;
      for (const text of factTexts(explanation)) expect(text).toMatch(/[^.]$/);
      for (const fact of facts) {
        expect(fact.subject).not.toBe("");
        const member = fact.kind === "demand" ? fact.demands[0]?.member : undefined;
        if (member !== undefined && operators[member]?.catalog !== undefined)
          expect(fact.place?.path?.[0]).toBe("properties");
      }
    }
  });

  /** A needs X, which many provide, each with demands of its own; packages `k0`, `k1`… have two versions each. */
  function crowded(count: number, of: (index: number) => readonly Property[]): Problem {
    const numbers = Array.from({ length: count }, (_, index) => index);
    const providers = numbers.map((index) => [`p${index + 10}`, { "1.0.0": [provides("X"), ...of(index)] }]);
    const others = numbers.map((index) => [`k${index}`, versions(2)]);
    const packages = Object.fromEntries([...providers, ...others]);
    return scene({ catalogs: [stocked({ a: { "1.0.0": [needs("X")] }, ...packages })], requests: [request("a")] });
  }

  test("many sentences are cut to a screen, with how many are left out", () => {
    const lines = explanationText(explained(crowded(60, (index) => [needs(`Of${index}`)]))).split("\n");
    expect(lines).toHaveLength(36);
    expect(lines).toContain("… 27 more sentences like these …");
    expect(lines.at(-1)).toMatch(/So, by \(2\) to \(60\), \(1\) cannot be met\.$/);
  });

  test("many cases are cut to a screen, with how many are left out", () => {
    const twoOf = (name: string): readonly Property[] => [needsPackage(name, "0.1.0"), needsPackage(name, "0.2.0")];
    const lines = explanationText(explained(crowded(20, (index) => twoOf(`k${index}`)))).split("\n");
    expect(lines.length).toBeLessThanOrEqual(38);
    expect(lines.at(-1)).toMatch(/^\d+ more cases fail in the same way\.$/);
  });
});
