// Who requests an operator, and what is requested? The requester is the command line, a ClusterExtension, a Subscription
// written by a user, or one that OLM generated for a dependency.

import { type ExtensionRef, isMadeByOlm, type RequestIdentity, type RequestRef } from "../../model/operator-ref.ts";
import { enumerated } from "../../text/words.ts";
import { packageText } from "./constraint.ts";

/** That a request asks for an operator: "you asked for it", "Subscription bridge/etcd asks for it". */
export function asksForIt(request: RequestIdentity): string {
  if (request.place === undefined) return "you asked for it";
  return isMadeByOlm(request)
    ? `the Subscription that OLM made for it (${request.id})`
    : `${objectText(request)} asks for it`;
}

/** The object that requests by its kind and name: "Subscription bridge/etcd", "ClusterExtension etcd". */
export function objectText({ id, extension }: Pick<RequestIdentity, "id" | "extension">): string {
  return `${extension === undefined ? "Subscription" : "ClusterExtension"} ${id}`;
}

/** A Subscription with Manual approval: nothing changes until it is approved. */
export function waitsText({ id }: RequestIdentity): string {
  return `Subscription ${id} requires approval (installPlanApproval: Manual)`;
}

/** A request by its name, or by what was asked for on the command line. */
export function requestName(request: RequestIdentity): string {
  if (request.place === undefined) return `your request for ${request.package}`;
  return isMadeByOlm(request) ? `the Subscription that OLM made for ${request.package}` : objectText(request);
}

/** A request in few words: its Subscription, or the package that was asked for on the command line. */
export function shortName({ id, package: owner, place }: RequestIdentity): string {
  return place === undefined ? owner : id;
}

/** The requester by its kind and name: "Subscription here/x"; on the command line by what is requested. */
export function requesterText(request: RequestRef): string {
  return request.place === undefined ? `the request for ${request.package}` : objectText(request);
}

/** What is requested: "x 1.2.0", "x >=1.0.0 in channel stable from catalog y". */
export function requestedText({ package: owner, range, channel, catalog, extension }: RequestRef): string {
  if (extension !== undefined) return extensionText(packageText(owner, range), extension);
  return [
    packageText(owner, range),
    ...(channel === undefined ? [] : [`in channel ${channel}`]),
    ...(catalog === undefined ? [] : [`from catalog ${catalog.name}`]),
  ].join(" ");
}

function extensionText(what: string, { versions, channels, catalogs }: ExtensionRef): string {
  return [
    what,
    ...(versions === undefined ? [] : [versions]),
    ...(channels.length === 0 ? [] : [`in ${channelsText(channels)}`]),
    ...(catalogs === undefined ? [] : [`from ${catalogsText(catalogs)}`]),
  ].join(" ");
}

/** "channel stable", "channels fast or stable". */
export function channelsText(channels: readonly string[]): string {
  return `${channels.length === 1 ? "channel" : "channels"} ${enumerated(channels, "or")}`;
}

/** "catalog a", "catalogs a or b": those that a selector matches. */
export function catalogsText(catalogs: readonly string[]): string {
  if (catalogs.length === 0) return "the catalogs that it selects, of which there is none";
  return `${catalogs.length === 1 ? "catalog" : "catalogs"} ${enumerated(catalogs, "or")}`;
}
