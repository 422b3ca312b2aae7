// Which functions does Kubernetes provide for ranges of IP addresses?
import { type CallDetails, globalFunction, type Library, memberFunction, type Overload } from "../../library.ts";
import { BOOL, INT, STRING } from "../../type.ts";
import { CelError, type Result } from "../../value/value.ts";
import { readOnce } from "../literal-argument.ts";
import { typeConstant } from "../standard/standard.ts";
import {
  type AddressRange,
  CIDR,
  containsAddress,
  containsRange,
  IP,
  masked,
  parseAddress,
  parseRange,
} from "./address.ts";

function containsAddressText(range: AddressRange, text: string): Result {
  const address = parseAddress(text);
  return address instanceof CelError ? address : containsAddress(range, address);
}

function containsRangeText(range: AddressRange, text: string): Result {
  const other = parseRange(text);
  return other instanceof CelError ? other : containsRange(range, other);
}

/** What `string(cidr)` gives: an address, a slash and a number. */
const TEXT_SIZE: CallDetails = { estimate: () => ({ cost: { min: 1, max: 1 }, size: { min: 4, max: 43 } }) };

/** The functions of ranges; the libraries of Kubernetes and cel-go share all but the treatment of literals. */
export function cidrFunctions(prepare: NonNullable<CallDetails["prepare"]>): readonly Overload[] {
  return [
    globalFunction("cidr", "string_to_cidr", [STRING], CIDR, parseRange, { prepare }),
    globalFunction("isCIDR", "is_cidr", [STRING], BOOL, (text: string) => !(parseRange(text) instanceof CelError)),
    globalFunction("string", "cidr_to_string", [CIDR], STRING, String, TEXT_SIZE),
    memberFunction("containsIP", "cidr_contains_ip_string", [CIDR, STRING], BOOL, containsAddressText),
    memberFunction("containsIP", "cidr_contains_ip_ip", [CIDR, IP], BOOL, containsAddress),
    memberFunction("containsCIDR", "cidr_contains_cidr_string", [CIDR, STRING], BOOL, containsRangeText),
    memberFunction("containsCIDR", "cidr_contains_cidr", [CIDR, CIDR], BOOL, containsRange),
    memberFunction("ip", "cidr_ip", [CIDR], IP, ({ address }: AddressRange) => address),
    memberFunction("prefixLength", "cidr_prefix_length", [CIDR], INT, ({ prefixLength }: AddressRange) => prefixLength),
    memberFunction("masked", "cidr_masked", [CIDR], CIDR, masked),
  ];
}

/** Kubernetes' library of ranges of IP addresses. */
export const cidrLibrary: Library = {
  name: "kubernetes.net.cidr",
  functions: cidrFunctions(readOnce(parseRange)),
  constants: [typeConstant(CIDR)],
};
