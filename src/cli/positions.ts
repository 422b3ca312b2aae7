// Where in its file does something stand that an answer speaks of? Files are read again only for what is shown.

import { type Place, printPlace } from "../model/place.ts";
import type { InputFiles } from "../source/input-files.ts";

/** Says where in its file a place is; a saved problem may name files that are no longer there, or are none. */
export async function positionsOf(
  things: readonly { readonly place?: Place | undefined }[],
  files: InputFiles,
): Promise<(place: Place) => string> {
  const spots = await files.spots(things.flatMap(({ place }) => place ?? []));
  return (place) => {
    const { line, column } = spots.get(place) ?? place;
    return printPlace({ source: place.source, line, column });
  };
}
