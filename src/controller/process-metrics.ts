// What is measured of the process as a whole? Its version, what it costs, and how busy its main thread is, which all controllers share.

import { watchEventLoop } from "./event-loop.ts";
import { Metrics } from "./metrics.ts";
import { ThreadMetrics } from "./thread-metrics.ts";

export class ProcessMetrics {
  readonly #metrics = new Metrics();
  readonly #delays = watchEventLoop();
  readonly #threads = new ThreadMetrics(this.#metrics);
  readonly #memory = this.#metrics.gauge("process_resident_memory_bytes", "Memory of the process, all threads.");
  readonly #cpu = this.#metrics.counter(
    "process_cpu_seconds_total",
    "CPU time of the process, user and system, all threads.",
  );

  constructor(version: string) {
    this.#metrics
      .gauge("plimsoll_build_info", "1; the label is the version.", { labels: ["version"] })
      .set(1, { version });
  }

  /** All of them, in the text format of Prometheus. */
  text(): string {
    this.#threads.set("main", this.#delays());
    const { user, system } = process.cpuUsage();
    this.#cpu.raiseTo((user + system) / 1e6);
    this.#memory.set(process.memoryUsage.rss());
    return this.#metrics.render();
  }
}
