import { expect, test } from "vitest";
import { Turns } from "./turns.ts";

/** Work that ends when the test says so. */
function work() {
  let end: (how: "well" | "badly") => void = () => undefined;
  const ended = new Promise<string>((done, failed) => {
    end = (how) => (how === "well" ? done(how) : failed(new Error(how)));
  });
  return { ended, end };
}

test("so many at a time, the others in their order", async () => {
  const turns = new Turns(2);
  const begun: number[] = [];
  const works = [0, 1, 2, 3].map(work);
  const results = works.map(({ ended }, index) =>
    turns.take(() => {
      begun.push(index);
      return ended;
    }),
  );
  const failed = expect(results[1]).rejects.toThrow("badly");
  await Promise.resolve();
  expect(begun).toEqual([0, 1]);
  works[1]?.end("badly");
  await failed;
  expect(begun).toEqual([0, 1, 2]);
  works[2]?.end("well");
  expect(await results[2]).toBe("well");
  expect(begun).toEqual([0, 1, 2, 3]);
  works[0]?.end("well");
  works[3]?.end("well");
  await Promise.all([results[0], results[3]]);
  expect(await turns.take(async () => "again")).toBe("again");
});

test("there can be no limit", async () => {
  const turns = new Turns(Number.POSITIVE_INFINITY);
  const results = Array.from({ length: 1000 }, (_, index) => turns.take(async () => index));
  expect((await Promise.all(results)).at(-1)).toBe(999);
});
