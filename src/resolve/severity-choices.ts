// How serious are findings about custom kinds, where that is not as usual?

import type { CrdCode } from "../crd/rule.ts";
import type { SeverityChoices } from "../crd/upgrade/circumstances.ts";
import type { Severity } from "../model/finding.ts";
import type { ResolveOptions } from "../model/problem.ts";

/** What the options choose, by code. */
export function severityChoices({ crdSeverities = {} }: ResolveOptions): SeverityChoices {
  return new Map(Object.entries(crdSeverities) as [CrdCode, Severity | "off"][]);
}
