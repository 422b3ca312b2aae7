// Why can a text not be explained, in words?

import type { UnknownSubject } from "../../resolve/explain/read-subject.ts";
import { listed, quoted } from "../../text/words.ts";
import { byKind } from "../kit/by-kind.ts";
import { missingText } from "./not-in-catalog.ts";

/** How many names a sentence lists. */
const MAX_LISTED = 8;

/** What is wrong with the text, and what to write. */
export const unknownSubjectText: (unknown: UnknownSubject) => string = byKind({
  "no-package": (unknown) => `${quoted(unknown.text, 80)} names no package: write PACKAGE or PACKAGE@VERSION`,
  "not-a-package": (unknown) => `${quoted(unknown.text, 80)} is not a package: write PACKAGE or PACKAGE@VERSION`,
  missing: (unknown) => {
    const { unavailable } = unknown;
    const more =
      unavailable.length === 0 ? "" : `; the content of catalog ${listed(unavailable, MAX_LISTED)} is unknown`;
    return `${missingText(unknown.missing)}${more}`;
  },
  "unknown-version": ({ package: owner, version, known, meant }) => {
    const has = known.length === 0 ? "" : `; it has ${listed(known, MAX_LISTED)}`;
    const nearest = meant === undefined ? "" : `; did you mean ${owner}@${meant}?`;
    return `package ${owner} has no version ${quoted(version, 80)}${has}${nearest}`;
  },
});
