// What is impossible, for OLM and for us? Nothing is installed, and OLM says ResolutionFailed where we say what is not satisfied.

import type { World } from "../world.ts";

export const REFUSALS: readonly World[] = [
  {
    name: "no-provider",
    says: "nothing provides the API that an operator needs",
    catalogs: { main: { bundles: [{ bundle: "reader.v1", needs: "paper/v1/Page" }] } },
    subscriptions: ["reader"],
    olm: { operators: [], refused: ["reader"] },
  },
  {
    name: "no-version",
    says: "no version of a package is in the range",
    catalogs: { main: { bundles: [{ bundle: "reader.v1", needs: "paper >=3.0.0" }, { bundle: "paper.v2.0.0" }] } },
    subscriptions: ["reader"],
    olm: { operators: [], refused: ["reader"] },
  },
  {
    name: "far-away",
    says: "what is missing is three requirements away",
    catalogs: {
      main: {
        bundles: [
          { bundle: "first.v1", needs: "second >=1.0.0" },
          { bundle: "second.v1", needs: "third >=1.0.0" },
          { bundle: "third.v1", needs: "gone/v1/Gone" },
        ],
      },
    },
    subscriptions: ["first"],
    olm: { operators: [], refused: ["first"] },
  },
  {
    name: "no-package",
    says: "the catalog has no such package",
    catalogs: { main: { bundles: [{ bundle: "pump.v1" }] } },
    subscriptions: ["bilge"],
    olm: { operators: [], refused: ["bilge"] },
  },
  {
    name: "no-channel",
    says: "the package has no such channel",
    catalogs: { main: { bundles: [{ bundle: "pump.v1" }] } },
    subscriptions: ["pump/beta"],
    olm: { operators: [], refused: ["pump"] },
  },
  {
    name: "no-catalog",
    says: "there is no such catalog",
    catalogs: { main: { bundles: [{ bundle: "pump.v1" }] } },
    subscriptions: [{ of: "pump/alpha", from: "elsewhere" }],
    olm: { operators: [], refused: ["pump"] },
  },
  {
    name: "no-start",
    says: "the channel does not have the startingCSV",
    catalogs: { main: { bundles: [{ bundle: "pump.v1" }] } },
    subscriptions: [{ of: "pump/alpha", start: "pump.v7" }],
    olm: { operators: [], refused: ["pump"] },
  },
  {
    name: "own-twins",
    says: "an operator needs two packages that provide the same API",
    catalogs: {
      main: {
        bundles: [
          { bundle: "reader.v1", needs: ["apple >=1.0.0", "pear >=1.0.0"] },
          { bundle: "apple.v1", gives: "paper/v1/Page" },
          { bundle: "pear.v1", gives: "paper/v1/Page" },
        ],
      },
    },
    subscriptions: ["reader"],
    olm: { operators: [], refused: ["reader"] },
  },
];
