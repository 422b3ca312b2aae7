// Which fields does a CustomResourceDefinition have, in v1 and v1beta1? model/definition-of.ts reads their content.

import type { CustomResourceDefinition } from "../../model/custom-resource.ts";
import { definitionOf } from "../../model/definition-of.ts";
import { anything, boolean, each, list, map, object, objectWith, type Shape, text } from "../shape.ts";
import { type ObjectKind, shapeWithSpec } from "./object-kind.ts";

/** A schema is kept as is; only its type is checked. */
const SCHEMA: Shape = object({ openAPIV3Schema: map(anything) });

/** Kubernetes' CustomResourceDefinition, v1 and v1beta1. */
export const CUSTOM_RESOURCE_DEFINITION: ObjectKind<CustomResourceDefinition> = {
  kind: "CustomResourceDefinition",
  group: "apiextensions.k8s.io",
  versions: ["v1", "v1beta1"],
  namespaced: false,
  shape: shapeWithSpec({
    spec: objectWith(["group", "names"], {
      group: text,
      names: objectWith(["kind", "plural"], {
        kind: text,
        plural: text,
        ...each(anything, "singular", "listKind", "shortNames", "categories"),
      }),
      scope: text,
      version: text,
      versions: list(
        objectWith(["name", "served", "storage"], {
          name: text,
          served: boolean,
          storage: boolean,
          schema: SCHEMA,
          ...each(anything, "additionalPrinterColumns", "deprecated", "deprecationWarning", "selectableFields"),
          subresources: anything,
        }),
      ),
      validation: SCHEMA,
      conversion: object({
        strategy: text,
        ...each(anything, "webhook", "webhookClientConfig", "conversionReviewVersions"),
      }),
      preserveUnknownFields: boolean,
      additionalPrinterColumns: anything,
      subresources: anything,
    }),
    status: object({
      storedVersions: list(text),
      ...each(anything, "acceptedNames", "conditions", "observedGeneration"),
    }),
  }),
  build: ({ object: definition, version, place }) => definitionOf(definition, version, place),
};
