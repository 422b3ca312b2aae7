// At which line and column of its file is a place? Files are read again only for the places that are shown.

import { type Place, printShown } from "../model/place.ts";
import type { InputFiles } from "../source/input-files.ts";

/** Prints `file:line:column` of a place; a saved problem may name files that do not exist. */
export async function positionsOf(
  things: readonly { readonly place?: Place | undefined }[],
  files: InputFiles,
): Promise<(place: Place) => string> {
  const spots = await files.locate(things.flatMap(({ place }) => place ?? []));
  return (place) => printShown(place, spots.get(place));
}
