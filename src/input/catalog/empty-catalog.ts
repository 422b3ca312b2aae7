// What is said of a catalog without any document, or without one that means anything here?

import { type Finding, finding } from "../../model/finding.ts";
import { wholeSource } from "../../model/place.ts";
import { listed, quoted } from "../../text/words.ts";

/** Number of schemas that are listed, and their length. */
const MAX_SCHEMAS = 3;
const MAX_SCHEMA = 80;

/** The finding about a catalog with no document, or only with documents of these schemas; `source` is where it was read from. */
export function emptyCatalog(name: string, source: string, schemas: readonly string[]): Finding {
  const found = listed(
    [...new Set(schemas)].map((schema) => quoted(schema, MAX_SCHEMA)),
    MAX_SCHEMAS,
  );
  return finding("PL011", wholeSource(source), {
    message:
      schemas.length === 0
        ? `catalog ${name} is empty: there is no document in ${source}`
        : `no document of catalog ${name} has a schema that is known here: found ${found}`,
    help:
      schemas.length === 0
        ? "a catalog has documents that begin with `schema:`, or bundle directories with `manifests/` and `metadata/`"
        : "a catalog has documents with `schema: olm.package`, `olm.channel` and `olm.bundle`",
  });
}
