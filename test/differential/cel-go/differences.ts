// Where do we answer otherwise than cel-go, and why?

/** Expressions of the table whose answer is another than ours. One that is listed and equal in every form fails the test. */
export const DIFFERENCES: readonly { readonly reason: string; readonly expressions: readonly string[] }[] = [
  {
    reason: "cel-go refuses a bad literal when it plans; here literals are not checked, so that it fails when it runs",
    expressions: [
      "s.find('[')",
      "'%d'.format(['x'])",
      "m[null]",
      "m[b'a']",
      "m[?null].orValue(1)",
      "m[?b'a'].orValue(1)",
      "l[?null].orValue(1)",
      "m.?l[null].orValue(5)",
      "m.?y[null].orValue(5)",
      "optional.of(m)[null].orValue(5)",
    ],
  },
  {
    reason: "a double is no key of a map, as the language definition says; cel-go takes one that hides behind dyn",
    expressions: [
      "{dyn(1e300): 1}",
      "{dyn(1.0): 1}",
      "{dyn(1.5): 1}",
      "{dyn(9007199254740993.0): 1}",
      "{dyn(1e20): 1}",
      "{dyn(0.0/0.0): 1}",
      "{dyn(1.0/0.0): 1}",
    ],
  },
  {
    reason: "values of different types are not equal, as the language definition says; Kubernetes' addresses fail",
    expressions: ["ip('::2') == dyn('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa')"],
  },
  {
    reason:
      "the milliseconds of a duration are those of its last second, as the official tests want it; cel-go counts all",
    expressions: ["du.getMilliseconds()"],
  },
  {
    reason: "a round of a loop is one step here and three in cel-go; both stop in it",
    expressions: ["l.exists(x, x == 1) || true"],
  },
  {
    reason: "cel-go's cost tracker panics on an error among the arguments of these, and nothing absorbs that",
    expressions: ["l.sortBy(x, 1/0).size() == 3 || true", "m.q.distinct() == [] || true"],
  },
  {
    reason: "cel-go binds these with any number of arguments and does not charge them when an argument failed",
    expressions: ["m.q.find('x')", "m.q.format([m.x])"],
  },
  {
    reason: "cel-go finds no overload for the value of an optional index into a dyn, which is an int like any other",
    expressions: [
      "string(optional.of(a).optFlatMap(n1, l[?a]).value()).contains('abc')",
      "l.filter(n3, (f || has(m.x))).map(n2, [1,2].map(n5, 2).exists_one(n4, 1 in l), (l[?a].orValue(n2) * l[?a].value())).exists_one(n1, string(n1).substring([1,2][n1], m.?x.orValue(b)) == (m.nope + '').substring(l[?9].orValue(a), cel.bind(n6, l[a], m.x)))",
    ],
  },
];
