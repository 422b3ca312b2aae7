// When is cleaned up what tests leave behind? After each test of every file. A module of the tests cannot do this itself: the files
// of a worker share it, so that its hooks would be those of the first file only.

import { afterEach } from "vitest";
import { cleanUp } from "./at-end.ts";

afterEach(cleanUp);
