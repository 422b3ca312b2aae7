// The reading thread of the placement controller: it offers the functions of reading-thread.ts.

import { enterReadingThread } from "../controller/enter-reading-thread.ts";
import { startReadingThread } from "./reading-thread.ts";

enterReadingThread(startReadingThread);
