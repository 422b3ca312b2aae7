// How do results look? As a table of Markdown, a column for each contestant, that can be pasted into README.md.

const format = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });

export const count = (value) => format.format(value);
export const seconds = (value) => `${value < 10 ? value.toFixed(1) : count(value)} s`;
export const milliseconds = (value) => (value < 10_000 ? `${count(value)} ms` : seconds(value / 1000));

/** A figure of each contestant, with its ratio to the first one, which is ours. */
export function compared(values, print) {
  const [ours] = values;
  return values.map((value, at) => {
    if (value === undefined) return "";
    const times = value / ours;
    return at === 0 || !(times >= 0) || ours === 0
      ? print(value)
      : `${print(value)}: ${times.toFixed(times < 10 ? 1 : 0)} x`;
  });
}

/** Prints rows of text under a header. */
export function printMarkdown(header, rows) {
  console.log(`\n| ${header.join(" | ")} |\n|${" --- |".repeat(header.length)}`);
  for (const row of rows) console.log(`| ${row.join(" | ")} |`);
}
