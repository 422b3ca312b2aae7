// How is a ConfigMap read?

import type { ConfigMap } from "../../model/config-map.ts";
import { anything, boolean, map, text } from "../shape.ts";
import { textMapOf } from "./fields.ts";
import { identityOf, type ObjectKind, objectShape } from "./object-kind.ts";

/** Kubernetes' ConfigMap. */
export const CONFIG_MAP: ObjectKind<ConfigMap> = {
  kind: "ConfigMap",
  group: "",
  versions: ["v1"],
  namespaced: true,
  shape: objectShape({ data: map(text), binaryData: anything, immutable: boolean }),
  build(given) {
    return {
      ...identityOf(given),
      data: textMapOf(given.object, "data"),
    };
  },
};
