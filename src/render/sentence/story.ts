// Why is something not possible, in sentences? A line for each.

import { oneLine } from "../../model/one-line.ts";
import type { Note, Story } from "../../resolve/explain/story.ts";

/** The whole prose of an explanation, without what would help. */
export function storyText({ story, notes }: { readonly story: Story; readonly notes: readonly Note[] }): string {
  return [story.text, ...notes.map((note) => oneLine(noteText(note)))].join("\n");
}

function noteText(note: Note): string {
  switch (note.kind) {
    case "priority":
      return "Of requests that exclude each other, as many as possible are served; then priority decides (plimsoll.dev/priority), then the name.";
    case "text":
      return note.text;
  }
}
