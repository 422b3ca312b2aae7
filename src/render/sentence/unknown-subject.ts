// Why can a text not be explained, in words?

import type { UnknownSubject } from "../../resolve/explain/read-subject.ts";
import { listed, quoted } from "../../text/words.ts";
import { missingText } from "./missing.ts";

/** How many names a sentence lists. */
const MAX_LISTED = 8;

/** What is wrong with the text, and what to write. */
export function unknownSubjectText(unknown: UnknownSubject): string {
  switch (unknown.kind) {
    case "no-package":
      return `${quoted(unknown.text, 80)} names no package: write PACKAGE or PACKAGE@VERSION`;
    case "not-a-package":
      return `${quoted(unknown.text, 80)} is not a package: write PACKAGE or PACKAGE@VERSION`;
    case "missing": {
      const { unavailable } = unknown;
      const more =
        unavailable.length === 0 ? "" : `; the content of catalog ${listed(unavailable, MAX_LISTED)} is unknown`;
      return `${missingText(unknown.missing)}${more}`;
    }
    case "unknown-version": {
      const { package: owner, version, known, meant } = unknown;
      const has = known.length === 0 ? "" : `; it has ${listed(known, MAX_LISTED)}`;
      const nearest = meant === undefined ? "" : `; did you mean ${owner}@${meant}?`;
      return `package ${owner} has no version ${quoted(version, 80)}${has}${nearest}`;
    }
  }
}
