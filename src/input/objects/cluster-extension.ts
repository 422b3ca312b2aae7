// How is a ClusterExtension read?

import type { ClusterExtension } from "../../model/cluster-extension.ts";
import { partOf } from "../../model/json.ts";
import { anything, list, object, objectWith, text } from "../shape.ts";
import { givenPartOf, selectorOf, textOf, textsOf } from "./fields.ts";
import { isTerminating, LABEL_SELECTOR, type ObjectKind, shapeWithSpec, specOf, statusOf } from "./object-kind.ts";
import { priorityOf } from "./subscription.ts";

/** OLM v1's ClusterExtension. */
export const CLUSTER_EXTENSION: ObjectKind<ClusterExtension> = {
  kind: "ClusterExtension",
  group: "olm.operatorframework.io",
  versions: ["v1"],
  namespaced: false,
  shape: shapeWithSpec({
    spec: objectWith(["source"], {
      namespace: text,
      serviceAccount: anything,
      source: objectWith(["catalog"], {
        sourceType: text,
        catalog: objectWith(["packageName"], {
          packageName: text,
          version: text,
          channels: list(text),
          selector: LABEL_SELECTOR,
          upgradeConstraintPolicy: text,
        }),
      }),
      install: object({ preflight: object({ crdUpgradeSafety: object({ enforcement: text }) }) }),
      config: anything,
      progressDeadlineMinutes: anything,
    }),
    status: object({
      install: object({ bundle: object({ name: text, version: text, release: anything }) }),
      conditions: anything,
      activeRevisions: anything,
    }),
  }),
  build(given) {
    const spec = specOf(given);
    const catalog = partOf(partOf(spec, "source"), "catalog");
    const safety = partOf(partOf(partOf(spec, "install"), "preflight"), "crdUpgradeSafety");
    const bundle = givenPartOf(partOf(statusOf(given), "install"), "bundle");
    return {
      place: given.place,
      name: given.name,
      installNamespace: textOf(spec, "namespace"),
      priority: priorityOf(given),
      packageName: textOf(catalog, "packageName") ?? "",
      version: textOf(catalog, "version"),
      channels: textsOf(catalog, "channels"),
      catalogSelector: selectorOf(catalog, "selector"),
      upgradeConstraintPolicy: textOf(catalog, "upgradeConstraintPolicy") ?? "CatalogProvided",
      crdUpgradeSafety: textOf(safety, "enforcement") ?? "Strict",
      installed: bundle && { name: textOf(bundle, "name") ?? "", version: textOf(bundle, "version") ?? "" },
      terminating: isTerminating(given),
    };
  },
};
