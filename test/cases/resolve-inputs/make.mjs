// A directory without a file cannot be kept in a repository.
import { mkdirSync } from "node:fs";
import { join } from "node:path";

export default (directory) => mkdirSync(join(directory, "empty"), { recursive: true });
