// Which ClusterCatalogs does a ClusterExtension choose from? Those whose labels its selector matches, with Kubernetes'
// rules; OLM v1 gives every ClusterCatalog a label with its own name.

import { type TextMap, textUnder } from "../../model/labels.ts";
import { holds, type LabelSelector, type RequirementFault, SELECTOR_OPERATORS } from "../../model/selector.ts";

/** The label of every ClusterCatalog; its value is the name of the catalog. */
export const CATALOG_NAME_LABEL = "olm.operatorframework.io/metadata.name";

/** A catalog that can be selected. */
export interface LabelledCatalog {
  readonly name: string;
  readonly labels: TextMap;
}

/** Does the selector match the labels of a catalog? */
export function selectsCatalog({ matchLabels, matchExpressions }: LabelSelector, catalog: LabelledCatalog): boolean {
  const labelOf = (key: string): string | undefined =>
    key === CATALOG_NAME_LABEL ? catalog.name : textUnder(catalog.labels, key);
  return (
    Object.entries(matchLabels).every(([key, value]) => labelOf(key) === value) &&
    matchExpressions.every(({ key, operator, values }) => {
      const known = SELECTOR_OPERATORS.find((one) => one === operator);
      return known !== undefined && holds({ operator: known, values: new Set(values) }, labelOf(key));
    })
  );
}

/** The first invalid requirement of a selector; undefined if all are valid. */
export function selectorFault({ matchExpressions }: LabelSelector): RequirementFault | undefined {
  for (const { key, operator, values } of matchExpressions) {
    if (key === "") return { kind: "no-key", operator };
    if (!SELECTOR_OPERATORS.some((one) => one === operator)) return { kind: "unknown-operator", operator };
    const needsValues = operator === "In" || operator === "NotIn";
    if (needsValues && values.length === 0) return { kind: "needs-values", operator };
    if (!needsValues && values.length > 0) return { kind: "has-values", operator };
  }
  return undefined;
}
