import { describe, expect, test } from "vitest";
import { Metrics } from "./metrics.ts";

describe("the text format", () => {
  test("has counters, gauges and histograms with their labels", () => {
    const metrics = new Metrics();
    const writes = metrics.counter("writes_total", "Writes by verb.", { labels: ["verb", "result"] });
    const depth = metrics.gauge("depth", "Keys that wait.");
    const duration = metrics.histogram("duration_seconds", "How long.", { labels: ["verb"], buckets: [0.1, 1] });
    const starts = metrics.counter("starts_total", "Starts.");
    writes.add(1, { verb: "patch", result: "ok" });
    writes.add(2, { result: "ok", verb: "patch" });
    writes.add(0.5, { verb: "delete", result: "conflict" });
    depth.set(7);
    depth.set(-3);
    starts.add(1);
    for (const value of [0.05, 0.1, 0.5, 100]) duration.observe(value, { verb: "patch" });
    expect(metrics.render()).toBe(`# HELP writes_total Writes by verb.
# TYPE writes_total counter
writes_total{verb="patch",result="ok"} 3
writes_total{verb="delete",result="conflict"} 0.5
# HELP depth Keys that wait.
# TYPE depth gauge
depth -3
# HELP duration_seconds How long.
# TYPE duration_seconds histogram
duration_seconds_bucket{verb="patch",le="0.1"} 2
duration_seconds_bucket{verb="patch",le="1"} 3
duration_seconds_bucket{verb="patch",le="+Inf"} 4
duration_seconds_sum{verb="patch"} 100.65
duration_seconds_count{verb="patch"} 4
# HELP starts_total Starts.
# TYPE starts_total counter
starts_total 1
`);
  });

  test("has a value of a metric without labels from the beginning, and none of one with labels", () => {
    const metrics = new Metrics();
    metrics.counter("a_total", "A.");
    metrics.counter("b_total", "B.", { labels: ["x"] });
    metrics.histogram("c", "C.", { buckets: [1] });
    expect(
      metrics
        .render()
        .split("\n")
        .filter((line) => !line.startsWith("#")),
    ).toEqual(["a_total 0", 'c_bucket{le="1"} 0', 'c_bucket{le="+Inf"} 0', "c_sum 0", "c_count 0", ""]);
  });

  test("escapes help and label values, so that no value begins a line", () => {
    const metrics = new Metrics();
    metrics.gauge("a", 'back\\slash\nsecond "line"', { labels: ["x"] }).set(1, { x: 'q"uote\nline\\n' });
    expect(metrics.render()).toBe(
      '# HELP a back\\\\slash\\nsecond "line"\n# TYPE a gauge\na{x="q\\"uote\\nline\\\\n"} 1\n',
    );
  });

  test("has numbers as Prometheus writes them", () => {
    const metrics = new Metrics();
    const a = metrics.gauge("a", "A.", { labels: ["x"] });
    const values = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NaN, 1e21, 1.5e-7];
    for (const [index, value] of values.entries()) a.set(value, { x: String(index) });
    expect(metrics.render().match(/ \S+$/gm)?.slice(2)).toEqual([" +Inf", " -Inf", " NaN", " 1e+21", " 1.5e-7"]);
  });
});

test("labels of all time series come before their own", () => {
  const metrics = new Metrics({ controller: 'a"b' });
  metrics.gauge("a", "A.");
  metrics.histogram("b", "B.", { labels: ["x"], buckets: [1] }).observe(2, { x: "y" });
  expect(metrics.render().match(/^[ab].*/gm)).toEqual([
    'a{controller="a\\"b"} 0',
    'b_bucket{controller="a\\"b",x="y",le="1"} 0',
    'b_bucket{controller="a\\"b",x="y",le="+Inf"} 1',
    'b_sum{controller="a\\"b",x="y"} 2',
    'b_count{controller="a\\"b",x="y"} 1',
  ]);
  expect(() => metrics.gauge("c", "C.", { labels: ["controller"] })).toThrow("two labels controller");
  expect(() => new Metrics({ le: "1" }).gauge("d", "D.")).toThrow("is not a label");
});

describe("the number of time series", () => {
  test("is bounded: further label values are counted together", () => {
    const metrics = new Metrics();
    const a = metrics.counter("a_total", "A.", { labels: ["x", "y"] });
    for (let count = 0; count < 1000; count++) a.add(1, { x: String(count), y: "y" });
    a.add(5, { x: "0", y: "y" });
    const lines = metrics.render().trimEnd().split("\n").slice(2);
    expect(lines).toHaveLength(201);
    expect([lines[0], lines.at(-1)]).toEqual(['a_total{x="0",y="y"} 6', 'a_total{x="other",y="other"} 800']);
  });

  test("can have another bound", () => {
    const metrics = new Metrics();
    const a = metrics.histogram("a", "A.", { labels: ["x"], buckets: [1], maxSeries: 2 });
    for (const x of ["p", "q", "r", "s"]) a.observe(0, { x });
    expect(metrics.render().match(/a_count.*/g)).toEqual([
      'a_count{x="p"} 1',
      'a_count{x="q"} 1',
      'a_count{x="other"} 2',
    ]);
  });

  test("long values are cut", () => {
    const metrics = new Metrics();
    metrics.gauge("a", "A.", { labels: ["x"] }).set(1, { x: "x".repeat(10_000) });
    expect(metrics.render()).toContain(`a{x="${"x".repeat(128)}"} 1`);
  });
});

describe("mistakes", () => {
  test.for(["", "1a", "a-b", 'a{x="1"}', "ä", "a\nb"])("the name %j is refused", (name) => {
    expect(() => new Metrics().gauge(name, "A.")).toThrow("is not the name of a metric");
  });

  test.for(["", "a:b", "__name__", "le", "a-b"])("the label %j is refused", (label) => {
    expect(() => new Metrics().gauge("a", "A.", { labels: [label] })).toThrow("is not a label");
  });

  test("two metrics of one name, a counter that is not named as one, buckets that do not rise", () => {
    const metrics = new Metrics();
    metrics.gauge("a", "A.");
    expect(() => metrics.gauge("a", "A.")).toThrow("two metrics a");
    expect(() => metrics.counter("b", "B.")).toThrow("_total");
    for (const buckets of [[1, 1], [2, 1], [Number.NaN], [1, Number.POSITIVE_INFINITY]])
      expect(() => metrics.histogram("c", "C.", { buckets })).toThrow("rising");
  });

  test("a counter does not fall, and a histogram ignores what is not a number", () => {
    const metrics = new Metrics();
    const a = metrics.counter("a_total", "A.");
    for (const amount of [-1, Number.NaN]) expect(() => a.add(amount)).toThrow("cannot be changed by");
    metrics.histogram("b", "B.", { buckets: [1] }).observe(Number.NaN);
    expect(metrics.render()).toContain("a_total 0\n");
    expect(metrics.render()).toContain("b_sum 0\nb_count 0\n");
  });
});

test("a counter takes a total that is counted elsewhere", () => {
  const metrics = new Metrics();
  const counter = metrics.counter("seconds_total", "Seconds.");
  counter.raiseTo(2.5);
  counter.raiseTo(2);
  expect(metrics.render()).toContain("\nseconds_total 2.5\n");
});
