// What does cel-go's own library of network addresses have beyond Kubernetes'?
//
// The same types, functions and overloads, so that the two cannot be in one environment; `isMask`; and the
// checker reports a literal that is not an address.
import { type Library, memberFunction } from "../../library.ts";
import { BOOL, typeOf } from "../../type.ts";
import { TypeValue } from "../../value/boxes.ts";
import { type AddressRange, CIDR, IP, masked, parseAddress, parseRange } from "../kubernetes/address.ts";
import { cidrFunctions } from "../kubernetes/cidr.ts";
import { ipFunctions } from "../kubernetes/ip.ts";
import { checkOnce } from "../literal-argument.ts";

/** cel-go's library of IP addresses and their ranges. */
export const networkLibrary: Library = {
  name: "network",
  functions: [
    ...ipFunctions(checkOnce(parseAddress)),
    ...cidrFunctions(checkOnce(parseRange)),
    memberFunction("isMask", "cidr_is_mask", [CIDR], BOOL, (range: AddressRange) => masked(range).equals(range)),
  ],
  constants: [
    { name: "net.IP", type: typeOf(IP), value: new TypeValue("net.IP") },
    { name: "net.CIDR", type: typeOf(CIDR), value: new TypeValue("net.CIDR") },
  ],
};
