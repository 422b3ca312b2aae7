// Which functions does Kubernetes provide for IP addresses?
import { type CallDetails, globalFunction, type Library, memberFunction, type Overload } from "../../library.ts";
import { BOOL, INT, STRING } from "../../type.ts";
import { CelError, type Result } from "../../value/value.ts";
import { readOnce } from "../literal-argument.ts";
import { typeConstant } from "../standard/standard.ts";
import {
  IP,
  type IpAddress,
  isGlobalUnicast,
  isLinkLocalMulticast,
  isLinkLocalUnicast,
  isLoopback,
  isUnspecified,
  parseAddress,
} from "./address.ts";

function isCanonical(text: string): Result {
  const address = parseAddress(text);
  return address instanceof CelError ? address : String(address) === text;
}

/** What `string(ip)` gives: from :: to eight groups of four digits. */
const TEXT_SIZE: CallDetails = { estimate: () => ({ cost: { min: 1, max: 1 }, size: { min: 2, max: 39 } }) };

/** The functions of addresses; the libraries of Kubernetes and cel-go share all but the treatment of literals. */
export function ipFunctions(prepare: NonNullable<CallDetails["prepare"]>): readonly Overload[] {
  return [
    globalFunction("ip", "string_to_ip", [STRING], IP, parseAddress, { prepare }),
    globalFunction("isIP", "is_ip", [STRING], BOOL, (text: string) => !(parseAddress(text) instanceof CelError)),
    globalFunction("ip.isCanonical", "ip_is_canonical", [STRING], BOOL, isCanonical),
    globalFunction("string", "ip_to_string", [IP], STRING, String, TEXT_SIZE),
    memberFunction("family", "ip_family", [IP], INT, ({ family }: IpAddress) => family),
    memberFunction("isUnspecified", "ip_is_unspecified", [IP], BOOL, isUnspecified),
    memberFunction("isLoopback", "ip_is_loopback", [IP], BOOL, isLoopback),
    memberFunction("isLinkLocalMulticast", "ip_is_link_local_multicast", [IP], BOOL, isLinkLocalMulticast),
    memberFunction("isLinkLocalUnicast", "ip_is_link_local_unicast", [IP], BOOL, isLinkLocalUnicast),
    memberFunction("isGlobalUnicast", "ip_is_global_unicast", [IP], BOOL, isGlobalUnicast),
  ];
}

/** Kubernetes' library of IP addresses. */
export const ipLibrary: Library = {
  name: "kubernetes.net.ip",
  functions: ipFunctions(readOnce(parseAddress)),
  constants: [typeConstant(IP)],
};
