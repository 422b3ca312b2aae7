// The thread of reviews: it offers one pure function.

import { parentPort, workerData } from "node:worker_threads";
import { type Port, ThreadLink } from "../controller/thread-link.ts";
import { type ReviewSetting, reviewed } from "./review.ts";
import type { ReviewFunctions } from "./review-thread.ts";

const functions: ReviewFunctions = { review: (body) => reviewed(body, workerData as ReviewSetting) };
new ThreadLink(parentPort as Port, functions);
