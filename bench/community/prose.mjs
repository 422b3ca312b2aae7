// What do the texts of operators look like? Sentences of made-up words, in the YAML styles that the generators of real
// manifests write: plain text folded at 80 columns, the same in quotes where it has a colon, literal blocks, and quoted
// text with escapes.

const WORDS =
  "the a of to and in is for be this that if or by with as from must may when only which cluster resource object field name value list container volume pod service secret config node storage version status condition operator controller default enabled specified defined reference selector label annotation namespace request limit replica image template policy rule endpoint certificate authentication backup restore schedule retention timeout interval maximum minimum number string empty optional required ignored deprecated example".split(
    " ",
  );

/** Sentences of about this many characters. */
export function prose(random, length) {
  const sentences = [];
  for (let written = 0; written < length; ) {
    const words = Array.from({ length: 5 + random(14) }, () => WORDS[random(WORDS.length)]);
    const [first, ...rest] = words;
    const sentence = `${first[0].toUpperCase()}${first.slice(1)} ${rest.join(" ")}.`;
    sentences.push(sentence);
    written += sentence.length + 1;
  }
  return sentences.join(" ");
}

/** The lines of a text, folded at a width. */
export function folded(text, width) {
  const lines = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + word.length >= width) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  lines.push(line);
  return lines;
}

/** `description: …` at an indentation, in the style of a version of controller-gen: folded up to 0.13, then literal. */
export function description(random, indent, length, style) {
  const text = prose(random, length);
  const width = Math.max(20, 80 - indent.length);
  if (style === "literal") {
    if (text.length < width) return `${indent}description: ${text}\n`;
    return `${indent}description: |-\n${folded(text, width)
      .map((line) => `${indent}  ${line}\n`)
      .join("")}`;
  }
  const isQuoted = random(8) === 0;
  const shown = isQuoted ? `'${text.replace(". ", ": ")} It''s "quoted".'` : text;
  const [first, ...rest] = folded(`description: ${shown}`, width);
  return `${indent}${first}\n${rest.map((line) => `${indent}  ${line}\n`).join("")}`;
}

/** Markdown as a literal block's lines, or as one double-quoted text with escapes and continued lines. */
export function markdown(random, indent, key, length, style) {
  const paragraphs = [];
  for (let written = 0; written < length; ) {
    const kind = random(4);
    const paragraph =
      kind === 0
        ? `## ${prose(random, 20)}`
        : kind === 1
          ? Array.from({ length: 3 }, () => `* **${prose(random, 12)}** – ${prose(random, 60)}`).join("\n")
          : prose(random, 200 + random(400));
    paragraphs.push(paragraph);
    written += paragraph.length;
  }
  const text = paragraphs.join("\n\n");
  if (style === "literal") {
    const lines = text.split("\n").map((line) => (line === "" ? "\n" : `${indent}  ${line}\n`));
    return `${indent}${key}: |\n${lines.join("")}`;
  }
  const escaped = JSON.stringify(text).split(" ");
  const lines = folded(escaped.join(" "), 90);
  return `${indent}${key}: ${lines.join(`\\\n${indent}  \\ `)}\n`;
}
