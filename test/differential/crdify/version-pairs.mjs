// Which changes of scope and of versions is OLM v1 asked about? Ids such as N16 are those of OLM cases.
import { CHOICE, definition, object, pairOf, STRING, TEXT, two, version, WEBHOOK } from "./definition.mjs";

const SCOPES = [
  pairOf("N01: Namespaced to Cluster", definition(TEXT), definition(TEXT, { scope: "Cluster" })),
  pairOf("N01: Cluster to Namespaced", definition(TEXT, { scope: "Cluster" }), definition(TEXT)),
  pairOf("nothing changes", definition(TEXT), definition(TEXT)),
];
const VERSIONS = [
  pairOf(
    "N02: stored version removed",
    definition(TEXT),
    definition(undefined, { versions: [version("v2", TEXT, { storage: true })] }),
  ),
  pairOf(
    "N02: stored version kept, unserved",
    definition(TEXT),
    definition(undefined, { versions: [version("v1", TEXT, { served: false }), version("v2", TEXT)] }),
  ),
  pairOf(
    "N02: two stored versions removed",
    definition(undefined, {
      versions: [version("v1", TEXT), version("v2", TEXT), version("v3", TEXT)],
      stored: ["v1", "v2"],
    }),
    definition(undefined, { versions: [version("v3", TEXT, { storage: true })] }),
  ),
  pairOf("served version removed that is not stored", two(TEXT, TEXT), definition(TEXT)),
  pairOf("version added", definition(TEXT), two(TEXT, TEXT)),
  pairOf("version becomes unserved", two(TEXT, TEXT), two(TEXT, TEXT, { served: false })),
  pairOf(
    "storage version changes",
    two(TEXT, TEXT),
    definition(undefined, {
      versions: [version("v1", TEXT, { storage: false }), version("v2", TEXT, { storage: true })],
    }),
  ),
  pairOf("N16: new version lacks a value", definition(CHOICE("a", "b")), two(CHOICE("a", "b"), CHOICE("a"))),
  pairOf("N16: served versions become different", two(CHOICE("a"), CHOICE("a")), two(CHOICE("a", "b"), CHOICE("a"))),
  pairOf(
    "N17: with a webhook",
    definition(CHOICE("a", "b")),
    two(CHOICE("a", "b"), CHOICE("a"), { conversion: WEBHOOK }),
  ),
  pairOf(
    "N17: webhook goes",
    two(CHOICE("a", "b"), CHOICE("a"), { conversion: WEBHOOK }),
    two(CHOICE("a", "b"), CHOICE("a")),
  ),
  pairOf(
    "N17: webhook goes, and they become more different",
    two(CHOICE("a", "b"), CHOICE("a"), { conversion: WEBHOOK }),
    two(CHOICE("a", "b", "c"), CHOICE("a")),
  ),
  pairOf(
    "N17: webhook does not help one version",
    definition(CHOICE("a", "b")),
    definition(CHOICE("a"), { conversion: WEBHOOK }),
  ),
  pairOf(
    "conversion strategy None",
    definition(CHOICE("a", "b")),
    two(CHOICE("a", "b"), CHOICE("a"), { conversion: { strategy: "None" } }),
  ),
  pairOf("N18: was so before", two(CHOICE("a", "b"), CHOICE("a")), two(CHOICE("a", "b"), CHOICE("a"))),
  pairOf(
    "N18: was so before, and something else now",
    two(CHOICE("a", "b"), CHOICE("a")),
    two(object({ spec: object({ x: { ...STRING, enum: ["a", "b"] }, y: STRING }) }), CHOICE("a")),
  ),
  pairOf(
    "N18: was so before, now another value",
    two(CHOICE("a", "b"), CHOICE("a")),
    two(CHOICE("a", "c"), CHOICE("a")),
  ),
  pairOf(
    "N18: becomes served",
    two(CHOICE("a", "b"), CHOICE("a"), { served: false }),
    two(CHOICE("a", "b"), CHOICE("a")),
  ),
  pairOf(
    "new version lacks a field",
    definition(object({ spec: object({ x: STRING, y: STRING }) })),
    two(object({ spec: object({ x: STRING, y: STRING }) }), TEXT),
  ),
  pairOf(
    "new version has a further field",
    definition(TEXT),
    two(TEXT, object({ spec: object({ x: STRING, y: STRING }) })),
  ),
  pairOf(
    "new version is older by its name",
    definition(CHOICE("a", "b")),
    definition(undefined, { versions: [version("v1", CHOICE("a", "b")), version("v1beta1", CHOICE("a"))] }),
  ),
  pairOf(
    "new version is older by its name, and looser",
    definition(CHOICE("a")),
    definition(undefined, { versions: [version("v1", CHOICE("a")), version("v1alpha1", CHOICE("a", "b"))] }),
  ),
  pairOf(
    "three versions",
    two(TEXT, TEXT),
    definition(undefined, { versions: [version("v1", TEXT), version("v2", TEXT), version("v10", CHOICE("a"))] }),
  ),
  pairOf(
    "names that are no versions",
    definition(undefined, { versions: [version("v1", TEXT), version("foo", TEXT)] }),
    definition(undefined, { versions: [version("v1", TEXT), version("foo", CHOICE("a"))] }),
  ),
  pairOf("two versions change alike", two(TEXT, TEXT), two(CHOICE("a"), CHOICE("a"))),
  pairOf("an unserved version changes", two(TEXT, TEXT, { served: false }), two(TEXT, CHOICE("a"), { served: false })),
];
export const VERSION_PAIRS = [...SCOPES, ...VERSIONS];
