// What does a person do about ClusterExtensions in a step? OLM v1 installs the version that a ClusterExtension names, so
// that each is set to exactly one; one that does not exist has to be created.

import { canonicalText, type JsonObject } from "../../model/json.ts";
import type { Problem, Request } from "../../model/problem.ts";
import { stateAfter } from "../../resolve/state-after.ts";
import { printVersion } from "../../semver/version.ts";
import type { Action } from "../plan.ts";
import { type Arrival, isPlain, type StagedAction } from "./bundle-actions.ts";

/** The actions that install the bundles of a step. The problem is the one before. */
export function extensionActions(arrivals: readonly Arrival[], problem: Problem): readonly StagedAction[] {
  const { requests } = stateAfter(
    problem,
    arrivals.map(({ change }) => change),
  );
  const before = new Map(problem.requests.map((one) => [one.id, one]));
  return arrivals.flatMap(({ to: { bundle } }) => {
    const claiming = requests.filter(
      ({ id, installed }) => installed === bundle.name && before.get(id)?.installed !== bundle.name,
    );
    const version = printVersion(bundle.version);
    const about = { kind: "ClusterExtension", bundle: bundle.name } as const;
    const detail = { kind: "extension", package: bundle.package, version } as const;
    const declared = claiming.filter(({ place }) => place !== undefined);
    const isCreated = claiming.some(({ id }) => before.get(id)?.isPlanned);
    const actions: readonly Action[] =
      declared.length > 0
        ? declared.map((one) => ({ ...about, ...pinning(one, version), detail }))
        : isCreated
          ? [
              {
                ...about,
                verb: "patch",
                name: bundle.package,
                detail: { ...detail, isCreated },
                manifest: pin(version),
              },
            ]
          : [{ ...about, verb: "create", name: bundle.package, detail }];
    return actions.map((action): StagedAction => ({ stage: "operators", action }));
  });
}

function pinning({ name }: Request, version: string): Pick<Action, "verb" | "name" | "manifest" | "command"> {
  const command = pinCommand(name, version);
  return { verb: "patch", name, manifest: pin(version), ...(command !== undefined && { command }) };
}

/** The patch that sets the only version that OLM v1 may install. */
function pin(version: string): JsonObject {
  return { spec: { source: { catalog: { version } } } };
}

/** Sets the version of a ClusterExtension. */
export function pinCommand(name: string, version: string): string | undefined {
  if (!isPlain(name) || !/^[-+.0-9A-Za-z]{1,253}$/.test(version)) return undefined;
  return `kubectl patch clusterextensions.olm.operatorframework.io ${name} --type=merge -p '${canonicalText(pin(version))}'`;
}
