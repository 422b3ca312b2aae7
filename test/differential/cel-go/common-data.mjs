// What do the random expressions of the table run on?
export const COMMON_DATA = {
  a: 1,
  b: 2,
  m: { x: 3, y: { z: 4 }, s: "hello world", l: [4, 5] },
  l: [1, 2, 3],
  s: "some text",
  t: true,
  f: false,
};
