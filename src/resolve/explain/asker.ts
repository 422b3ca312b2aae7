// Who asks? You on the command line, a Subscription that somebody wrote, or one that OLM made for a dependency.

import type { Request } from "../../model/problem.ts";

/** That a request asks for an operator: "you asked for it", "Subscription bridge/etcd asks for it". */
export function asksForIt(request: Request): string {
  if (request.place === undefined) return "you asked for it";
  return isMadeByOlm(request)
    ? `the Subscription that OLM made for it (${request.id})`
    : `Subscription ${request.id} asks for it`;
}

/** That a Manual Subscription keeps everything as it is until somebody approves. */
export function waitsText({ id }: Request): string {
  return `Subscription ${id} asks for approval before anything changes`;
}

/** A request by its name, or by what was asked for on the command line. */
export function requestName(request: Request): string {
  if (request.place === undefined) return `your request for ${request.package}`;
  return isMadeByOlm(request) ? `the Subscription that OLM made for ${request.package}` : `Subscription ${request.id}`;
}

/** A request in few words: its Subscription, or the package that was asked for on the command line. */
export function shortName({ id, package: owner, place }: Request): string {
  return place === undefined ? owner : id;
}

/** Does it have the name that OLM gives the Subscription of a dependency? Nothing else tells them from others. */
export function isMadeByOlm({ name, package: owner, channel, catalog, place }: Request): boolean {
  if (place === undefined || channel === undefined || catalog === undefined) return false;
  const start = `${owner}-${channel}-${catalog.name}-`;
  return catalog.namespace === undefined ? name.startsWith(start) : name === `${start}${catalog.namespace}`;
}
