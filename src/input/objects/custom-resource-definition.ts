// Which fields does a CustomResourceDefinition have, in v1 and v1beta1? model/definition-of.ts reads their content.

import type { CustomResourceDefinition } from "../../model/custom-resource.ts";
import { definitionOf } from "../../model/definition-of.ts";
import { anything, boolean, each, list, map, object, type Shape, text } from "../shape.ts";
import { type ObjectKind, objectShape } from "./object-kind.ts";

/** A schema is kept as is; only its type is checked. */
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
              ...each(anything, "singular", "listKind", "shortNames", "categories"),
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
                ...each(anything, "additionalPrinterColumns", "deprecated", "deprecationWarning", "selectableFields"),
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
            ...each(anything, "webhook", "webhookClientConfig", "conversionReviewVersions"),
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
        ...each(anything, "acceptedNames", "conditions", "observedGeneration"),
      }),
    },
    "spec",
  ),
  build: ({ object: definition, version, place }) => definitionOf(definition, version, place),
};
