// What is lost when every object of a kind is written again? Without a webhook, what was stored in an older version is read and
// stored as the storage version has it: fields that only the older version has are dropped.

import type { CustomResource, CustomResourceDefinition } from "../model/custom-resource.ts";
import { checkUpgrade } from "./check-upgrade.ts";
import type { CrdFinding } from "./finding.ts";
import type { CrdCode } from "./finding-codes.ts";
import { type Circumstances, NOTHING_KNOWN } from "./upgrade/circumstances.ts";
import { hasWebhook, storageVersions } from "./upgrade/definition-change.ts";

/** What the loss depends on besides the definition. */
export type RewriteCircumstances = Pick<Circumstances, "owners" | "objects" | "isPartial" | "severities">;

/** Differences of schemas that drop something. */
const DROPPING: ReadonlySet<CrdCode> = new Set<CrdCode>(["CRD209", "CRD211", "CRD215"]);

/**
 * What objects lose that are stored in one of these versions. An object that is known to lose something is an error,
 * however many own the kind: the change is made by the plan, not requested. What objects may lose that were not given is as serious as
 * it is where storage moves.
 */
export function rewriteLoss(
  definition: CustomResourceDefinition,
  stored: readonly string[],
  { owners, objects, isPartial, severities }: RewriteCircumstances,
): readonly CrdFinding[] {
  const [storage] = storageVersions(definition);
  if (hasWebhook(definition)) return [];
  const isThere = new Set(definition.versions.map(({ name }) => name));
  return stored
    .filter((name) => name !== storage && isThere.has(name))
    .flatMap((name) => {
      const before = {
        ...definition,
        versions: definition.versions.map((one) => ({ ...one, storage: one.name === name })),
      };
      // With one owner, what changes nothing for the objects that were given is only worth knowing.
      return checkUpgrade(before, definition, { ...NOTHING_KNOWN, ...asStored(objects, isPartial, storage) });
    })
    .flatMap((finding): readonly CrdFinding[] => {
      const isLoss = finding.code === "CRD302" || (DROPPING.has(finding.code) && finding.severity !== "info");
      const usual = finding.code === "CRD302" || owners > 1 ? "error" : "warning";
      const severity = severities.get(finding.code) ?? usual;
      return isLoss && severity !== "off" ? [{ ...finding, severity }] : [];
    });
}

/** Objects given in the storage version were pruned by its schema, and do not show everything that is stored. */
function asStored(
  objects: Circumstances["objects"],
  isPartial: boolean,
  storage: string | undefined,
): Pick<Circumstances, "objects" | "isPartial"> {
  const shown = objects?.filter(({ version }) => version !== storage);
  const names = new Set(shown?.map(keyOf));
  return { objects: shown, isPartial: isPartial || objects?.some((one) => !names.has(keyOf(one))) === true };
}

function keyOf({ namespace, name }: Pick<CustomResource, "namespace" | "name">): string {
  return JSON.stringify([namespace ?? "", name]);
}

/** A field that is lost, and the object that has it where one is known. */
type LostField = Pick<CrdFinding, "path" | "object">;

/** What is lost, shortened: some fields and how many more there are. */
export interface Loss {
  readonly fields: readonly LostField[];
  readonly more: number;
}

/** How many fields and objects are named. */
const MAX_REPORTED = 5;

/** What is lost, each field once; fields of objects if any object is known to have one. */
export function shortLoss(loss: readonly LostField[]): Loss {
  const known = loss.filter(({ object }) => object !== undefined);
  const fields = new Map(
    (known.length > 0 ? known : loss).map(({ path, object }) => [
      JSON.stringify([path, object && keyOf(object)]),
      { path, ...(object && { object }) },
    ]),
  );
  return { fields: [...fields.values()].slice(0, MAX_REPORTED), more: Math.max(0, fields.size - MAX_REPORTED) };
}
