// What do consumers see that read PlacementDecisions with OCM's own SDK? A process with an informer and the SDK's tracker; it
// reports at every event.

import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { writeKubeconfig } from "../kubeconfig.ts";
import { Processes } from "../processes.ts";
import type { Hub } from "./hub.ts";

/** A decision group as the tracker gives it. Names of clusters are sorted. */
export interface ReportedGroup {
  readonly name: string;
  readonly index: number;
  /** Among all groups. */
  readonly clusters: readonly string[];
  /** Of this index. */
  readonly byIndex: readonly string[];
  /** Of all groups with this name; none if it is empty. */
  readonly byName: readonly string[];
  /** Of all groups besides this one. */
  readonly besides: readonly string[];
}

/** What the tracker says at one moment. */
export interface DecisionReport {
  /** Since the last report; in the first one, compared with `existing`. */
  readonly added: readonly string[];
  readonly deleted: readonly string[];
  readonly groups: readonly ReportedGroup[];
}

/** Of which Placement a consumer reads the decisions. */
export interface ConsumerOptions {
  readonly namespace: string;
  readonly placement: string;
  /** The clusters that it knows already. */
  readonly existing?: readonly string[];
}

/** A consumer, while it runs. */
export interface OcmConsumer {
  /** Waits until it sees just these groups; returns the reports since the last time. */
  sees(groups: readonly ReportedGroup[]): Promise<readonly DecisionReport[]>;
  stop(): Promise<void>;
}

const NAME = "decisions";

/** Starts a consumer with the rights of the administrator. */
export function startOcmConsumer(hub: Hub, { namespace, placement, existing = [] }: ConsumerOptions): OcmConsumer {
  const folder = mkdtempSync(join(tmpdir(), "plimsoll-consumer-"));
  const processes = new Processes(folder);
  const user = { token: hub.tokens.admin as string };
  const kubeconfig = writeKubeconfig(folder, { server: hub.server, name: "consumer", user });
  // Set wherever these tests run, see the configuration of vitest.
  const path = join(process.env.PLIMSOLL_E2E_OCM as string, NAME);
  const flags = { kubeconfig, namespace, placement, existing: existing.join(",") };
  processes.start({ name: NAME, path, flags: Object.entries(flags).map(([flag, value]) => `--${flag}=${value}`) });
  let seen = 0;
  return {
    async sees(groups) {
      let reports: readonly DecisionReport[] = [];
      await processes.until(`the groups are ${JSON.stringify(groups.map(sizeOf))}`, async () => {
        reports = reportsOf(processes.output(NAME));
        return isDeepStrictEqual(reports.at(-1)?.groups, groups);
      });
      const since = reports.slice(seen);
      seen = reports.length;
      return since;
    },
    stop: () => processes.endAll(),
  };
}

function sizeOf({ index, name, clusters }: ReportedGroup): string {
  return `${index} ${name}: ${clusters.length}`;
}

/** The complete lines of JSON; its informer may log lines of text. */
function reportsOf(output: string): readonly DecisionReport[] {
  const lines = output.split("\n").slice(0, -1);
  return lines.filter((line) => line.startsWith("{")).map((line) => JSON.parse(line) as DecisionReport);
}
