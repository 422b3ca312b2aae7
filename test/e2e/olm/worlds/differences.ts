// Where is the advice another one than what OLM does? Each is a row of docs/compatibility.md.

import type { BundleLine } from "../../../resolve/olm-cases/notation.ts";
import type { World } from "../world.ts";

const PUMP = { bundle: "pump.v1" };

const WINCH_GROUP = "deck.bad-object.example.com";

/** A bundle whose CRD allows some brakes. */
function winch(version: string, brakes: readonly string[]): BundleLine {
  const spec = { type: "object", properties: { brake: { type: "string", enum: brakes } } };
  const schema = { openAPIV3Schema: { type: "object", properties: { spec } } };
  const definition = {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `winchs.${WINCH_GROUP}` },
    spec: {
      ...{ group: WINCH_GROUP, scope: "Namespaced" },
      names: { kind: "Winch", listKind: "WinchList", plural: "winchs", singular: "winch" },
      versions: [{ name: "v1", served: true, storage: true, schema }],
    },
  };
  return { bundle: `winch.${version}`, gives: `${WINCH_GROUP}/v1/Winch`, manifests: [definition] };
}

export const DIFFERENCES: readonly World[] = [
  {
    name: "one-bad",
    says: "one Subscription that cannot be satisfied stops the others",
    catalogs: { main: { bundles: [PUMP, { bundle: "reader.v1", needs: "paper/v1/Page" }] } },
    subscriptions: ["pump", "reader"],
    olm: { operators: [], refused: ["pump", "reader"] },
    ours: { operators: ["pump.v1"], refused: ["reader"], differs: "a Subscription that cannot be satisfied" },
  },
  {
    name: "one-bad-update",
    says: "one Subscription that cannot be satisfied stops the updates of others",
    catalogs: { main: { bundles: [PUMP, { bundle: "pump.v2", replaces: "pump.v1" }] } },
    subscriptions: ["pump", "bilge"],
    before: { catalogs: { main: { bundles: [PUMP] } }, subscriptions: ["pump"] },
    olm: { operators: ["pump.v1"], refused: ["bilge", "pump"] },
    ours: { operators: ["pump.v2"], refused: ["bilge"], differs: "a Subscription that cannot be satisfied" },
  },
  {
    name: "two-providers",
    says: "two Subscriptions ask for operators that provide the same API",
    catalogs: {
      main: {
        bundles: [
          { bundle: "apple.v1", gives: "paper/v1/Page" },
          { bundle: "pear.v1", gives: "paper/v1/Page" },
        ],
      },
    },
    subscriptions: [{ of: "pear/alpha", priority: 10 }, "apple"],
    olm: { operators: [], refused: ["apple", "pear"] },
    ours: { operators: ["pear.v1"], refused: ["apple"], differs: "a Subscription that cannot be satisfied" },
  },
  {
    name: "gone-channel",
    says: "the channel of an installed operator is gone",
    catalogs: {
      main: {
        bundles: [{ ...PUMP, of: "pump/stable" }, { bundle: "mast.v1" }, { bundle: "mast.v2", replaces: "mast.v1" }],
      },
    },
    subscriptions: ["pump/alpha", "mast"],
    before: { catalogs: { main: { bundles: [PUMP, { bundle: "mast.v1" }] } } },
    olm: { operators: ["mast.v1", "pump.v1"], refused: ["mast", "pump"] },
    ours: {
      operators: ["mast.v2", "pump.v1"],
      refused: ["pump"],
      differs: "the channel, package or catalog of an installed operator is gone",
    },
  },
  {
    name: "manual",
    says: "a Manual Subscription lets all others wait",
    catalogs: { main: { bundles: [PUMP, { bundle: "mast.v1" }] } },
    subscriptions: [{ of: "pump/alpha", approval: "Manual" }, "mast"],
    olm: { operators: [], waiting: ["mast.v1", "pump.v1"] },
    ours: { operators: ["mast.v1"], waiting: ["pump.v1"], differs: "Manual approval" },
  },
  {
    name: "manual-alone",
    says: "a Manual Subscription waits for approval",
    catalogs: { main: { bundles: [PUMP] } },
    subscriptions: [{ of: "pump/alpha", approval: "Manual" }],
    olm: { operators: [], waiting: ["pump.v1"] },
  },
  {
    name: "manual-dependency",
    says: "a Manual Subscription brings a dependency along, when it is approved",
    catalogs: {
      main: {
        bundles: [
          { ...PUMP, needs: "oil/v1/Can" },
          { bundle: "oil.v1", gives: "oil/v1/Can" },
        ],
      },
    },
    subscriptions: [{ of: "pump/alpha", approval: "Manual" }],
    olm: { operators: [], waiting: ["oil.v1", "pump.v1"] },
  },
  {
    name: "all-of",
    says: "a compound constraint that is met by two operators together",
    catalogs: {
      main: {
        bundles: [
          {
            bundle: "reader.v1",
            constraints: [
              {
                all: {
                  constraints: [
                    { package: { packageName: "apple", versionRange: ">=1.0.0" } },
                    { package: { packageName: "pear", versionRange: ">=1.0.0" } },
                  ],
                },
              },
            ],
          },
          { bundle: "apple.v1" },
          { bundle: "pear.v1" },
        ],
      },
    },
    subscriptions: ["reader"],
    olm: { operators: [], refused: ["reader"] },
    ours: { operators: ["apple.v1", "pear.v1", "reader.v1"], differs: "compounds" },
  },
  {
    name: "negation",
    says: "a constraint that forbids the provider of an API",
    catalogs: {
      main: {
        bundles: [
          {
            bundle: "quiet.v1",
            constraints: [{ not: { constraints: [{ gvk: { group: "sound", version: "v1", kind: "Horn" } }] } }],
          },
          { bundle: "horn.v1", gives: "sound/v1/Horn" },
        ],
      },
    },
    subscriptions: [{ of: "quiet/alpha", priority: 10 }, "horn"],
    olm: { operators: ["horn.v1", "quiet.v1"] },
    ours: { operators: ["quiet.v1"], refused: ["horn"], differs: "`not` (`none`) at the top" },
  },
  {
    name: "bad-rule",
    says: "one version has a constraint that cannot be read",
    catalogs: {
      main: {
        bundles: [
          PUMP,
          { bundle: "pump.v2", replaces: "pump.v1", constraints: [{ cel: { rule: "properties.exists(" } }] },
        ],
      },
    },
    subscriptions: ["pump"],
    olm: { operators: [], refused: ["pump"] },
    ours: { operators: ["pump.v1"], differs: "a constraint that cannot be read, on any bundle that is considered" },
    heldBack: ["pump"],
  },
  {
    name: "new-kubernetes",
    says: "the newest version needs a newer Kubernetes",
    catalogs: {
      main: {
        bundles: [
          PUMP,
          {
            bundle: "pump.v2",
            replaces: "pump.v1",
            properties: [{ type: "olm.csv.metadata", value: { minKubeVersion: "1.99.0" } }],
          },
        ],
      },
    },
    subscriptions: ["pump"],
    olm: { operators: [], broken: ["pump.v2: Pending"] },
    ours: { operators: ["pump.v1"], differs: "`minKubeVersion`" },
    heldBack: ["pump"],
  },
  {
    name: "install-mode",
    says: "an operator does not support what the OperatorGroup wants of it",
    catalogs: {
      main: {
        bundles: [
          {
            ...PUMP,
            properties: [
              { type: "olm.csv.metadata", value: { installModes: [{ type: "AllNamespaces", supported: true }] } },
            ],
          },
        ],
      },
    },
    subscriptions: ["pump"],
    olm: { operators: [], broken: ["pump.v1: Failed"] },
    ours: { operators: [], refused: ["pump"], differs: "install modes" },
  },
  {
    name: "silent-catalog",
    says: "a catalog of the namespace does not answer",
    catalogs: { main: { bundles: [PUMP] }, other: { isServed: false, bundles: [] } },
    subscriptions: ["pump", { of: "mast/alpha", from: "other" }],
    olm: { operators: [], refused: ["mast", "pump"] },
    ours: { operators: ["pump.v1"], refused: ["mast"], differs: "a catalog that cannot be read" },
  },
  {
    name: "no-group",
    says: "there is no OperatorGroup",
    catalogs: { main: { bundles: [PUMP] } },
    groups: [],
    subscriptions: ["pump"],
    olm: { operators: [] },
    ours: { operators: ["pump.v1"], differs: "no OperatorGroup, or several" },
  },
  {
    name: "two-groups",
    says: "there are two OperatorGroups",
    catalogs: { main: { bundles: [PUMP] } },
    groups: [{ targetNamespaces: ["two-groups"] }, { targetNamespaces: ["two-groups"] }],
    subscriptions: ["pump"],
    olm: { operators: [] },
    ours: { operators: ["pump.v1"], differs: "no OperatorGroup, or several" },
  },
  {
    name: "stored-version",
    says: "an update removes a version of a CRD that objects may be stored in",
    catalogs: {
      main: {
        bundles: [
          { bundle: "winch.v1", gives: "deck/v1alpha1/Winch" },
          { bundle: "winch.v2", replaces: "winch.v1", gives: "deck/v1/Winch" },
        ],
      },
    },
    subscriptions: ["winch"],
    before: { catalogs: { main: { bundles: [{ bundle: "winch.v1", gives: "deck/v1alpha1/Winch" }] } } },
    olm: { operators: [], refused: ["winch"], broken: ["winch.v1: Replacing", "winch.v2: Pending"] },
    ours: { operators: ["winch.v1"], differs: "time of the check" },
    heldBack: ["winch"],
  },
  {
    name: "elsewhere",
    says: "an operator that provides an API to other namespaces",
    catalogs: { main: { bundles: [{ bundle: "press.v1", gives: "paper.shared.example.com/v1/Page" }] } },
    subscriptions: ["press"],
    before: {},
    olm: { operators: ["press.v1"] },
  },
  {
    name: "here",
    says: "an operator of another namespace provides what is needed here",
    catalogs: {
      main: {
        bundles: [
          { bundle: "reader.v1", needs: "paper.shared.example.com/v1/Page" },
          { bundle: "pear.v1", gives: "paper.shared.example.com/v1/Page" },
        ],
      },
    },
    subscriptions: ["reader"],
    olm: { operators: ["pear.v1", "reader.v1"] },
    ours: { operators: ["reader.v1"], differs: "operators of other namespaces" },
  },
  {
    name: "borrow",
    says: "an operator of another namespace is the package that is needed here",
    hasPublicNames: true,
    catalogs: { main: { bundles: [{ bundle: "borrower.v1", needs: "elsewhere-press >=1.0.0" }] } },
    subscriptions: ["borrower"],
    olm: { operators: [], refused: ["borrower"] },
    ours: { operators: ["borrower.v1"], differs: "operators of other namespaces" },
  },
  {
    name: "not-claimed",
    says: "a Subscription was deleted and made again",
    catalogs: { main: { bundles: [PUMP, { bundle: "pump.v2", replaces: "pump.v1" }] } },
    subscriptions: ["pump"],
    before: { catalogs: { main: { bundles: [PUMP] } }, subscriptions: [{ of: "pump", name: "first" }] },
    olm: { operators: ["pump.v1"], refused: ["pump"] },
    ours: { operators: ["pump.v2"], differs: "a CSV that no Subscription claims" },
  },
  {
    name: "not-upgradeable",
    says: "an operator says that it must not be updated now",
    catalogs: { main: { bundles: [PUMP, { bundle: "pump.v2", replaces: "pump.v1" }] } },
    subscriptions: ["pump"],
    before: { catalogs: { main: { bundles: [PUMP] } } },
    objects: [
      {
        apiVersion: "operators.coreos.com/v2",
        kind: "OperatorCondition",
        metadata: { namespace: "not-upgradeable", name: "not-upgradeable-pump.v1" },
        spec: {
          conditions: [
            {
              ...{ type: "Upgradeable", status: "False", reason: "Migrating", message: "3 of 7 shards are done" },
              lastTransitionTime: "2026-01-01T00:00:00Z",
            },
          ],
        },
      },
    ],
    olm: { operators: [], refused: ["pump"], broken: ["pump.v1: Replacing", "pump.v2: Pending"] },
    ours: { operators: ["pump.v1"], differs: "`OperatorCondition` Upgradeable=False" },
    heldBack: ["pump"],
  },
  {
    name: "bad-object",
    says: "an object does not fit the CRD of an update",
    catalogs: { main: { bundles: [winch("v1", ["band", "dog"]), { ...winch("v2", ["band"]), replaces: "winch.v1" }] } },
    subscriptions: ["winch"],
    before: { catalogs: { main: { bundles: [winch("v1", ["band", "dog"])] } } },
    objects: [
      {
        apiVersion: `${WINCH_GROUP}/v1`,
        kind: "Winch",
        metadata: { namespace: "bad-object", name: "old-faithful" },
        spec: { brake: "dog" },
      },
    ],
    olm: { operators: [], refused: ["winch"], broken: ["winch.v1: Replacing", "winch.v2: Pending"] },
    ours: { operators: ["winch.v2"], differs: "one owner" },
  },
];
