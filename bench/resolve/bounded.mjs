// What is made to be hard? Problems that must end within the budget, with an answer or with the word that there is none.
import { catalogOf, installedFrom, packageDocuments, problemOf, requestFor } from "./problem.mjs";

const LARGE = 50_000;
const VERSIONS = 10;
const MAX_LENGTH = 65_536;

/** By V8's measure all of this is run rarely: some times until what is hot is compiled, then those that count. */
const WARM = { samples: 5, warmUp: 5 };
const ONCE = { samples: 1, warmUp: 0 };

/** Each with a name, the way to make its problem, and how often it is solved. */
export const BOUNDED = [
  { name: "pigeonhole 12: 13 packages, 12 APIs", make: pigeonhole, repetitions: ONCE },
  { name: "a none that matches all of 50,000 bundles", make: hermit, repetitions: WARM },
  { name: "a constraint of 65,536 bytes", make: longConstraint, repetitions: WARM },
  { name: "1,000 subscriptions of 50,000 bundles", make: manySubscriptions, repetitions: WARM },
];

/** Each version of a pigeon sits in another hole: one provider per API lets only one pigeon in. */
function pigeonhole({ library, options }) {
  const holes = 12;
  const pigeons = Array.from({ length: holes + 1 }, (_, number) => `pigeon-${String(number).padStart(2, "0")}`);
  const versions = Array.from({ length: holes }, (_, hole) => ({
    version: `${holes - hole}.0.0`,
    properties: [{ type: "olm.gvk", value: { group: "holes.example.com", version: "v1", kind: `Hole${hole}` } }],
  }));
  const catalog = catalogOf(
    library,
    pigeons.flatMap((name) => packageDocuments(name, versions)),
  );
  return problemOf({ catalog, requests: pigeons.map((name) => requestFor(catalog, name)), options });
}

/** A package that wants to be alone, beside five others: six requests of which five can be met. */
function hermit({ library, options }) {
  const alone = { cel: { rule: 'properties.exists(p, p.type == "olm.package" && p.value.packageName != "")' } };
  const property = { type: "olm.constraint", value: { none: { constraints: [alone] } } };
  const documents = packageDocuments("hermit", [{ version: "1.0.0", properties: [property] }]);
  const catalog = catalogOf(library, [...largeDocuments(), ...documents]);
  const names = [...[0, 1, 2, 3, 4].map(largeName), "hermit"];
  return problemOf({ catalog, requests: names.map((name) => requestFor(catalog, name)), options });
}

/** One of very many packages, at almost any version: as many alternatives as fit into the longest constraint. */
function longConstraint({ library, options }) {
  const constraints = [];
  const value = { any: { constraints } };
  for (let number = 0, size = JSON.stringify(value).length; ; number++) {
    const name = largeName(number % (LARGE / VERSIONS));
    const versionRange = `>=${1 + Math.floor(number / (LARGE / VERSIONS))}.0.0 <${VERSIONS}.0.0`;
    const next = { package: { packageName: name, versionRange } };
    size += JSON.stringify(next).length + 1;
    if (size > MAX_LENGTH) break;
    constraints.push(next);
  }
  const documents = packageDocuments("choosy", [{ version: "1.0.0", properties: [{ type: "olm.constraint", value }] }]);
  const catalog = catalogOf(library, [...largeDocuments(), ...documents]);
  return problemOf({ catalog, requests: [requestFor(catalog, "choosy")], options });
}

/** Every other one has an operator that is three versions behind. */
function manySubscriptions({ library, options }) {
  const catalog = catalogOf(library, [...largeDocuments()]);
  const installed = [];
  const requests = Array.from({ length: 1_000 }, (_, number) => {
    const name = largeName(number * 3);
    if (number % 2 === 0) return requestFor(catalog, name);
    const operator = installedFrom(catalog.packages.get(name).bundles.get(`${name}.v${VERSIONS - 3}.0.0`));
    installed.push(operator);
    return requestFor(catalog, name, { installed: operator });
  });
  return problemOf({ catalog, requests, installed, options });
}

/** Each package requires an API of the one before it, in chains of four. */
function* largeDocuments() {
  for (let number = 0; number < LARGE / VERSIONS; number++) {
    const properties = [{ type: "olm.gvk", value: largeApi(number) }];
    if (number % 4 !== 0) properties.push({ type: "olm.gvk.required", value: largeApi(number - 1) });
    const versions = Array.from({ length: VERSIONS }, (_, index) => ({
      version: `${VERSIONS - index}.0.0`,
      properties,
    }));
    yield* packageDocuments(largeName(number), versions);
  }
}

const largeName = (number) => `operator-${String(number).padStart(4, "0")}`;
const largeApi = (number) => ({ group: `${largeName(number)}.example.com`, version: "v1", kind: "Resource" });
