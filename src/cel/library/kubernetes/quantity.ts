// What can be done with Kubernetes quantities?
import { globalFunction, type Library, memberFunction, type Overload } from "../../library.ts";
import { BOOL, DOUBLE, INT, STRING } from "../../type.ts";
import { double, intOrOverflow } from "../../value/number.ts";
import { CelError, type Result } from "../../value/value.ts";
import { readOnce } from "../literal-argument.ts";
import { parseQuantity } from "./quantity-parse.ts";
import {
  addQuantities,
  asApproximateFloat,
  asInteger,
  compareQuantities,
  QUANTITY,
  type Quantity,
  quantityOfInt,
  subtractQuantities,
} from "./quantity-value.ts";

function integer(quantity: Quantity): Result {
  const value = asInteger(quantity);
  return value === undefined
    ? new CelError(() => `the quantity ${quantity} is not a 64-bit integer`)
    : intOrOverflow(value);
}

const isQuantity = (text: string): boolean => !(parseQuantity(text) instanceof CelError);
const isInteger = (quantity: Quantity): boolean => asInteger(quantity) !== undefined;
const isGreaterThan = (a: Quantity, b: Quantity): boolean => compareQuantities(a, b) > 0;
const isLessThan = (a: Quantity, b: Quantity): boolean => compareQuantities(a, b) < 0;

const FUNCTIONS: readonly Overload[] = [
  globalFunction("quantity", "string_to_quantity", [STRING], QUANTITY, parseQuantity, {
    prepare: readOnce(parseQuantity),
  }),
  globalFunction("isQuantity", "is_quantity_string", [STRING], BOOL, isQuantity),
  globalFunction("sign", "quantity_sign", [QUANTITY], INT, ({ value }: Quantity) =>
    value > 0n ? 1 : value < 0n ? -1 : 0,
  ),
  memberFunction("isInteger", "quantity_is_integer", [QUANTITY], BOOL, isInteger),
  memberFunction("asInteger", "quantity_get_int", [QUANTITY], INT, integer),
  memberFunction("asApproximateFloat", "quantity_get_float", [QUANTITY], DOUBLE, (quantity: Quantity) =>
    double(asApproximateFloat(quantity)),
  ),
  memberFunction("add", "quantity_add", [QUANTITY, QUANTITY], QUANTITY, addQuantities),
  memberFunction("add", "quantity_add_int", [QUANTITY, INT], QUANTITY, (a: Quantity, b: number | bigint) =>
    addQuantities(a, quantityOfInt(b)),
  ),
  memberFunction("sub", "quantity_sub", [QUANTITY, QUANTITY], QUANTITY, subtractQuantities),
  memberFunction("sub", "quantity_sub_int", [QUANTITY, INT], QUANTITY, (a: Quantity, b: number | bigint) =>
    subtractQuantities(a, quantityOfInt(b)),
  ),
  memberFunction("compareTo", "quantity_compare_to", [QUANTITY, QUANTITY], INT, compareQuantities),
  memberFunction("isGreaterThan", "quantity_is_greater_than", [QUANTITY, QUANTITY], BOOL, isGreaterThan),
  memberFunction("isLessThan", "quantity_is_less_than", [QUANTITY, QUANTITY], BOOL, isLessThan),
];

/** Kubernetes' library of resource quantities. */
export const quantityLibrary: Library = { name: "kubernetes.quantity", functions: FUNCTIONS };
