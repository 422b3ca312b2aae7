// Why can two sides not be compared, in words?

import type { Unpaired } from "../../crd/pair-definitions.ts";

/** The reason, without a full stop. */
export function unpairedText(unpaired: Unpaired): string {
  if (unpaired.kind === "no-definition")
    return `${unpaired.path} has no CustomResourceDefinition that could be compared`;
  const have = unpaired.sides.map(({ path, name }) => `${path} has ${name}`).join(", but ");
  return `${have}: only definitions of the same name can be compared`;
}
