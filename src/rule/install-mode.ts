// Can an operator work for the namespaces that the OperatorGroup gives it?

import type { InstallMode } from "../model/installed-operator.ts";
import type { TargetNamespaces } from "../model/problem.ts";
import { type Rule, rule } from "./rule.ts";

/**
 * An operator supports the install modes that the OperatorGroup of its namespace needs (OLM checks it when it installs):
 * `¬bundle`. Where either is not known, nothing is forbidden.
 */
export function installModeRule(
  subject: string,
  installModes: readonly InstallMode[] | undefined,
  targets: TargetNamespaces | undefined,
  namespace: string,
): Rule | undefined {
  if (installModes === undefined || installModes.length === 0 || targets === undefined) return undefined;
  const supports = (type: string): boolean => installModes.some((mode) => mode.type === type && mode.supported);
  const missing = neededModes(targets, namespace).filter((type) => !supports(type));
  if (missing.length === 0) return undefined;
  const text = `${subject} does not support the install mode ${missing.join(" and ")}, which the OperatorGroup of ${namespace} needs`;
  return rule("install-mode", subject, text);
}

/** All namespaces; its own; one other; or several, its own perhaps among them. */
function neededModes({ all, names }: TargetNamespaces, namespace: string): readonly string[] {
  if (all) return ["AllNamespaces"];
  const own = names.includes(namespace) ? ["OwnNamespace"] : [];
  if (names.length > 1) return ["MultiNamespace", ...own];
  return names.length === 1 && own.length === 0 ? ["SingleNamespace"] : own;
}
