// Who asks? You on the command line, a Subscription that somebody wrote, or one that OLM made for a dependency.

import { isMadeByOlm, type RequestIdentity } from "../../model/operator-ref.ts";

/** That a request asks for an operator: "you asked for it", "Subscription bridge/etcd asks for it". */
export function asksForIt(request: RequestIdentity): string {
  if (request.place === undefined) return "you asked for it";
  return isMadeByOlm(request)
    ? `the Subscription that OLM made for it (${request.id})`
    : `Subscription ${request.id} asks for it`;
}

/** That a Manual Subscription keeps everything as it is until somebody approves. */
export function waitsText({ id }: RequestIdentity): string {
  return `Subscription ${id} asks for approval before anything changes`;
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
