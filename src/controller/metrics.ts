// What is measured? Counters, gauges and histograms, in Prometheus's text format 0.0.4. However hostile the label values are, a metric has a
// bounded number of time series.

/** The content type of {@link Metrics.render}. */
export const METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8";

/** The values of a metric's labels: an argument only if it has labels. */
type Labels<Label extends string> = [Label] extends [never] ? [] : [labels: Readonly<Record<Label, string>>];

export interface Counter<Label extends string> {
  add(amount: number, ...labels: Labels<Label>): void;
  /** Takes a total that is counted elsewhere. */
  raiseTo(total: number, ...labels: Labels<Label>): void;
}

export interface Gauge<Label extends string> {
  set(value: number, ...labels: Labels<Label>): void;
  /** Forgets all time series: those of what is gone. */
  clear(): void;
}

export interface Histogram<Label extends string> {
  observe(value: number, ...labels: Labels<Label>): void;
}

interface MetricOptions<Label extends string> {
  readonly labels?: readonly Label[];
  /** The maximum number of label combinations. Further ones are counted together, with `other` as the value of each label. */
  readonly maxSeries?: number;
}

interface HistogramOptions<Label extends string> extends MetricOptions<Label> {
  /** The upper bounds, in rising order; that of +Inf is added. */
  readonly buckets: readonly number[];
}

/** One metric, as it is rendered. */
interface Family {
  readonly type: "counter" | "gauge" | "histogram";
  readonly help: string;
  readonly samples: () => Iterable<string>;
}

const MAX_SERIES = 200;
const MAX_LABEL_VALUE = 128;
const METRIC_NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
/** Names that begin with two underscores are Prometheus's own. */
const LABEL_NAME = /^(?!__)[a-zA-Z_][a-zA-Z0-9_]*$/;

export class Metrics {
  readonly #common: Readonly<Record<string, string>>;
  readonly #families = new Map<string, Family>();

  /** `common`: labels that every time series has, before its own. */
  constructor(common: Readonly<Record<string, string>> = {}) {
    this.#common = common;
  }

  /** Something that only grows. Its name ends with `_total`. */
  counter<const Label extends string = never>(
    name: string,
    help: string,
    options: MetricOptions<Label> = {},
  ): Counter<Label> {
    if (!name.endsWith("_total")) throw new RangeError(`the name of the counter ${name} must end with _total`);
    const series = this.#numbers("counter", name, help, options);
    return {
      add(amount, ...labels) {
        if (!(amount >= 0)) throw new RangeError(`the counter ${name} cannot be changed by ${amount}`);
        series.of(labels).value += amount;
      },
      raiseTo(total, ...labels) {
        const one = series.of(labels);
        one.value = Math.max(one.value, total);
      },
    };
  }

  /** Something that goes up and down. */
  gauge<const Label extends string = never>(
    name: string,
    help: string,
    options: MetricOptions<Label> = {},
  ): Gauge<Label> {
    const series = this.#numbers("gauge", name, help, options);
    return {
      set(value, ...labels) {
        series.of(labels).value = value;
      },
      clear: () => series.clear(),
    };
  }

