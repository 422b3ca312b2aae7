// Where in its file does something stand that an answer speaks of? Files are read again only for what is shown.

import { statSync } from "node:fs";
import { type Place, printPlace } from "../model/place.ts";
import { type InputFiles, STDIN } from "../source/input-files.ts";

/** Says where in its file a place is; a saved problem may name files that are no longer there, or are none. */
export async function positionsOf(
  things: readonly { readonly place?: Place | undefined }[],
  files: InputFiles,
): Promise<(place: Place) => string> {
  const places = things.flatMap(({ place }) => (place === undefined || !canBeRead(place.source) ? [] : [place]));
  const spots = await files.spots(places);
  return (place) => {
    const { line, column } = spots.get(place) ?? place;
    return printPlace({ source: place.source, line, column });
  };
}

function canBeRead(source: string): boolean {
  try {
    return source === STDIN || statSync(source).isFile();
  } catch {
    return false;
  }
}
