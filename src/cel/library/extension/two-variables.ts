// Which macros go through keys and values at once?
import type { Library } from "../../library.ts";
import { byPredicate, foldOfTwo } from "../standard/macros.ts";

/** Comprehensions with two variables: index and element of a list, key and value of a map. */
export const twoVariablesLibrary: Library = {
  name: "two-variable comprehensions",
  macros: [
    foldOfTwo("all", "all", byPredicate, 3),
    foldOfTwo("exists", "exists", byPredicate, 3),
    foldOfTwo("existsOne", "existsOne", byPredicate, 3),
    foldOfTwo("exists_one", "existsOne", byPredicate, 3),
    ...(["transformList", "transformMap", "transformMapEntry"] as const).flatMap((name) => [
      foldOfTwo(name, name, (args) => ({ predicate: undefined, transform: args[2] }), 3),
      foldOfTwo(name, name, (args) => ({ predicate: args[2], transform: args[3] }), 4),
    ]),
  ],
};
