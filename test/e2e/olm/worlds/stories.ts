// Which stories does OLM get right? Operators that bring others along, long channels, and updates that have to wait for each other.

import type { Property } from "../../../../src/model/catalog.ts";
import type { BundleLine } from "../../../resolve/olm-cases/notation.ts";
import { NOT_SERVED } from "../bundle-manifests.ts";
import type { World } from "../world.ts";

/** An operator that pins three others to one version each, as a release of them together. */
const PINNED: readonly BundleLine[] = [
  { bundle: "gateway.v1.0.0", gives: "gateway/v1/Gateway", needs: ["auth 0.10.0", "limits 0.7.0", "dns 0.2.0"] },
  {
    bundle: "gateway.v1.1.0",
    replaces: "gateway.v1.0.0",
    gives: "gateway/v1/Gateway",
    needs: ["auth 0.11.0", "limits 0.8.0", "dns 0.3.0"],
  },
  { bundle: "auth.v0.10.0", gives: "auth/v1/AuthConfig" },
  { bundle: "auth.v0.11.0", replaces: "auth.v0.10.0", gives: "auth/v1/AuthConfig" },
  { bundle: "auth.v0.12.0", replaces: "auth.v0.11.0", gives: "auth/v1/AuthConfig" },
  { bundle: "limits.v0.7.0", gives: "limits/v1/Limit" },
  { bundle: "limits.v0.8.0", replaces: "limits.v0.7.0", gives: "limits/v1/Limit" },
  { bundle: "dns.v0.2.0", gives: "dns/v1/Record" },
  { bundle: "dns.v0.3.0", replaces: "dns.v0.2.0", gives: "dns/v1/Record" },
  { bundle: "dns.v0.4.0", replaces: "dns.v0.3.0", gives: "dns/v1/Record" },
];

/** The bundles up to these, and each of these the head of its channel. */
function upTo(bundles: readonly BundleLine[], heads: readonly string[]): readonly BundleLine[] {
  const places = new Map(bundles.map(({ bundle }, at) => [bundle, at]));
  return bundles.filter(({ bundle }) => {
    const head = heads.find((name) => packageOf(name) === packageOf(bundle));
    return head !== undefined && (places.get(bundle) ?? 0) <= (places.get(head) ?? 0);
  });
}

function packageOf(bundle: string): string {
  return bundle.split(".v")[0] as string;
}

/** An API that the CRD of a bundle still has, and no longer serves: objects may be stored in it. */
function notServed(api: string): readonly Property[] {
  const [group = "", version = "", kind = ""] = api.split("/");
  return [{ type: NOT_SERVED, value: { group, version, kind } }];
}

/** A broker of messages with a long channel; 0.23.0 no longer serves an old version of its API. */
const BROKER: readonly BundleLine[] = [
  { bundle: "broker.v0.20.0", gives: "kafka/v1beta1/Kafka" },
  {
    bundle: "broker.v0.21.0",
    replaces: "broker.v0.20.0",
    gives: ["kafka/v1beta1/Kafka", "kafka/v1beta2/Kafka"],
  },
  {
    bundle: "broker.v0.22.0",
    replaces: "broker.v0.21.0",
    gives: ["kafka/v1beta1/Kafka", "kafka/v1beta2/Kafka"],
  },
  {
    bundle: "broker.v0.22.1",
    replaces: "broker.v0.21.0",
    skips: ["broker.v0.22.0"],
    gives: ["kafka/v1beta1/Kafka", "kafka/v1beta2/Kafka"],
  },
  {
    bundle: "broker.v0.23.0",
    replaces: "broker.v0.22.1",
    gives: "kafka/v1beta2/Kafka",
    properties: notServed("kafka/v1beta1/Kafka"),
  },
  {
    bundle: "broker.v0.24.0",
    replaces: "broker.v0.23.0",
    gives: "kafka/v1beta2/Kafka",
    properties: notServed("kafka/v1beta1/Kafka"),
  },
];

