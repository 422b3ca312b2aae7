// The bundled example is the input.
import { cpSync } from "node:fs";
import { join } from "node:path";

export default (directory) => {
  cpSync("examples/harbour/bundles/winch", join(directory, "winch"), { recursive: true });
  cpSync("examples/harbour/cluster/objects.yaml", join(directory, "objects.yaml"));
  cpSync("examples/harbour/cluster/crds.yaml", join(directory, "crds.yaml"));
};
