// How do the metrics of several threads and controllers become one text? In Prometheus's format HELP and TYPE of a name come once, and all
// of its samples follow.

/** One metric: the lines about it, then its samples. */
interface Family {
  readonly head: string[];
  readonly samples: string[];
}

/** Joins what `Metrics.render` returns, in the order in which names first occur. Of HELP and TYPE the first ones count. */
export function joinedMetrics(texts: readonly string[]): string {
  const families = new Map<string, Family>();
  for (const text of texts) {
    let isNew = false;
    let family: Family = { head: [], samples: [] };
    for (const line of text.split("\n")) {
      const [, begun] = /^# HELP (\S+)/.exec(line) ?? [];
      if (begun !== undefined) {
        isNew = !families.has(begun);
        family = families.get(begun) ?? { head: [], samples: [] };
        families.set(begun, family);
      }
      if (line === "" || (line.startsWith("#") && !isNew)) continue;
      (line.startsWith("#") ? family.head : family.samples).push(line);
    }
  }
  return [...families.values()]
    .flatMap(({ head, samples }) => [...head, ...samples].map((line) => `${line}\n`))
    .join("");
}
