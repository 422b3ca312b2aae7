// Which constraints of the input are malformed, and where in their documents?

import type { Catalog } from "../model/catalog.ts";
import { type Finding, finding } from "../model/finding.ts";
import { type InstalledOperator, PROPERTIES_ANNOTATION } from "../model/installed-operator.ts";
import { characterOf, inside, keyOf, type Place } from "../model/place.ts";
import type { ConstraintProblem } from "./constraint.ts";
import type { ConstraintReader } from "./read-requirements.ts";

/** The errors in the constraints of bundles and of installed operators. */
export function constraintFindings(
  catalogs: readonly Catalog[],
  operators: readonly InstalledOperator[],
  reader: ConstraintReader,
): readonly Finding[] {
  return [
    ...catalogs.flatMap((catalog) => bundleConstraintFindings(catalog, reader)),
    ...operators.flatMap((operator) => operatorConstraintFindings(operator, reader)),
  ];
}

/** The errors in the constraints of a catalog's bundles. */
function bundleConstraintFindings({ name, packages }: Catalog, reader: ConstraintReader): readonly Finding[] {
  return [...packages.values()].flatMap(({ bundles }) =>
    [...bundles.values()].flatMap((bundle) =>
      reader.of(bundle.properties).problems.map((problem) =>
        finding("PL063", problemPlace(problem, bundle.place), {
          message: `bundle ${bundle.name} has a constraint that cannot be read: ${problem.message}`,
          ...(problem.hint !== undefined && { help: problem.hint }),
          catalog: name,
          package: bundle.package,
          bundle: bundle.name,
        }),
      ),
    ),
  );
}

/** The errors in the constraints of an installed operator's annotation. */
function operatorConstraintFindings(
  { namespace, name, properties = [], place }: InstalledOperator,
  reader: ConstraintReader,
): readonly Finding[] {
  return reader.of(properties).problems.map(({ message, hint, property }) =>
    finding("PL063", inside(place, "metadata", "annotations", PROPERTIES_ANNOTATION), {
      message: `property ${property + 1} of ${namespace}/${name} is a constraint that cannot be read: ${message}`,
      ...(hint !== undefined && { help: hint }),
    }),
  );
}

/** The place of a problem, in the document of the bundle with these properties. */
export function problemPlace({ property, path, offset, ofKey }: ConstraintProblem, ofBundle: Place): Place {
  const steps = ["properties", property, "value", ...path];
  const last = steps.at(-1);
  if (ofKey && typeof last === "string") return keyOf(inside(ofBundle, ...steps.slice(0, -1)), last);
  const place = inside(ofBundle, ...steps);
  return offset === undefined ? place : characterOf(place, offset);
}
