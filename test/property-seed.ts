// Which random cases do the property tests try? The same ones in every `npm test`, so that a change is judged by what it
// changed; others in every `npm run test:long`, or those of PLIMSOLL_SEED. A failure prints the seed that repeats it.

import fc from "fast-check";

const SEED = 20_261_115;

const asked = process.env.PLIMSOLL_SEED;
if (asked !== undefined) fc.configureGlobal({ seed: Number(asked) });
else if (process.env.PLIMSOLL_LONG !== "1") fc.configureGlobal({ seed: SEED });
