// What does an operator need from another, and which others could provide it?

import { compareText } from "../../model/json.ts";
import type { AlsoMeeting, NeedingOperator } from "../../resolve/explain/who-needs.ts";
import { sentence } from "./constraint.ts";
import { byVersion, scopeName } from "./names.ts";

/** "the API Etcd (etcd.example.com/v1), and vault >=1.0.0". */
export function throughText({ through }: NeedingOperator): string {
  return [...new Set(through.map(sentence))].join(", and ");
}

/** "the cluster", "vault 1.2.0", "vault 1.2.0 in bridge"; each once. */
export function alsoMetTexts({ alsoMetBy }: NeedingOperator): readonly string[] {
  return [...new Set(alsoMetBy.map(meetingText))].sort(compareText);
}

function meetingText(one: AlsoMeeting): string {
  if (one.kind === "cluster") return "the cluster";
  return `${byVersion(one.operator)}${one.isElsewhere ? ` in ${scopeName(one.operator.namespace ?? "")}` : ""}`;
}
