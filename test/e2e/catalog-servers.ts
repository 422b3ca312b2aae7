// Where are opm and catalogd? `npm run test:e2e` finds or builds them and names their folder.

/** The folder of opm, catalogd and the CRD of catalogd. */
export function catalogServers(): string {
  const folder = process.env.PLIMSOLL_E2E_CATALOGS;
  if (!folder) throw new Error("PLIMSOLL_E2E_CATALOGS is not set; npm run test:e2e sets it");
  return folder;
}
