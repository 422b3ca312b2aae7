// What do OLM and we make of the bundled example? Its catalogs, with the operators that its cluster has, namespace by namespace.

import { exampleDocuments } from "../../../example-documents.ts";
import { servedByOpm } from "../../catalog-files.ts";
import type { Stocks, World } from "../world.ts";
import { only, withAllVersions } from "./whole-catalog.ts";

const HARBOUR = withAllVersions(servedByOpm(exampleDocuments("catalog")));
const CATALOGS: Stocks = {
  harbour: { documents: HARBOUR },
  partner: { documents: withAllVersions(servedByOpm(exampleDocuments("partner-catalog"))), priority: 20 },
};

/** The catalog in which just these bundles were the heads of their channels. */
function before(...bundles: readonly string[]): Stocks {
  return { harbour: { documents: only(HARBOUR, "stable", bundles) } };
}

const SPELLINGS =
  "spellings of the proposals: `message`, `none`, `name` in a package, `evaluator` with `rule` or `source`, `propertyEquals`, `action`, type `olm.constraint.cel`";

export const HARBOUR_WORLDS: readonly World[] = [
  {
    name: "bridge",
    says: "the bundled example: two operators that only move together",
    hasPublicNames: true,
    catalogs: CATALOGS,
    subscriptions: ["sextant/stable", "chronometer/stable"],
    before: { catalogs: before("sextant.v1.6.0", "chronometer.v1.6.0") },
    olm: { operators: ["chronometer.v2.1.0", "sextant.v2.1.0"] },
  },
  {
    name: "cargo",
    says: "the bundled example: an API that another operator still needs",
    hasPublicNames: true,
    catalogs: CATALOGS,
    subscriptions: ["lading/stable", "customs-broker/stable"],
    before: { catalogs: before("lading.v1.9.0", "customs-broker.v1.4.0") },
    olm: { operators: ["customs-broker.v1.4.0", "lading.v1.9.0"] },
    heldBack: ["lading"],
  },
  {
    name: "engine-room",
    says: "the bundled example: exact pins",
    hasPublicNames: true,
    catalogs: CATALOGS,
    subscriptions: ["steam-plant/stable"],
    before: { catalogs: before("steam-plant.v1.4.0", "boiler.v3.2.0", "condenser.v0.9.0", "turbine-operator.v2.7.0") },
    olm: { operators: ["boiler.v3.3.0", "condenser.v0.10.0", "steam-plant.v1.5.0", "turbine-operator.v2.8.0"] },
    heldBack: ["boiler"],
  },
  {
    name: "drydock",
    says: "the bundled example: a package with a new name",
    hasPublicNames: true,
    catalogs: CATALOGS,
    subscriptions: [{ of: "hull-caulk/stable", name: "hull" }],
    before: { catalogs: before("oakum.v1.9.0"), subscriptions: [{ of: "oakum/stable", name: "hull" }] },
    olm: { operators: ["hull-caulk.v2.3.0"] },
  },
  {
    name: "chandlery",
    says: "the bundled example: a long channel, in five updates",
    hasPublicNames: true,
    catalogs: CATALOGS,
    subscriptions: ["bilge-pump/stable"],
    before: { catalogs: before("bilge-pump.v1.16.1") },
    olm: { operators: ["bilge-pump.v2.14.0"] },
  },
  {
    name: "rivals",
    says: "the bundled example: two operators need two versions of a third",
    hasPublicNames: true,
    catalogs: CATALOGS,
    subscriptions: ["shore-watch/stable", "drone-scout/stable"],
    olm: { operators: [], refused: ["drone-scout", "shore-watch"] },
    ours: {
      operators: ["drone-scout.v1.3.0", "radar-net.v2.6.0"],
      refused: ["shore-watch"],
      differs: "a Subscription that cannot be satisfied",
    },
  },
  {
    name: "cold-store",
    says: "the bundled example: a rule in CEL, which an operator of a second catalog meets",
    hasPublicNames: true,
    catalogs: CATALOGS,
    subscriptions: ["reefer-control/stable"],
    olm: { operators: [], refused: ["reefer-control"] },
    ours: {
      operators: ["reefer-control.v3.0.0", "thermograph.v1.3.2"],
      differs: SPELLINGS,
    },
  },
  {
    name: "desk",
    says: "the bundled example: compound constraints; the lading of namespace cargo meets one of them",
    hasPublicNames: true,
    catalogs: CATALOGS,
    subscriptions: ["freight-desk/stable"],
    olm: { operators: [], refused: ["freight-desk"] },
    ours: {
      operators: ["freight-desk.v2.0.0", "rail-link.v2.1.0", "weighbridge.v1.4.0"],
      differs: SPELLINGS,
    },
  },
  {
    name: "pilots",
    says: "the bundled example: a negation that its own bundle would break",
    hasPublicNames: true,
    catalogs: CATALOGS,
    subscriptions: ["pilotage/stable"],
    olm: { operators: [], refused: ["pilotage"] },
    ours: {
      operators: ["pilotage.v2.1.0"],
      differs: SPELLINGS,
    },
  },
  {
    name: "yard",
    says: "the bundled example: the winch is in a catalog that is not there",
    hasPublicNames: true,
    catalogs: CATALOGS,
    subscriptions: ["crane-yard/stable"],
    olm: { operators: [], refused: ["crane-yard"] },
  },
  {
    name: "gantry",
    says: "the bundled example: an operator for all namespaces only",
    hasPublicNames: true,
    catalogs: CATALOGS,
    subscriptions: ["gantry/stable"],
    olm: { operators: [], broken: ["gantry.v3.1.0: Failed"] },
    ours: { operators: [], refused: ["gantry"], differs: "install modes" },
  },
];
