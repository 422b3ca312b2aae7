// What did the API server do, and for whom? Its audit log: every request that changes something, with its user, its content and the
// answer. No proxy can miss a request that is in it.

import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isList, isObject, type JsonObject, partOf } from "../../../src/model/json.ts";

/** A request that changes something, or would have done so. */
export interface AuditedWrite {
  /** Its name; the name of the pod if it has the token of one. */
  readonly user: string;
  readonly verb: string;
  /** With the namespace, the name and the subresource. */
  readonly path: string;
  /** The status of the answer. */
  readonly code: number;
  readonly body: JsonObject;
  /** When the request came and when it was answered, in milliseconds since 1970. */
  readonly receivedAt: number;
  readonly answeredAt: number;
}

/** The audit log of one API server. */
export interface AuditLog {
  /** Flags of kube-apiserver. */
  readonly flags: readonly string[];
  /** Everything until now, in the order of the answers; from a number of requests on. */
  writes(from?: number): readonly AuditedWrite[];
}

const POLICY = {
  apiVersion: "audit.k8s.io/v1",
  kind: "Policy",
  omitStages: ["RequestReceived"],
  rules: [{ level: "Request", verbs: ["create", "update", "patch", "delete", "deletecollection"] }, { level: "None" }],
};

/** An audit log for an API server that is not started yet. */
export function auditLog(): AuditLog {
  const folder = mkdtempSync(join(tmpdir(), "plimsoll-audit-"));
  const policy = join(folder, "policy.json");
  const log = join(folder, "audit.log");
  writeFileSync(policy, JSON.stringify(POLICY));
  writeFileSync(log, "");
  return {
    flags: [`--audit-policy-file=${policy}`, `--audit-log-path=${log}`],
    writes: (from = 0) =>
      readFileSync(log, "utf8")
        .split("\n")
        .filter((line) => line.endsWith("}"))
        .slice(from)
        .map((line) => auditedWrite(JSON.parse(line) as JsonObject)),
  };
}

function auditedWrite(event: JsonObject): AuditedWrite {
  const { verb, requestURI, requestObject, requestReceivedTimestamp, stageTimestamp } = event;
  return {
    user: userOf(partOf(event, "user")),
    verb: `${verb}`,
    path: `${requestURI}`,
    code: Number(partOf(event, "responseStatus").code),
    body: isObject(requestObject) ? requestObject : {},
    receivedAt: Date.parse(`${requestReceivedTimestamp}`),
    answeredAt: Date.parse(`${stageTimestamp}`),
  };
}

function userOf(user: JsonObject): string {
  const pods = partOf(user, "extra")["authentication.kubernetes.io/pod-name"];
  return `${isList(pods) ? pods[0] : user.username}`;
}

const LEASE = /\/leases(?:\/|$)/;
/** Reviews of tokens and rights, which change nothing. */
export const REVIEW: RegExp = /\/(?:token|subjectaccess|selfsubjectaccess)reviews$/;

/** Is it a change of the Lease? */
export function isLease({ path }: AuditedWrite): boolean {
  return LEASE.test(path);
}

/** Is it about a Kubernetes event, which is news and no state? */
export function isEvent({ path }: Pick<AuditedWrite, "path">): boolean {
  return path.startsWith("/apis/events.k8s.io/");
}

/** Does it change an object of the hub? The Lease and reviews do not. */
export function isChange(write: AuditedWrite): boolean {
  return !isLease(write) && !REVIEW.test(write.path);
}

/** Was it carried out? */
export function isDone({ code }: AuditedWrite): boolean {
  return code < 300;
}

/** Would it be refused if it were about another version of the object, or about another object of the name? Nothing has to be of a create. */
export function hasVersion({ verb, body }: AuditedWrite): boolean {
  if (verb === "create") return true;
  const { uid, resourceVersion } = partOf(body, verb === "delete" ? "preconditions" : "metadata");
  return typeof uid === "string" && typeof resourceVersion === "string";
}

/** How much of the content of a write a message shows. */
const SHOWN = 200;

/** A write in one line, for messages. */
export function writeText({ user, verb, path, code, body }: AuditedWrite): string {
  return `${user} ${verb} ${path.replace(/^.*\/namespaces\//, "")} ${code} ${JSON.stringify(body).slice(0, SHOWN)}`;
}
