// Which file or directory does a reference name, and which image in it? `DIR`, `DIR:TAG`, `DIR@DIGEST`, `FILE`, `FILE:TAG`.

import { existsSync } from "node:fs";

/** Which image of several: by its tag, or by the digest of its manifest. */
export interface ImageChoice {
  readonly tag?: string;
  readonly digest?: string;
}

export interface StoredPlace {
  readonly path: string;
  readonly choice: ImageChoice;
}

/** Colons that are tried as the end of the path. */
const MAX_CUTS = 20;

/** A path may contain colons, and a tag may be a whole reference: the longest path that exists is the path. */
export function storedPlace(text: string, exists: (path: string) => boolean = existsSync): StoredPlace {
  if (exists(text)) return { path: text, choice: {} };
  const cuts = [...text.matchAll(/[:@]/g)].map(({ index }) => index).slice(-MAX_CUTS);
  for (const cut of cuts.toReversed()) {
    const path = text.slice(0, cut);
    if (path !== "" && exists(path)) return { path, choice: choiceOf(text.slice(cut)) };
  }
  return { path: text, choice: {} };
}

/** `:TAG`, `@DIGEST` or `:TAG@DIGEST`. */
function choiceOf(text: string): ImageChoice {
  const at = text.indexOf("@");
  const tag = text.slice(1, at === -1 ? undefined : Math.max(at, 1));
  const digest = at === -1 ? "" : text.slice(at + 1);
  return { ...(tag === "" ? {} : { tag }), ...(digest === "" ? {} : { digest }) };
}
