// What does cel-go's own library of network addresses have beyond Kubernetes'?
//
// The same types, functions and overloads, so that the two cannot be in one environment; `isMask`; and the
// checker reports a literal that is not an address.
import { type Library, memberFunction } from "../../library.ts";
import { BOOL } from "../../type.ts";
import { type AddressRange, CIDR, IP, masked, parseAddress, parseRange } from "../kubernetes/address.ts";
import { cidrFunctions } from "../kubernetes/cidr.ts";
import { ipFunctions } from "../kubernetes/ip.ts";
import { checkOnce } from "../literal-argument.ts";
import { typeConstant } from "../standard/standard.ts";

/** cel-go's library of IP addresses and their ranges. */
export const networkLibrary: Library = {
  name: "network",
  functions: [
    ...ipFunctions(checkOnce(parseAddress)),
    ...cidrFunctions(checkOnce(parseRange)),
    memberFunction("isMask", "cidr_is_mask", [CIDR], BOOL, (range: AddressRange) => masked(range).equals(range)),
  ],
  constants: [typeConstant(IP), typeConstant(CIDR)],
};
