// Which of several operators is chosen? Where OLM's preferences decide, or its rules leave only one.

import type { World } from "../world.ts";

const CERTIFIED = { type: "example.certified", value: true };
const RULE = 'properties.exists(p, p.type == "example.certified" && p.value == true)';

export const CHOICES: readonly World[] = [
  {
    name: "priority",
    says: "a dependency comes from the catalog with the highest priority",
    catalogs: {
      main: { bundles: [{ bundle: "reader.v1", needs: "paper/v1/Page" }] },
      low: { priority: 5, bundles: [{ bundle: "apple.v1", gives: "paper/v1/Page" }] },
      high: { priority: 20, bundles: [{ bundle: "pear.v1", gives: "paper/v1/Page" }] },
    },
    subscriptions: ["reader"],
    olm: { operators: ["pear.v1", "reader.v1"] },
  },
  {
    name: "own-catalog",
    says: "a dependency comes from the catalog of the operator that needs it, whatever the priorities",
    catalogs: {
      main: {
        bundles: [
          { bundle: "reader.v1", needs: "paper/v1/Page" },
          { bundle: "apple.v1", gives: "paper/v1/Page" },
        ],
      },
      high: { priority: 20, bundles: [{ bundle: "pear.v1", gives: "paper/v1/Page" }] },
    },
    subscriptions: ["reader"],
    olm: { operators: ["apple.v1", "reader.v1"] },
  },
  {
    name: "default-channel",
    says: "a dependency comes from the default channel, even if another one has a newer version",
    catalogs: {
      main: {
        bundles: [
          { bundle: "reader.v1", needs: "paper/v1/Page" },
          { bundle: "apple.v1", of: "apple/stable*", gives: "paper/v1/Page" },
          { bundle: "apple.v2", of: "apple/candidate", gives: "paper/v1/Page" },
        ],
      },
    },
    subscriptions: ["reader"],
    olm: { operators: ["apple.v1", "reader.v1"] },
  },
  {
    name: "package-name",
    says: "of two packages that provide an API, the first by name is chosen",
    catalogs: {
      main: {
        bundles: [
          { bundle: "reader.v1", needs: "paper/v1/Page" },
          { bundle: "zebra.v1", gives: "paper/v1/Page" },
          { bundle: "badger.v1", gives: "paper/v1/Page" },
        ],
      },
    },
    subscriptions: ["reader"],
    olm: { operators: ["badger.v1", "reader.v1"] },
  },
  {
    name: "installed-first",
    says: "what is installed is preferred to what comes first otherwise",
    catalogs: {
      main: {
        bundles: [
          { bundle: "reader.v1", needs: "paper/v1/Page" },
          { bundle: "zebra.v1", gives: "paper/v1/Page" },
          { bundle: "badger.v1", gives: "paper/v1/Page" },
        ],
      },
    },
    subscriptions: ["zebra", "reader"],
    before: { subscriptions: ["zebra"] },
    olm: { operators: ["reader.v1", "zebra.v1"] },
  },
  {
    name: "older-version",
    says: "the newest version cannot be installed, the one before can",
    catalogs: {
      main: {
        bundles: [
          { bundle: "reader.v1" },
          { bundle: "reader.v2", replaces: "reader.v1", needs: "paper/v1/Page" },
          { bundle: "reader.v3", replaces: "reader.v2", needs: "paper >=1.0.0" },
        ],
      },
    },
    subscriptions: ["reader"],
    olm: { operators: ["reader.v1"] },
    heldBack: ["reader"],
  },
  {
    name: "range",
    says: "a dependency is the newest version in the range",
    catalogs: {
      main: {
        bundles: [
          { bundle: "reader.v1", needs: "paper >=1.0.0 <2.0.0" },
          { bundle: "paper.v1.0.0" },
          { bundle: "paper.v1.5.0", replaces: "paper.v1.0.0" },
          { bundle: "paper.v2.0.0", replaces: "paper.v1.5.0" },
        ],
      },
    },
    subscriptions: ["reader"],
    olm: { operators: ["paper.v1.5.0", "reader.v1"] },
    heldBack: ["paper"],
  },
  {
    name: "both-need",
    says: "two operators need one package, in ranges that overlap in one version",
    catalogs: {
      main: {
        bundles: [
          { bundle: "reader.v1", needs: "paper >=1.0.0 <1.6.0" },
          { bundle: "writer.v1", needs: "paper >=1.5.0" },
          { bundle: "paper.v1.0.0" },
          { bundle: "paper.v1.5.0", replaces: "paper.v1.0.0" },
          { bundle: "paper.v2.0.0", replaces: "paper.v1.5.0" },
        ],
      },
    },
    subscriptions: ["reader", "writer"],
    olm: { operators: ["paper.v1.5.0", "reader.v1", "writer.v1"] },
    heldBack: ["paper"],
  },
  {
    name: "cel-rule",
    says: "a rule in CEL is met by the operator with a property",
    catalogs: {
      main: {
        bundles: [
          { bundle: "reader.v1", constraints: [{ failureMessage: "a certified one", cel: { rule: RULE } }] },
          { bundle: "apple.v1" },
          { bundle: "pear.v1", properties: [CERTIFIED] },
        ],
      },
    },
    subscriptions: ["reader"],
    olm: { operators: ["pear.v1", "reader.v1"] },
  },
  {
    name: "any-of",
    says: "one of several requirements is met",
    catalogs: {
      main: {
        bundles: [
          {
            bundle: "reader.v1",
            constraints: [
              {
                any: {
                  constraints: [
                    { gvk: { group: "paper", version: "v1", kind: "Page" } },
                    { package: { packageName: "screen", versionRange: ">=2.0.0" } },
                  ],
                },
              },
            ],
          },
          { bundle: "screen.v2.0.0" },
        ],
      },
    },
    subscriptions: ["reader"],
    olm: { operators: ["reader.v1", "screen.v2.0.0"] },
  },
  {
    name: "deprecated",
    says: "a bundle with the property olm.deprecated is not chosen",
    catalogs: {
      main: { bundles: [{ bundle: "pump.v1" }, { bundle: "pump.v2", replaces: "pump.v1", deprecated: true }] },
    },
    subscriptions: ["pump"],
    olm: { operators: ["pump.v1"] },
    heldBack: ["pump"],
  },
  {
    name: "deprecations",
    says: "what olm.deprecations names is installed nevertheless",
    catalogs: {
      main: {
        bundles: [{ bundle: "pump.v1" }, { bundle: "pump.v2", replaces: "pump.v1" }],
        documents: [
          {
            schema: "olm.deprecations",
            package: "deprecations-pump",
            entries: [
              { reference: { schema: "olm.bundle", name: "deprecations-pump.v2" }, message: "Version 2 leaks." },
            ],
          },
        ],
      },
    },
    subscriptions: ["pump"],
    olm: { operators: ["pump.v2"] },
  },
  {
    name: "openshift",
    says: "olm.maxOpenShiftVersion has no effect on another Kubernetes",
    catalogs: {
      main: { bundles: [{ bundle: "pump.v1", properties: [{ type: "olm.maxOpenShiftVersion", value: "4.9" }] }] },
    },
    subscriptions: ["pump"],
    olm: { operators: ["pump.v1"] },
  },
  {
    name: "backtracking",
    says: "a choice has to be taken back: the problem on which OLM's solver alone gives an answer that breaks a rule",
    catalogs: {
      main: {
        bundles: [
          { bundle: "left.v1" },
          { bundle: "left.v2", replaces: "left.v1", gives: "clash/v1/Clash" },
          { bundle: "right.v1", needs: ["twin-a >=1.0.0", "twin-b >=1.0.0"] },
          { bundle: "right.v2", replaces: "right.v1", needs: ["third >=1.0.0", "split >=1.0.0"] },
          { bundle: "twin-a.v1", gives: "twin/v1/Twin" },
          { bundle: "twin-b.v1", gives: "twin/v1/Twin" },
          { bundle: "third.v0.1.0" },
          { bundle: "third.v1.0.0", replaces: "third.v0.1.0" },
          { bundle: "third.v1.1.0", replaces: "third.v1.0.0" },
          { bundle: "split.v1.0.0", gives: "clash/v1/Clash" },
          { bundle: "split.v1.1.0", replaces: "split.v1.0.0", needs: "third <1.0.0" },
        ],
      },
    },
    subscriptions: ["left", "right"],
    olm: { operators: ["left.v1", "right.v2", "split.v1.0.0", "third.v1.1.0"] },
    heldBack: ["left", "split"],
  },
];