  /** How often values up to certain bounds occur, such as durations in seconds. */
  histogram<const Label extends string = never>(
    name: string,
    help: string,
    options: HistogramOptions<Label>,
  ): Histogram<Label> {
    const { buckets } = options;
    const isRising = buckets.every((bound, index) => bound > (buckets[index - 1] ?? Number.NEGATIVE_INFINITY));
    if (!isRising || buckets.includes(Number.POSITIVE_INFINITY))
      throw new RangeError(`the buckets of ${name} must be finite and rising`);
    const series = new SeriesSet(name, this.#common, options, () => new Distribution(buckets));
    this.#add(name, { type: "histogram", help, samples: () => series.lines((one, pairs) => one.lines(name, pairs)) });
    return { observe: (value, ...labels) => series.of(labels).observe(value) };
  }

  render(): string {
    const lines: string[] = [];
    for (const [name, { type, help, samples }] of this.#families)
      lines.push(`# HELP ${name} ${escapedHelp(help)}`, `# TYPE ${name} ${type}`, ...samples());
    return lines.map((line) => `${line}\n`).join("");
  }

  #numbers(
    type: "counter" | "gauge",
    name: string,
    help: string,
    options: MetricOptions<string>,
  ): SeriesSet<{ value: number }> {
    const series = new SeriesSet(name, this.#common, options, () => ({ value: 0 }));
    const samples = () => series.lines(({ value }, pairs) => [`${name}${labelText(pairs)} ${numberText(value)}`]);
    this.#add(name, { type, help, samples });
    return series;
  }

  #add(name: string, family: Family): void {
    if (!METRIC_NAME.test(name)) throw new RangeError(`${JSON.stringify(name)} is not the name of a metric`);
    if (this.#families.has(name)) throw new RangeError(`there are two metrics ${name}`);
    this.#families.set(name, family);
  }
}

type LabelPairs = readonly (readonly [label: string, value: string])[];

/** The time series of one metric: one for each combination of label values, up to a limit. */
class SeriesSet<Value> {
  readonly #common: LabelPairs;
  readonly #labels: readonly string[];
  readonly #max: number;
  readonly #begin: () => Value;
  readonly #series = new Map<string, { readonly pairs: LabelPairs; readonly value: Value }>();

  constructor(
    name: string,
    common: Readonly<Record<string, string>>,
    { labels = [], maxSeries = MAX_SERIES }: MetricOptions<string>,
    begin: () => Value,
  ) {
    for (const label of [...Object.keys(common), ...labels])
      if (!LABEL_NAME.test(label) || label === "le")
        throw new RangeError(`${JSON.stringify(label)} is not a label of the metric ${name}`);
    for (const label of labels)
      if (Object.hasOwn(common, label)) throw new RangeError(`the metric ${name} has two labels ${label}`);
    this.#common = Object.entries(common);
    this.#labels = labels;
    this.#max = maxSeries;
    this.#begin = begin;
    // A metric without labels has a value from the beginning: Prometheus cannot see an increase from nothing to 1.
    if (labels.length === 0) this.#of([]);
  }

  clear(): void {
    this.#series.clear();
  }

  of([labels]: readonly Readonly<Record<string, string>>[]): Value {
    const values = this.#labels.map((label) => (labels?.[label] ?? "").slice(0, MAX_LABEL_VALUE));
    const isKnown = this.#series.size < this.#max || this.#series.has(JSON.stringify(values));
    return this.#of(isKnown ? values : values.map(() => "other"));
  }

  *lines(write: (value: Value, pairs: LabelPairs) => Iterable<string>): Iterable<string> {
    for (const { pairs, value } of this.#series.values()) yield* write(value, pairs);
  }

  #of(values: readonly string[]): Value {
    const key = JSON.stringify(values);
    const known = this.#series.get(key);
    if (known !== undefined) return known.value;
    const own = this.#labels.map((label, index) => [label, values[index] as string] as const);
    const pairs = [...this.#common, ...own];
    const value = this.#begin();
    this.#series.set(key, { pairs, value });
    return value;
  }
}

/** One time series of a histogram. */
class Distribution {
  readonly #bounds: readonly number[];
  /** Values in each bucket, and not in a smaller one. */
  readonly #counts: number[];
  #sum = 0;

  constructor(bounds: readonly number[]) {
    this.#bounds = [...bounds, Number.POSITIVE_INFINITY];
    this.#counts = this.#bounds.map(() => 0);
  }

  observe(value: number): void {
    const index = this.#bounds.findIndex((bound) => value <= bound);
    // Only NaN is in none.
    if (index === -1) return;
    this.#counts[index] = (this.#counts[index] as number) + 1;
    this.#sum += value;
  }

  *lines(name: string, pairs: LabelPairs): Iterable<string> {
    let count = 0;
    for (const [index, bound] of this.#bounds.entries()) {
      count += this.#counts[index] as number;
      yield `${name}_bucket${labelText([...pairs, ["le", numberText(bound)]])} ${count}`;
    }
    yield `${name}_sum${labelText(pairs)} ${numberText(this.#sum)}`;
    yield `${name}_count${labelText(pairs)} ${count}`;
  }
}

function labelText(pairs: LabelPairs): string {
  return pairs.length === 0 ? "" : `{${pairs.map(([label, value]) => `${label}="${escapedValue(value)}"`).join(",")}}`;
}

function escapedValue(value: string): string {
  return escapedHelp(value).replaceAll('"', '\\"');
}

function escapedHelp(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n");
}

function numberText(value: number): string {
  if (Number.isFinite(value) || Number.isNaN(value)) return String(value);
  return value > 0 ? "+Inf" : "-Inf";
}
