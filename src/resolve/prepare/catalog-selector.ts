// Which ClusterCatalogs does a ClusterExtension choose from? Those whose labels its selector matches, with Kubernetes'
// rules; OLM v1 gives every ClusterCatalog a label with its own name.

import { type TextMap, textUnder } from "../../model/labels.ts";
import { holds, type LabelSelector, SELECTOR_OPERATORS } from "../../model/selector.ts";
import { quoted } from "../../text/words.ts";

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

/** Why a selector is invalid; undefined if it is valid. */
export function selectorFault({ matchExpressions }: LabelSelector): string | undefined {
  for (const { key, operator, values } of matchExpressions) {
    if (key === "") return "an expression has no key";
    if (!SELECTOR_OPERATORS.some((one) => one === operator))
      return `${quoted(operator, 80)} is not an operator; use ${SELECTOR_OPERATORS.join(", ")}`;
    const needsValues = operator === "In" || operator === "NotIn";
    if (needsValues && values.length === 0) return `${operator} needs values`;
    if (!needsValues && values.length > 0) return `${operator} has no values`;
  }
  return undefined;
}
