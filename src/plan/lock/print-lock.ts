// How is a lock serialised? src/input/read-lock.ts reads it.

import { given, type JsonObject, printJson } from "../../model/json.ts";
import type { Lock, LockedPlan } from "../../model/lock.ts";
import { CLUSTER_SCOPE } from "../../model/problem.ts";

/** The text of a lock file. */
export function printLock({ engine, plans }: Lock): string {
  return `${printJson({
    apiVersion: "plimsoll.dev/v1alpha1",
    kind: "Lock",
    engine,
    plans: plans.map(planJson),
  })}\n`;
}

function planJson({ namespace, inputs, packages, bundles, generations, end }: LockedPlan): JsonObject {
  return {
    ...(namespace === CLUSTER_SCOPE ? { scope: "cluster" } : { namespace }),
    inputs: inputs.map(({ kind, subject, value, digest }) => given({ kind, subject, value, digest })),
    packages: packages.map(({ catalog, package: name, digest, bundles: names }) => ({
      catalog,
      package: name,
      digest,
      bundles: names,
    })),
    bundles: bundles.map(({ catalog, package: owner, name, channel, digest }) => ({
      catalog,
      package: owner,
      name,
      channel,
      digest,
    })),
    generations: generations.map(({ steps }) => ({
      steps: steps.map((changes) => ({
        changes: changes.map(({ package: owner, from, alsoFrom, to, catalog, channel, subscriptions }) =>
          given({
            package: owner,
            from: from ?? null,
            alsoFrom: alsoFrom.length === 0 ? undefined : alsoFrom,
            to: to ?? null,
            catalog,
            channel,
            subscriptions: subscriptions.length === 0 ? undefined : subscriptions,
          }),
        ),
      })),
    })),
    end,
  };
}
