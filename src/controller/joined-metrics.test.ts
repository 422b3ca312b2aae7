import { expect, test } from "vitest";
import { joinedMetrics } from "./joined-metrics.ts";
import { Metrics } from "./metrics.ts";

/** What a controller measures. */
function measured(controller: string, depth: number): string {
  const metrics = new Metrics({ controller });
  metrics.gauge("depth", "Keys that wait.").set(depth);
  metrics.counter("writes_total", "Writes.", { labels: ["verb"] }).add(1, { verb: "# HELP depth of" });
  return metrics.render();
}

test("a metric of several texts has its help and type once, and its samples together", () => {
  const alone = new Metrics();
  alone.gauge("alone", "Only there.").set(1);
  expect(joinedMetrics([alone.render(), measured("a", 1), measured("b", 2)])).toBe(`# HELP alone Only there.
# TYPE alone gauge
alone 1
# HELP depth Keys that wait.
# TYPE depth gauge
depth{controller="a"} 1
depth{controller="b"} 2
# HELP writes_total Writes.
# TYPE writes_total counter
writes_total{controller="a",verb="# HELP depth of"} 1
writes_total{controller="b",verb="# HELP depth of"} 1
`);
});

test("so does one that occurs twice in a text", () => {
  const joined = joinedMetrics([measured("a", 1) + measured("b", 2)]);
  expect(joined).toBe(joinedMetrics([measured("a", 1), measured("b", 2)]));
  // What is joined can be joined again.
  expect(joinedMetrics([joined])).toBe(joined);
});

test("nothing becomes nothing", () => {
  expect(joinedMetrics(["", new Metrics().render()])).toBe("");
});
