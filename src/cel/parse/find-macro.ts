// Which macro does a call use?
import type { Call } from "../ast.ts";
import type { Macro } from "../macro.ts";

/** Macros by name, for each list of macros that was searched. */
const tables = new WeakMap<readonly Macro[], ReadonlyMap<string, readonly Macro[]>>();

/** The first of the macros that the call has the form of. */
export function findMacro(macros: readonly Macro[], call: Call): Macro | undefined {
  let table = tables.get(macros);
  if (table === undefined) {
    table = byName(macros);
    tables.set(macros, table);
  }
  return table.get(call.name)?.find((macro) => isUsed(macro, call));
}

function byName(macros: readonly Macro[]): ReadonlyMap<string, readonly Macro[]> {
  const table = new Map<string, Macro[]>();
  for (const macro of macros) {
    const sameName = table.get(macro.name);
    if (sameName === undefined) table.set(macro.name, [macro]);
    else sameName.push(macro);
  }
  return table;
}

function isUsed({ namespace, member, arguments: count }: Macro, { target, args }: Call): boolean {
  return (
    member === (target !== undefined && namespace === undefined) &&
    (count === undefined || count === args.length) &&
    (namespace === undefined || (target?.kind === "identifier" && target.name === namespace))
  );
}
