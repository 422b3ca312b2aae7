import { expect, test } from "vitest";
import { ProcessMetrics } from "./process-metrics.ts";

test("which version it is, what the process costs, and how busy its main thread is", () => {
  const text = new ProcessMetrics("1.2.3").text();
  const sampleOf = (name: string): number => Number(new RegExp(`^${name} (\\S+)$`, "m").exec(text)?.[1]);
  expect(sampleOf('plimsoll_build_info{version="1.2.3"}')).toBe(1);
  expect(sampleOf("process_resident_memory_bytes")).toBeGreaterThan(1_000_000);
  expect(sampleOf("process_cpu_seconds_total")).toBeGreaterThan(0);
  expect(sampleOf('plimsoll_event_loop_delay_seconds{thread="main",quantile="1"}')).toBeGreaterThanOrEqual(0);
  expect(sampleOf('plimsoll_gc_pause_seconds_total{thread="main"}')).toBeGreaterThanOrEqual(0);
});
