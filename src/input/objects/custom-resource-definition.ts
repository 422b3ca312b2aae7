// How does a CustomResourceDefinition read? v1beta1 may name a single version and keep one schema for all of them; both
// come out as v1 would say it.

import type { CustomResourceDefinition, CustomResourceVersion } from "../../model/custom-resource.ts";
import { type JsonObject, own } from "../../model/json.ts";
import { anything, boolean, list, map, object, type Shape, text } from "../shape.ts";
import { givenPartOf, isTrue, partOf, partsOf, textOf, textsOf } from "./fields.ts";
import { type ObjectKind, objectShape, specOf, statusOf } from "./object-kind.ts";

/** A schema is kept as it is; that it is an object at all is checked. */
const SCHEMA: Shape = object({ openAPIV3Schema: map(anything) });

/** Kubernetes' CustomResourceDefinition, v1 and v1beta1. */
export const CUSTOM_RESOURCE_DEFINITION: ObjectKind<CustomResourceDefinition> = {
  kind: "CustomResourceDefinition",
  group: "apiextensions.k8s.io",
  versions: ["v1", "v1beta1"],
  namespaced: false,
  shape: objectShape(
    {
      spec: object(
        {
          group: text,
          names: object(
            {
              kind: text,
              plural: text,
              singular: anything,
              listKind: anything,
              shortNames: anything,
              categories: anything,
            },
            "kind",
            "plural",
          ),
          scope: text,
          version: text,
          versions: list(
            object(
              {
                name: text,
                served: boolean,
                storage: boolean,
                schema: SCHEMA,
                additionalPrinterColumns: anything,
                deprecated: anything,
                deprecationWarning: anything,
                selectableFields: anything,
                subresources: anything,
              },
              "name",
              "served",
              "storage",
            ),
          ),
          validation: SCHEMA,
          conversion: object({
            strategy: text,
            webhook: anything,
            webhookClientConfig: anything,
            conversionReviewVersions: anything,
          }),
          preserveUnknownFields: boolean,
          additionalPrinterColumns: anything,
          subresources: anything,
        },
        "group",
        "names",
      ),
      status: object({
        storedVersions: list(text),
        acceptedNames: anything,
        conditions: anything,
        observedGeneration: anything,
      }),
    },
    "spec",
  ),
  build(given) {
    const spec = specOf(given);
    const names = partOf(spec, "names");
    return {
      place: given.place,
      name: given.name,
      apiVersion: given.version,
      group: textOf(spec, "group") ?? "",
      kind: textOf(names, "kind") ?? "",
      plural: textOf(names, "plural") ?? "",
      scope: textOf(spec, "scope") ?? "Namespaced",
      versions: versionsOf(spec),
      specVersion: textOf(spec, "version"),
      storedVersions: textsOf(statusOf(given), "storedVersions"),
      conversionStrategy: textOf(partOf(spec, "conversion"), "strategy") ?? "None",
      preserveUnknownFields: (own(spec, "preserveUnknownFields") ?? given.version === "v1beta1") === true,
      object: given.object,
    };
  },
};

function versionsOf(spec: JsonObject): readonly CustomResourceVersion[] {
  const shared = schemaOf(spec, "validation");
  const versions = partsOf(spec, "versions");
  const single = textOf(spec, "version");
  if (versions.length === 0 && single !== undefined)
    return [{ name: single, served: true, storage: true, schema: shared }];
  return versions.map((version) => ({
    name: textOf(version, "name") ?? "",
    served: isTrue(version, "served"),
    storage: isTrue(version, "storage"),
    schema: schemaOf(version, "schema") ?? shared,
  }));
}

function schemaOf(object: JsonObject, key: string): JsonObject | undefined {
  return givenPartOf(partOf(object, key), "openAPIV3Schema");
}
