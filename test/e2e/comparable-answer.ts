// What is the same in two answers for the same objects, once from files and once from an API server? Everything but the places
// of objects, the lines of files beside them, and the flags that name the input in suggested commands.

/** Flags of suggested commands that say where the objects are. */
const INPUT_FLAGS = / (?:--live|(?:--kubeconfig|-f|--kube-version|--openshift-version) \S+)(?=\s|"|$)/gm;

/** An answer with PLACE for every place in the cluster or below the folder of its dump. */
export function comparableAnswer(answer: string, dump: string): string {
  const places = new RegExp(`(?<![\\w./-])(?:cluster|${escaped(dump)})/[^\\s",]+(?: \\(items\\[[^)]*\\))?`, "g");
  return withoutSnippets(answer.replace(places, "PLACE"))
    .replace(/^(\s*)PLACE +/gm, "$1PLACE  ")
    .replace(/"line": \d+,\s*"column": \d+,\s*(?="at": "PLACE")/g, "")
    .replace(INPUT_FLAGS, "");
}

/** Drops lines of files, which begin with a bar or a number and a bar, and the indentation that depends on the number. */
function withoutSnippets(text: string): string {
  const lines: string[] = [];
  let isBelowPlace = false;
  for (const line of text.split("\n")) {
    if (/^\s*--> PLACE/.test(line)) {
      isBelowPlace = true;
      lines.push(line.trimStart());
    } else if (!isBelowPlace) lines.push(line);
    else if (/^\s*= /.test(line)) lines.push(line.trimStart());
    else if (!/^\s*(?:\d+ )?\|/.test(line)) {
      isBelowPlace = false;
      lines.push(line);
    }
  }
  return lines.join("\n");
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
