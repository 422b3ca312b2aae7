// What is asked for, and by whom?

import type { RequestRef } from "../../model/operator-ref.ts";
import { packageText } from "./constraint.ts";

/** Who asks, as people know it: a Subscription by its name, the command line by what it asks for. */
export function askerText({ id, place, package: owner }: RequestRef): string {
  return place === undefined ? `the request for ${owner}` : `Subscription ${id}`;
}

/** What is asked for: "x 1.2.0", "x >=1.0.0 in channel stable from catalog y". */
export function wishText({ package: owner, range, channel, catalog }: RequestRef): string {
  return [
    packageText(owner, range),
    ...(channel === undefined ? [] : [`in channel ${channel}`]),
    ...(catalog === undefined ? [] : [`from catalog ${catalog.name}`]),
  ].join(" ");
}
