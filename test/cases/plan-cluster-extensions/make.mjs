// The bundled example has a kind whose objects have to be rewritten.
import { cpSync } from "node:fs";
import { join } from "node:path";

export default (directory) => cpSync("examples/harbour", join(directory, "harbour"), { recursive: true });
