// Which image is a web page about? People paste the address of a page of quay.io or Docker Hub instead of a reference.

/** A page of a registry; `image` is the one that it is about, if its address says so. */
export interface ImagePage {
  /** `quay.io/NAMESPACE/NAME[:TAG]`, as a reference has it behind its scheme. */
  readonly image?: string;
}

const COMPONENT = "[a-z0-9]+(?:(?:\\.|_|__|-+)[a-z0-9]+)*";
const TAG = "[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}";
const DIGEST = "sha256:[0-9a-f]{64}";

/** What pages begin with that are not images themselves. */
const PAGE = /^(?:hub\.docker\.com(?:\/|$)|quay\.io\/(?:repository|organization|user|search)(?:\/|$))/i;

/** Paths of pages about one image, and the reference of that image. */
const IMAGES: readonly (readonly [RegExp, string])[] = [
  [new RegExp(`^quay\\.io/repository/(${COMPONENT}/${COMPONENT})((?::${TAG})?(?:@${DIGEST})?)$`), "quay.io/$1$2"],
  [new RegExp(`^quay\\.io/repository/(${COMPONENT}/${COMPONENT})/manifest/(${DIGEST})$`), "quay.io/$1@$2"],
  [new RegExp(`^hub\\.docker\\.com/_/(${COMPONENT})(?:/tags)?((?::${TAG})?)$`), "docker.io/library/$1$2"],
  [
    new RegExp(`^hub\\.docker\\.com/r/(${COMPONENT}/${COMPONENT})(?:/(?:tags|general|builds))?((?::${TAG})?)$`),
    "docker.io/$1$2",
  ],
  [
    new RegExp(`^hub\\.docker\\.com/repository/docker/(${COMPONENT}/${COMPONENT})(?:/(?:tags|general))?$`),
    "docker.io/$1",
  ],
];

/** The page that an address leads to, with or without `https://`; undefined if it is not known as a page. */
export function imagePage(text: string): ImagePage | undefined {
  const address = text.replace(/^https?:\/\//i, "").replace(/^www\./i, "");
  if (!PAGE.test(address)) return undefined;
  const [host = ""] = address.split("/");
  const path = `${host.toLowerCase()}${address
    .slice(host.length)
    .replace(/[?#].*$/s, "")
    .replace(/\/+$/, "")}`;
  const known = IMAGES.find(([pattern]) => pattern.test(path));
  return known === undefined ? {} : { image: path.replace(...known) };
}
