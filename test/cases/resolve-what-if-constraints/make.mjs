// The bundled example is part of the input.
import { cpSync } from "node:fs";
import { join } from "node:path";

export default (directory) => cpSync("examples/harbour", join(directory, "harbour"), { recursive: true });
