// How are members named in texts that are still made here?

import { byVersion } from "../../render/sentence/names.ts";
import { refOf, type Self } from "../member.ts";

/** One member: its package and version, or its name where these are not known. */
export function memberText(self: Self): string {
  return byVersion(refOf(self));
}
