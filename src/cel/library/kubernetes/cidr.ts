// What can be asked of ranges of IP addresses?
import { sizeOf, traversalCost } from "../../cost/size.ts";
import {
  type ArgumentEstimate,
  type CallDetails,
  globalFunction,
  type Library,
  memberFunction,
  type Overload,
} from "../../library.ts";
import { BOOL, INT, STRING, typeOf } from "../../type.ts";
import { TypeValue } from "../../value/boxes.ts";
import { CelError, type Result, type Value } from "../../value/value.ts";
import { readOnce } from "../literal-argument.ts";
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
import { oncePerTenCharacters } from "./text-cost.ts";

function containsAddressText(range: AddressRange, text: string): Result {
  const address = parseAddress(text);
  return address instanceof CelError ? address : containsAddress(range, address);
}

function containsRangeText(range: AddressRange, text: string): Result {
  const other = parseRange(text);
  return other instanceof CelError ? other : containsRange(range, other);
}

/** Kubernetes counts the bytes of the network, twice for an address and once more for a range, and a text to read. */
function contains(what: "ip" | "cidr", text: boolean): CallDetails {
  const comparing = (bytes: number): number =>
    what === "ip" ? traversalCost(2 * bytes) : traversalCost(2 * bytes) + traversalCost(bytes) + 1;
  return {
    kubernetesCost: ([range, other], _result, running) =>
      comparing(sizeOf(range as Value, running)) + (text ? traversalCost(sizeOf(other as Value, running)) : 0),
    estimate: (args) => {
      const other = args[1] as ArgumentEstimate;
      const most = comparing(16) + (text ? traversalCost(other.size.max) : 0);
      return { cost: { min: Math.min(1, comparing(0)), max: most } };
    },
  };
}

/** What `string(cidr)` gives: an address, a slash and a number. */
const TEXT_SIZE: CallDetails = { estimate: () => ({ cost: { min: 1, max: 1 }, size: { min: 4, max: 43 } }) };

/** The functions of ranges; the libraries of Kubernetes and cel-go share all but the treatment of literals. */
export function cidrFunctions(prepare: NonNullable<CallDetails["prepare"]>): readonly Overload[] {
  return [
    globalFunction("cidr", "string_to_cidr", [STRING], CIDR, parseRange, { ...oncePerTenCharacters(0), prepare }),
    globalFunction(
      "isCIDR",
      "is_cidr",
      [STRING],
      BOOL,
      (text: string) => !(parseRange(text) instanceof CelError),
      oncePerTenCharacters(0),
    ),
    globalFunction("string", "cidr_to_string", [CIDR], STRING, String, TEXT_SIZE),
    memberFunction(
      "containsIP",
      "cidr_contains_ip_string",
      [CIDR, STRING],
      BOOL,
      containsAddressText,
      contains("ip", true),
    ),
    memberFunction("containsIP", "cidr_contains_ip_ip", [CIDR, IP], BOOL, containsAddress, contains("ip", false)),
    memberFunction(
      "containsCIDR",
      "cidr_contains_cidr_string",
      [CIDR, STRING],
      BOOL,
      containsRangeText,
      contains("cidr", true),
    ),
    memberFunction("containsCIDR", "cidr_contains_cidr", [CIDR, CIDR], BOOL, containsRange, contains("cidr", false)),
    memberFunction("ip", "cidr_ip", [CIDR], IP, ({ address }: AddressRange) => address),
    memberFunction("prefixLength", "cidr_prefix_length", [CIDR], INT, ({ prefixLength }: AddressRange) => prefixLength),
    memberFunction("masked", "cidr_masked", [CIDR], CIDR, masked),
  ];
}

/** Kubernetes' library of ranges of IP addresses. */
export const cidrLibrary: Library = {
  name: "kubernetes.net.cidr",
  functions: cidrFunctions(readOnce(parseRange)),
  constants: [{ name: "net.CIDR", type: typeOf(CIDR), value: new TypeValue("net.CIDR") }],
};
