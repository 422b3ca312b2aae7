// What does a CustomResourceDefinition of a community operator look like? YAML as controller-gen writes it, of a wanted
// size: from a handful of fields to the whole specification of a pod, with its descriptions.
import { description } from "./prose.mjs";

const FIELDS =
  "affinity annotations args backup bucket capacity certificate cluster command config container credentials data database disk enabled endpoint env exporter extra features hooks host image ingress init interval key labels limits listener logging memory metrics mode monitoring mount name namespace network node password path placement plugins policy pool port priority probe protocol proxy queue quota region replicas resources restore retention role route rules schedule scrape secret security selector service shard size source storage strategy tag target template timeout tls token tolerations topology update user version volume weight zone".split(
    " ",
  );
const SCALARS = [
  ["type: string"],
  ["type: string"],
  ["type: boolean"],
  ["format: int32", "type: integer"],
  ["format: int64", "maximum: 65535", "minimum: 1", "type: integer"],
  ["default: Always", "enum:", "- Always", "- IfNotPresent", '- "Never"', "type: string"],
  ["maxLength: 63", "pattern: ^[a-z0-9]([-a-z0-9]*[a-z0-9])?$", "type: string"],
  ["anyOf:", "- type: integer", "- type: string", "x-kubernetes-int-or-string: true"],
];

/** The text of a definition with one or two versions, of about `size` bytes. */
export function definitionText(random, { group, kind, size, style, versions, revision, isIndented }) {
  const plural = `${kind.toLowerCase()}s`;
  const generator = style === "literal" ? "v0.14.0" : "v0.9.2";
  const perVersion = Math.floor(size / versions.length);
  const dash = isIndented ? "    " : "  ";
  const lines = [
    "apiVersion: apiextensions.k8s.io/v1",
    "kind: CustomResourceDefinition",
    "metadata:",
    "  annotations:",
    `    controller-gen.kubebuilder.io/version: ${generator}`,
    "  creationTimestamp: null",
    "  labels:",
    `    app.kubernetes.io/version: "${revision}"`,
    `  name: ${plural}.${group}`,
    "spec:",
    `  group: ${group}`,
    "  names:",
    `    kind: ${kind}`,
    `    listKind: ${kind}List`,
    `    plural: ${plural}`,
    `    singular: ${kind.toLowerCase()}`,
    "  scope: Namespaced",
    "  versions:",
  ];
  let text = `${lines.join("\n")}\n`;
  for (const [index, version] of versions.entries()) {
    const inner = `${dash}  `;
    const schema = new Schema(random, perVersion, style, isIndented);
    text += [
      `${dash}- additionalPrinterColumns:`,
      `${inner}- jsonPath: .status.phase`,
      `${inner}  name: Phase`,
      `${inner}  type: string`,
      `${inner}name: ${version}`,
      `${inner}schema:`,
      `${inner}  openAPIV3Schema:`,
      "",
    ].join("\n");
    text += schema.root(`${inner}    `);
    text += `${inner}served: true\n${inner}storage: ${index === versions.length - 1}\n${inner}subresources:\n${inner}  status: {}\n`;
  }
  return `${text}status:\n  acceptedNames:\n    kind: ""\n    plural: ""\n  conditions: []\n  storedVersions: []\n`;
}

/** Writes a schema until its size is used up. */
class Schema {
  #random;
  #left;
  #style;
  #isIndented;

  constructor(random, size, style, isIndented) {
    this.#random = random;
    this.#left = size;
    this.#style = style;
    this.#isIndented = isIndented;
  }

  root(indent) {
    const parts = [description(this.#random, indent, 60, this.#style), `${indent}properties:\n`];
    for (const name of ["apiVersion", "kind"])
      parts.push(
        `${indent}  ${name}:\n${description(this.#random, `${indent}    `, 240, this.#style)}`,
        `${indent}    type: string\n`,
      );
    parts.push(`${indent}  metadata:\n${indent}    type: object\n`);
    parts.push(`${indent}  spec:\n${description(this.#random, `${indent}    `, 50, this.#style)}`);
    parts.push(this.#object(`${indent}    `, 0, this.#left));
    parts.push(
      `${indent}  status:\n${indent}    type: object\n${indent}    x-kubernetes-preserve-unknown-fields: true\n`,
    );
    parts.push(`${indent}type: object\n`);
    return parts.join("");
  }

  /** The properties of an object, at least `share` bytes of them. */
  #object(indent, depth, share) {
    const end = this.#left - share;
    const fields = new Map();
    while (this.#left > end && fields.size < 120) {
      const name = `${FIELDS[this.#random(FIELDS.length)]}${["", "", "Ref", "Spec", "Name"][this.#random(5)]}`;
      if (fields.has(name)) this.#left -= 40;
      else fields.set(name, this.#field(`${indent}  `, name, depth, end));
    }
    // controller-gen sorts all keys.
    const names = [...fields.keys()].sort();
    const text = `${indent}properties:\n${names.map((name) => fields.get(name)).join("")}`;
    const required = names.filter(() => this.#random(6) === 0);
    const dash = this.#isIndented ? `${indent}  ` : indent;
    const listed = required.map((name) => `${dash}- ${name}\n`).join("");
    return `${text}${required.length > 0 ? `${indent}required:\n${listed}` : ""}${indent}type: object\n`;
  }

  #field(indent, name, depth, end) {
    const inner = `${indent}  `;
    let text = `${indent}${name}:\n`;
    const hasText = this.#random(10) < 8;
    if (hasText) text += description(this.#random, inner, 30 + this.#random(depth > 3 ? 420 : 220), this.#style);
    this.#left -= text.length;
    const kind = depth < 9 ? this.#random(10) : 0;
    if (kind < 6 || this.#left <= end) {
      const scalar = SCALARS[this.#random(SCALARS.length)].map((line) => `${inner}${line}\n`).join("");
      this.#left -= scalar.length;
      return text + scalar;
    }
    const share = Math.min(this.#left - end, 400 + this.#random(Math.max(1, (this.#left - end) >> 1)));
    if (kind === 6) {
      text += `${inner}items:\n${this.#object(`${inner}  `, depth + 1, share)}${inner}type: array\n`;
      return `${text}${inner}x-kubernetes-list-type: atomic\n`;
    }
    if (kind === 7) return `${text}${inner}additionalProperties:\n${inner}  type: string\n${inner}type: object\n`;
    return text + this.#object(inner, depth + 1, share);
  }
}
