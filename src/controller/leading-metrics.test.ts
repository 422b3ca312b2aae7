import { expect, test } from "vitest";
import { LeadingMetrics } from "./leading-metrics.ts";

/** What the reading thread says. */
function ofReading(collections: number) {
  const delays = { median: 0, p99: 0.25, worst: 0.5, longestCollection: 0.125, collections };
  return { text: "of_the_cluster 1\n", delays };
}

test("who writes, and how busy the reading thread is, by controller", () => {
  const metrics = new LeadingMetrics("things");
  const lines = (collections: number): readonly string[] => metrics.text(ofReading(collections)).split("\n");
  expect(lines(2)).toEqual(
    expect.arrayContaining([
      'plimsoll_leading{controller="things"} 0',
      'plimsoll_event_loop_delay_seconds{controller="things",thread="reading",quantile="0.99"} 0.25',
      'plimsoll_gc_pause_max_seconds{controller="things",thread="reading"} 0.125',
      'plimsoll_gc_pause_seconds_total{controller="things",thread="reading"} 2',
      "of_the_cluster 1",
    ]),
  );
  metrics.lead(true);
  metrics.wrote("patch", "ok");
  metrics.droppedEvent("spam");
  expect(lines(3)).toEqual(
    expect.arrayContaining([
      'plimsoll_leading{controller="things"} 1',
      'plimsoll_writes_total{controller="things",verb="patch",result="ok"} 1',
      'plimsoll_events_dropped_total{controller="things",reason="spam"} 1',
      'plimsoll_gc_pause_seconds_total{controller="things",thread="reading"} 3',
    ]),
  );
});
