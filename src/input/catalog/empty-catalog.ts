// What is said of a catalog without any document?

import { type Finding, finding } from "../../model/finding.ts";
import { wholeSource } from "../../model/place.ts";

/** The finding about a catalog in which there is nothing; `source` is where it was read from. */
export function emptyCatalog(name: string, source: string): Finding {
  return finding("PL011", wholeSource(source), {
    message: `catalog ${name} is empty: there is no document in ${source}`,
    help: "a catalog has documents that begin with `schema:`, or bundle directories with `manifests/` and `metadata/`",
  });
}
