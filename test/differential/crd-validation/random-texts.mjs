// Which texts that are nearly of a format are of it? The chosen texts, each damaged at random.
import { FORMATS, TEXTS } from "./formats.mjs";
import { list, ofField, STRING } from "./group.mjs";

const CHARACTERS = [...'aAfFzZ019-_.:/@%+# ,;()[]<>="é\u00b5TZhms'];

/** A source of groups: each call returns a format and `count` texts. */
export function textGenerator(seed) {
  let state = seed >>> 0 || 1;
  const below = (limit) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
  const pick = (items) => items[below(items.length)];
  const damaged = (text) => {
    const at = below(text.length + 1);
    const end = at + below(2);
    return text.slice(0, at) + (below(3) === 0 ? "" : pick(CHARACTERS)) + text.slice(end);
  };
  return (count) => {
    const texts = Array.from({ length: count }, () => {
      const once = damaged(pick(TEXTS));
      return below(2) === 0 ? once : damaged(once);
    });
    return ofField("random texts", list({ ...STRING, format: pick(FORMATS) }), [texts]);
  };
}
