// Who requests an operator, and what is requested? The requester is the command line, a Subscription written by a user, or
// one that OLM generated for a dependency.

import { isMadeByOlm, type RequestIdentity, type RequestRef } from "../../model/operator-ref.ts";
import { packageText } from "./constraint.ts";

/** That a request asks for an operator: "you asked for it", "Subscription bridge/etcd asks for it". */
export function asksForIt(request: RequestIdentity): string {
  if (request.place === undefined) return "you asked for it";
  return isMadeByOlm(request)
    ? `the Subscription that OLM made for it (${request.id})`
    : `Subscription ${request.id} asks for it`;
}

/** A Subscription with Manual approval: nothing changes until it is approved. */
export function waitsText({ id }: RequestIdentity): string {
  return `Subscription ${id} requires approval (installPlanApproval: Manual)`;
}

/** A request by its name, or by what was asked for on the command line. */
export function requestName(request: RequestIdentity): string {
  if (request.place === undefined) return `your request for ${request.package}`;
  return isMadeByOlm(request) ? `the Subscription that OLM made for ${request.package}` : `Subscription ${request.id}`;
}

/** A request in few words: its Subscription, or the package that was asked for on the command line. */
export function shortName({ id, package: owner, place }: RequestIdentity): string {
  return place === undefined ? owner : id;
}

/** The requester by its kind and name: "Subscription here/x"; on the command line by what is requested. */
export function requesterText({ id, place, package: owner }: RequestRef): string {
  return place === undefined ? `the request for ${owner}` : `Subscription ${id}`;
}

/** What is requested: "x 1.2.0", "x >=1.0.0 in channel stable from catalog y". */
export function requestedText({ package: owner, range, channel, catalog }: RequestRef): string {
  return [
    packageText(owner, range),
    ...(channel === undefined ? [] : [`in channel ${channel}`]),
    ...(catalog === undefined ? [] : [`from catalog ${catalog.name}`]),
  ].join(" ");
}