/** Two operators that need each other, and whose next versions need each other's new API and no longer serve the old one. */
const EACH_OTHER: readonly BundleLine[] = [
  { bundle: "left.v1", gives: "left/v1/Left", needs: "right/v1/Right" },
  {
    bundle: "left.v2",
    replaces: "left.v1",
    gives: "left/v2/Left",
    needs: "right/v2/Right",
    properties: notServed("left/v1/Left"),
  },
  { bundle: "right.v1", gives: "right/v1/Right", needs: "left/v1/Left" },
  {
    bundle: "right.v2",
    replaces: "right.v1",
    gives: "right/v2/Right",
    needs: "left/v2/Left",
    properties: notServed("right/v1/Right"),
  },
];

export const STORIES: readonly World[] = [
  {
    name: "pins",
    says: "an operator brings three others along, each in exactly one version",
    catalogs: { hub: { bundles: PINNED } },
    subscriptions: ["gateway"],
    olm: { operators: ["auth.v0.11.0", "dns.v0.3.0", "gateway.v1.1.0", "limits.v0.8.0"] },
    heldBack: ["auth", "dns"],
  },
  {
    name: "pins-update",
    says: "four operators that are pinned to each other are updated together",
    catalogs: { hub: { bundles: PINNED } },
    subscriptions: ["gateway"],
    before: {
      catalogs: { hub: { bundles: upTo(PINNED, ["gateway.v1.0.0", "auth.v0.10.0", "limits.v0.7.0", "dns.v0.2.0"]) } },
    },
    olm: { operators: ["auth.v0.11.0", "dns.v0.3.0", "gateway.v1.1.0", "limits.v0.8.0"] },
    heldBack: ["auth", "dns"],
  },
  {
    name: "channel",
    says: "an operator goes up its channel, one version after the other, past a skipped one",
    catalogs: { hub: { bundles: BROKER } },
    subscriptions: ["broker"],
    before: { catalogs: { hub: { bundles: upTo(BROKER, ["broker.v0.20.0"]) } } },
    olm: { operators: ["broker.v0.24.0"] },
  },
  {
    name: "held-back",
    says: "an operator stays where another one needs an API that its next version does not have",
    catalogs: {
      hub: { bundles: [...BROKER, { bundle: "rules.v0.11.0", needs: "kafka/v1beta1/Kafka" }] },
    },
    subscriptions: ["broker", "rules"],
    before: {
      catalogs: {
        hub: {
          bundles: [...upTo(BROKER, ["broker.v0.21.0"]), { bundle: "rules.v0.11.0", needs: "kafka/v1beta1/Kafka" }],
        },
      },
    },
    olm: { operators: ["broker.v0.22.1", "rules.v0.11.0"] },
    heldBack: ["broker"],
  },
  {
    name: "released-later",
    says: "an operator that was held back is updated together with the one that it waited for",
    catalogs: {
      hub: {
        bundles: [
          ...BROKER,
          { bundle: "rules.v0.11.0", needs: "kafka/v1beta1/Kafka" },
          { bundle: "rules.v1.0.0", replaces: "rules.v0.11.0", needs: "kafka/v1beta2/Kafka" },
        ],
      },
    },
    subscriptions: ["broker", "rules"],
    before: {
      catalogs: {
        hub: {
          bundles: [...upTo(BROKER, ["broker.v0.22.1"]), { bundle: "rules.v0.11.0", needs: "kafka/v1beta1/Kafka" }],
        },
      },
    },
    olm: { operators: ["broker.v0.24.0", "rules.v1.0.0"] },
  },
  {
    name: "deadlock",
    says: "two operators that need each other's new API are updated in one step",
    catalogs: { hub: { bundles: EACH_OTHER } },
    subscriptions: ["left", "right"],
    before: { catalogs: { hub: { bundles: upTo(EACH_OTHER, ["left.v1", "right.v1"]) } } },
    olm: { operators: ["left.v2", "right.v2"] },
  },
  {
    name: "skip-range",
    says: "a skipRange leads past all versions in between",
    catalogs: {
      hub: {
        bundles: [
          { bundle: "pump.v1.0.0" },
          { bundle: "pump.v1.1.0", replaces: "pump.v1.0.0" },
          { bundle: "pump.v1.2.0", replaces: "pump.v1.1.0" },
          { bundle: "pump.v2.0.0", replaces: "pump.v1.2.0", range: ">=1.0.0 <2.0.0" },
        ],
      },
    },
    subscriptions: ["pump"],
    before: { catalogs: { hub: { bundles: [{ bundle: "pump.v1.0.0" }] } } },
    olm: { operators: ["pump.v2.0.0"] },
  },
  {
    name: "starting-csv",
    says: "startingCSV is where the channel is entered",
    catalogs: {
      hub: {
        bundles: [
          { bundle: "pump.v1.0.0" },
          { bundle: "pump.v1.1.0", replaces: "pump.v1.0.0" },
          { bundle: "pump.v1.2.0", replaces: "pump.v1.1.0" },
        ],
      },
    },
    subscriptions: [{ of: "pump/alpha", start: "pump.v1.0.0" }],
    olm: { operators: ["pump.v1.2.0"] },
  },
  {
    name: "other-channel",
    says: "a Subscription moves to another channel",
    catalogs: {
      hub: {
        bundles: [
          { bundle: "pump.v1.0.0", of: ["pump/stable*", "pump/next"] },
          { bundle: "pump.v2.0.0", of: "pump/next", replaces: "pump.v1.0.0" },
        ],
      },
    },
    subscriptions: ["pump/next"],
    before: { subscriptions: ["pump/stable"] },
    olm: { operators: ["pump.v2.0.0"] },
  },
  {
    name: "renamed",
    says: "a package is continued under another name",
    catalogs: {
      hub: {
        bundles: [
          { bundle: "oakum.v1.9.0", gives: "hull/v1/Seam" },
          { bundle: "hull-caulk.v2.0.0", replaces: "oakum.v1.9.0", gives: "hull/v1/Seam" },
          { bundle: "hull-caulk.v2.1.0", replaces: "hull-caulk.v2.0.0", gives: "hull/v1/Seam" },
        ],
      },
    },
    subscriptions: [{ of: "hull-caulk/alpha", name: "seams" }],
    before: { subscriptions: [{ of: "oakum/alpha", name: "seams" }] },
    olm: { operators: ["hull-caulk.v2.1.0"] },
  },
  {
    name: "new-requirement",
    says: "an update brings along what it newly needs",
    catalogs: {
      hub: {
        bundles: [
          { bundle: "desk.v1" },
          { bundle: "desk.v2", replaces: "desk.v1", needs: "rail/v1/Wagon" },
          { bundle: "rail.v1", gives: "rail/v1/Wagon" },
        ],
      },
    },
    subscriptions: ["desk"],
    before: { catalogs: { hub: { bundles: [{ bundle: "desk.v1" }] } } },
    olm: { operators: ["desk.v2", "rail.v1"] },
  },
  {
    name: "update-without",
    says: "an update whose requirement nothing meets is not made",
    catalogs: {
      hub: {
        bundles: [{ bundle: "desk.v1" }, { bundle: "desk.v2", replaces: "desk.v1", needs: "rail/v1/Wagon" }],
      },
    },
    subscriptions: ["desk"],
    before: { catalogs: { hub: { bundles: [{ bundle: "desk.v1" }] } } },
    olm: { operators: ["desk.v1"] },
    heldBack: ["desk"],
  },
  {
    name: "no-longer-needed",
    says: "what an update no longer needs stays",
    catalogs: {
      hub: {
        bundles: [
          { bundle: "lamp.v1", needs: "oil/v1/Can" },
          { bundle: "lamp.v2", replaces: "lamp.v1" },
          { bundle: "oil.v1", gives: "oil/v1/Can" },
        ],
      },
    },
    subscriptions: ["lamp"],
    before: {
      catalogs: {
        hub: {
          bundles: [
            { bundle: "lamp.v1", needs: "oil/v1/Can" },
            { bundle: "oil.v1", gives: "oil/v1/Can" },
          ],
        },
      },
    },
    olm: { operators: ["lamp.v2", "oil.v1"] },
  },
];
