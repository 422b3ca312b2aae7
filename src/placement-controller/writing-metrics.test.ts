import { expect, test } from "vitest";
import { WritingMetrics } from "./writing-metrics.ts";

/** What the reading thread says. */
function ofReading(collections: number) {
  const delays = { median: 0, p99: 0.25, worst: 0.5, longestCollection: 0.125, collections };
  return { text: "of_the_hub 1\n", delays };
}

test("who writes, which version, and how busy the reading thread is", () => {
  const metrics = new WritingMetrics("1.2.3");
  const lines = (collections: number): readonly string[] => metrics.text(ofReading(collections)).split("\n");
  expect(lines(2)).toEqual(
    expect.arrayContaining([
      'plimsoll_build_info{version="1.2.3"} 1',
      "plimsoll_leading 0",
      "plimsoll_ocm_controller_detected 0",
      'plimsoll_event_loop_delay_seconds{thread="reading",quantile="0.99"} 0.25',
      'plimsoll_gc_pause_max_seconds{thread="reading"} 0.125',
      'plimsoll_gc_pause_seconds_total{thread="reading"} 2',
      "of_the_hub 1",
    ]),
  );
  metrics.lead(true);
  metrics.detectOcm(true);
  expect(lines(3)).toEqual(
    expect.arrayContaining([
      "plimsoll_leading 1",
      "plimsoll_ocm_controller_detected 1",
      'plimsoll_gc_pause_seconds_total{thread="reading"} 3',
    ]),
  );
});

test("what the process costs", () => {
  const text = new WritingMetrics("1.2.3").text(ofReading(0));
  const sampleOf = (name: string): number => Number(new RegExp(`^${name} (\\S+)$`, "m").exec(text)?.[1]);
  expect(sampleOf("process_resident_memory_bytes")).toBeGreaterThan(1_000_000);
  expect(sampleOf("process_cpu_seconds_total")).toBeGreaterThan(0);
});
