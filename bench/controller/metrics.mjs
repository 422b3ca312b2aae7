// What does our controller say about itself? Its metrics, in Prometheus's text format.

/** The samples of a text: name, labels, value. */
export function samplesOf(text) {
  return text.split("\n").flatMap((line) => {
    const [, name, labels = "", value] = /^(\w+)(?:\{(.*)\})? (\S+)/.exec(line) ?? [];
    if (name === undefined) return [];
    const pairs = [...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, label, of]) => [label, of]);
    return [{ name, labels: Object.fromEntries(pairs), value: Number(value) }];
  });
}

/** Clusters that were evaluated for a Placement since the start. */
export function evaluationsOf(samples) {
  return samples.filter(({ name }) => name === "plimsoll_evaluations_total").reduce((sum, { value }) => sum + value, 0);
}

/**
 * Takes the delays of the event loop of each thread, by quantile, in milliseconds, into `delays`: the longest ones count. A sample is about
 * the last minute or two.
 */
export function addDelays(delays, samples) {
  for (const { name, labels, value } of samples) {
    if (name !== "plimsoll_event_loop_delay_seconds") continue;
    delays[labels.thread] ??= {};
    const before = delays[labels.thread][labels.quantile] ?? 0;
    delays[labels.thread][labels.quantile] = Math.max(before, value * 1000);
  }
}

/** The delays of the event loops of a controller in the last minute or two, or since its start. */
export async function delaysOf(controller) {
  const delays = {};
  addDelays(delays, await controller.metrics());
  return delays;
}
