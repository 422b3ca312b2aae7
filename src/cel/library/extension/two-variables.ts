// Which macros iterate over keys and values together?
import type { Library } from "../../library.ts";
import { byPredicate, foldMacro } from "../standard/macros.ts";

/** Comprehensions with two variables: index and element of a list, key and value of a map. */
export const twoVariablesLibrary: Library = {
  name: "two-variable comprehensions",
  macros: [
    foldMacro("all", "all", 2, byPredicate, 3),
    foldMacro("exists", "exists", 2, byPredicate, 3),
    foldMacro("existsOne", "existsOne", 2, byPredicate, 3),
    foldMacro("exists_one", "existsOne", 2, byPredicate, 3),
    ...(["transformList", "transformMap", "transformMapEntry"] as const).flatMap((name) => [
      foldMacro(name, name, 2, (args) => ({ predicate: undefined, transform: args[2] }), 3),
      foldMacro(name, name, 2, (args) => ({ predicate: args[2], transform: args[3] }), 4),
    ]),
  ],
};
