// Does a refusal name the refused versions and the reasons, each once?

import { expect, test } from "vitest";
import { explanationText } from "../../../test/explanations/explanation-text.ts";
import { constraint, request, scene, stocked } from "../../../test/worlds/scene.ts";
import type { Property } from "../../model/catalog.ts";
import type { Problem } from "../../model/problem.ts";
import type { Candidates } from "../../resolve/candidates.ts";
import { Encoding } from "../../resolve/encoding.ts";
import { explainUnsatisfied } from "../../resolve/explain/why.ts";
import { solve } from "../../resolve/solution.ts";
import { parseRange, type Range } from "../../semver/blang-range.ts";

/** Versions 0.1.0 to 0.COUNT.0, each with what the function gives it. */
function versions(count: number, properties: (minor: number) => readonly Property[] = () => []) {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`0.${index + 1}.0`, properties(index + 1)]));
}

const range = (text: string): Range => parseRange(text) as Range;
const conflict = (value: object): Property => constraint({ ...value, action: { id: "conflict" } });

const GOLD = 'properties.exists(p, p.type == "tier" && p.value == "gold")';

test.each<[title: string, problem: Problem, text: string]>([
  [
    "a rule of the administrator",
    scene({
      catalogs: [stocked({ a: versions(5, () => [{ type: "tier", value: "silver" }]) })],
      requests: [request("a")],
      runtime: {
        entries: [{ property: constraint({ failureMessage: "only gold", cel: { rule: GOLD } }), place: undefined }],
        problems: [],
      },
    }),
    `No version of a can be installed.
The administrator requires an operator with the property tier = "gold", and no version of a is one; a 0.5.0 has tier = "silver" (the administrator says: "only gold").`,
  ],
  [
    "a message of the administrator that contains the name of a bundle",
    scene({
      catalogs: [stocked({ a: { "0.1.0": [] } })],
      requests: [request("a")],
      runtime: {
        entries: [
          {
            property: conflict({ message: "no a.v0.1.0 here", package: { name: "a", versionRange: ">=0.0.0" } }),
            place: undefined,
          },
        ],
        problems: [],
      },
    }),
    `a 0.1.0 cannot be installed.
The administrator forbids a 0.1.0: "no a.v0.1.0 here".`,
  ],
  [
    "a rule that fails with an error for all versions",
    scene({
      catalogs: [
        stocked({
          a: { "0.1.0": [constraint({ cel: { rule: "properties.exists(p, p.value.size > 3)" } })] },
          b: versions(2),
        }),
      ],
      requests: [request("a")],
    }),
    `a 0.1.0 cannot be installed.
a 0.1.0 requires an operator that meets a rule, and there is none: for a 0.1.0 it cannot be evaluated: no such key: size (rule properties.exists(p, p.value.size > 3)).`,
  ],
  [
    "a cluster that is too old",
    scene({
      catalogs: [
        stocked({
          a: versions(5, (minor) => [{ type: "olm.csv.metadata", value: { minKubeVersion: `1.${20 + minor}.0` } }]),
        }),
      ],
      requests: [request("a")],
      node: { properties: [{ type: "kubernetes.version", value: "1.19.3" }] },
    }),
    `No version of a can be installed.
a 0.1.0 needs Kubernetes 1.21.0 or newer, 3 other versions need 1.22.0 to 1.24.0, 0.5.0 needs 1.25.0 or newer, and the cluster has 1.19.3.`,
  ],
  [
    "a package that the administrator forbids",
    scene({
      catalogs: [stocked({ a: versions(3) })],
      requests: [request("a", { range: range(">0.1.0") })],
      runtime: {
        entries: [
          {
            property: conflict({ failureMessage: "recalled", package: { name: "a", versionRange: ">=0.2.0" } }),
            place: undefined,
          },
        ],
        problems: [],
      },
    }),
    `Neither a 0.2.0 nor 0.3.0 can be installed.
The administrator forbids a 0.2.0 and 0.3.0: "recalled".`,
  ],
  [
    "a rule of the administrator that has no plain words",
    scene({
      catalogs: [stocked({ a: { "1.0.0-rc.1": [], "1.0.0-rc.2": [] } })],
      requests: [request("a")],
      runtime: {
        entries: [
          {
            property: constraint({
              failureMessage: "released software only",
              cel: { rule: 'properties.exists(p, p.type == "olm.package" && !p.value.version.contains("-"))' },
            }),
            place: undefined,
          },
        ],
        problems: [],
      },
    }),
    `No version of a can be installed.
No version of a meets a rule of the administrator; of a 1.0.0-rc.2, p.value.version is "1.0.0-rc.2" (the administrator says: "released software only"; rule properties.exists(p, p.type == "olm.package" && !p.value.version.contains("-"))).`,
  ],
  [
    "versions of a cluster that are written in two ways",
    scene({
      catalogs: [
        stocked({
          a: versions(5, (minor) => [
            {
              type: "olm.csv.metadata",
              value: { minKubeVersion: minor === 5 ? "v1.33.0" : minor > 2 ? "1.33.0" : "1.24.0" },
            },
          ]),
        }),
      ],
      requests: [request("a")],
      node: { properties: [{ type: "kubernetes.version", value: "1.19.3" }] },
    }),
    `No version of a can be installed.
a 0.1.0 and 0.2.0 need Kubernetes 1.24.0 or newer, 0.3.0 to 0.5.0 need 1.33.0 or newer, and the cluster has 1.19.3.`,
  ],
  [
    "many different reasons of one rule",
    scene({
      catalogs: [
        stocked({
          a: versions(6, (minor) => [{ type: "olm.constraint", value: { cel: { rule: `nothing${minor}` } } }]),
        }),
      ],
      requests: [request("a")],
    }),
    `No version of a can be installed.
a 0.6.0 has a constraint that cannot be read: the rule cannot be compiled: no such variable \`nothing6\` (the variables here are \`properties\`); a 0.1.0 has a constraint that cannot be read: the rule cannot be compiled: no such variable \`nothing1\` (the variables here are \`properties\`); a 0.2.0 to 0.5.0 are refused for a reason of the same kind.`,
  ],
])("%s", (_, problem, text) => {
  const solution = solve(new Encoding(problem), problem);
  expect(explanationText(explainUnsatisfied(solution, solution.unsatisfied[0] as Candidates))).toBe(text);
});
