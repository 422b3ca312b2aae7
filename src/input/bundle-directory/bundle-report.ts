// What is wrong with one bundle directory? Any error drops the bundle, and only the bundle.

import { type Finding, finding, type Report } from "../../model/finding.ts";
import { MAX_FINDINGS } from "../limits.ts";

/** Forwards the findings about one bundle, and records whether one of them is an error. */
export class BundleReport {
  readonly #report: Report;
  readonly #directory: string;
  #count = 0;
  #isSound: boolean;
  /** The bundle, as far as it is known. */
  about: Pick<Finding, "package" | "bundle"> = {};

  constructor(directory: string, isSound: boolean, report: Report) {
    this.#directory = directory;
    this.#isSound = isSound;
    this.#report = report;
  }

  /** Whether the bundle can be used. */
  get isSound(): boolean {
    return this.#isSound;
  }

  readonly report: Report = (item) => {
    const isError = item.severity === "error";
    if (isError) this.#isSound = false;
    this.#count++;
    if (this.#count > MAX_FINDINGS) return;
    const dropped = isError ? ({ dropped: "bundle" } as const) : {};
    const message = `much more is wrong with the bundle directory ${this.#directory}`;
    const shown = this.#count < MAX_FINDINGS ? item : finding(item.code, item.place, { message });
    this.#report({ ...this.about, ...shown, ...dropped });
  };
}
