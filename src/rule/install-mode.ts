// Can an operator watch the target namespaces of the OperatorGroup?

import type { TargetNamespaces } from "../model/problem.ts";
import type { UnaryRule } from "./shape/unary-rule.ts";

/** The install modes that are needed and not supported. */
export interface InstallModeDetail {
  readonly rule: "install-mode";
  readonly missing: readonly string[];
  /** The namespace of the OperatorGroup. */
  readonly namespace: string;
}

/**
 * An operator supports the install modes that the OperatorGroup of its namespace needs (OLM checks it when it
 * installs): `¬bundle`. If either is unknown, nothing is excluded.
 */
export const installMode: UnaryRule = {
  name: "install-mode",
  bindsRunning: true,
  refusal: ({ facts: { installModes } }, { targets, namespace }) => {
    if (installModes === undefined || installModes.length === 0 || targets === undefined) return undefined;
    const supports = (type: string): boolean => installModes.some((mode) => mode.type === type && mode.supported);
    const missing = neededModes(targets, namespace).filter((type) => !supports(type));
    return missing.length === 0 ? undefined : { detail: { rule: "install-mode", missing, namespace } };
  },
};

/** All namespaces; its own; one other; or several, possibly including its own. */
function neededModes({ all, names }: TargetNamespaces, namespace: string): readonly string[] {
  if (all) return ["AllNamespaces"];
  const own = names.includes(namespace) ? ["OwnNamespace"] : [];
  if (names.length > 1) return ["MultiNamespace", ...own];
  return names.length === 1 && own.length === 0 ? ["SingleNamespace"] : own;
}
