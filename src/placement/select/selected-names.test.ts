import fc from "fast-check";
import { expect, test } from "vitest";
import { SelectedNames } from "./selected-names.ts";

const NAMES = ["a", "b", "c", "d", "e", "f"];

test("every state can be asked for, at once or later", () => {
  const step = fc.oneof(
    fc.uniqueArray(fc.constantFrom(...NAMES)).map((names) => ({ replace: names.sort() })),
    fc.uniqueArray(fc.constantFrom(...NAMES), { maxLength: 3 }).map((flip) => ({ flip })),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), fc.boolean(), (steps, asksAtOnce) => {
      const selected = new SelectedNames();
      let wanted: readonly string[] = [];
      const states: [() => readonly string[], readonly string[]][] = [];
      for (const one of steps) {
        if ("replace" in one) {
          selected.replace(one.replace);
          wanted = one.replace;
        } else {
          selected.change(one.flip.map((name) => ({ name, isSelected: !wanted.includes(name) })));
          wanted = NAMES.filter((name) => wanted.includes(name) !== one.flip.includes(name));
        }
        expect(selected.count).toBe(wanted.length);
        if (asksAtOnce) expect(selected.current()).toEqual(wanted);
        states.push([selected.snapshot(), wanted]);
      }
      for (const [snapshot, names] of states) expect(snapshot()).toEqual(names);
    }),
  );
});

test("after very many changes the list is rewritten, and earlier states stay", () => {
  const selected = new SelectedNames();
  selected.replace(["m"]);
  const before = selected.snapshot();
  for (let index = 0; index < 501; index++) selected.change([{ name: "n", isSelected: index % 2 === 0 }]);
  expect(before()).toEqual(["m"]);
  expect(selected.current()).toEqual(["m", "n"]);
});
