// What does the answer for a namespace depend on? Each input with its own digest, so that a changed one can be named.

import type { Property } from "../../model/catalog.ts";
import { canonicalText, compareText, isObject, type Json, type JsonObject, own } from "../../model/json.ts";
import { INPUT_KINDS, type InputKind, type LockedInput } from "../../model/lock.ts";
import {
  type ClusterDefinition,
  type ExtensionTerms,
  type Installed,
  numbersOf,
  type Problem,
  type Request,
} from "../../model/problem.ts";
import { wholeName } from "../../resolve/catalog-order.ts";
import { printNamedRequest } from "../../resolve/prepare/named-request.ts";
import type { NamedRequest } from "../../resolve/prepare/problem-inputs.ts";
import { printVersion } from "../../semver/version.ts";
import { catalogDigest, digestOf, propertyJson } from "./digest.ts";

/** All inputs of a problem, and the target version if there is one; by kind, subject and digest. */
export function inputsOf(problem: Problem, target: NamedRequest | undefined): readonly LockedInput[] {
  const { namespace, catalogs, unavailable, requests, runtime, node, options, targets } = problem;
  const inputs: readonly LockedInput[] = [
    ...catalogs.map((one) => ({
      ...input("catalog", wholeName(one), null, `priority ${one.priority}`),
      digest: catalogDigest(one),
    })),
    ...unavailable.map((one) => input("unavailable", wholeName(one), [one.priority, one.reason], one.reason)),
    ...runtime.entries.map(({ property }, index) => constraintInput(property, numbersOf(runtime)[index] as number)),
    ...runtime.problems.map(({ code, message }) => input("constraint", code, message, message)),
    ...node.properties.map(({ type, value }) => valued("fact", type, value)),
    ...requests.flatMap(requestInputs),
    ...problem.installed.map((one) => installedInput("installed", one.name, one)),
    ...problem.elsewhere.map((one) => installedInput("elsewhere", `${one.namespace}/${one.name}`, one)),
    ...(problem.definitions ?? []).map(definitionInput),
    ...(problem.orphans ?? []).map((api) => input("orphan", api, api)),
    ...(targets === undefined ? [] : [targetsInput(namespace, targets)]),
    ...problem.removed.map((name) => input("removed", name, name)),
    ...problem.gone.map((one) => installedInput("removed", one.name, one)),
    ...Object.entries(options as unknown as { readonly [key: string]: Json | undefined }).flatMap(([key, value]) =>
      value === undefined ? [] : [valued("option", key, value)],
    ),
    ...(target === undefined ? [] : [valued("target", target.package, printNamedRequest(target))]),
  ];
  return [...inputs].sort(compareInputs);
}

function compareInputs(a: LockedInput, b: LockedInput): number {
  return (
    INPUT_KINDS.indexOf(a.kind) - INPUT_KINDS.indexOf(b.kind) ||
    compareText(a.subject, b.subject) ||
    compareText(a.digest, b.digest)
  );
}

/** Maximum length of a value kept for display. */
const MAX_VALUE_LENGTH = 200;

function input(kind: InputKind, subject: string, content: Json, value?: string): LockedInput {
  const digest = digestOf(content);
  if (value === undefined || value === "") return { kind, subject, digest };
  return { kind, subject, value: value.length > MAX_VALUE_LENGTH ? `${wholeCharacters(value)}…` : value, digest };
}

function wholeCharacters(text: string): string {
  return text.slice(0, MAX_VALUE_LENGTH).replace(/[\uD800-\uDBFF]$/, "");
}

function valued(kind: InputKind, subject: string, content: Json): LockedInput {
  return input(
    kind,
    subject,
    content,
    typeof content === "string" && content !== "" ? content : canonicalText(content),
  );
}

/** Identified by its number, as on the command line; displayed by its message, if it has one. */
function constraintInput({ type, value }: Property, number: number): LockedInput {
  const message = isObject(value) ? (own(value, "message") ?? own(value, "failureMessage")) : undefined;
  const text = typeof message === "string" && message !== "" ? JSON.stringify(message) : canonicalText(value);
  return input("constraint", String(number), { type, value }, text);
}

/** The request, and separately its present operator, since that changes with every step. */
function requestInputs(request: Request): readonly LockedInput[] {
  const { id, catalog, range, installed, extension } = request;
  const content: JsonObject = {
    name: request.name,
    priority: request.priority,
    package: request.package,
    catalog: catalog === undefined ? null : wholeName(catalog),
    channel: request.channel ?? null,
    range: range?.text ?? null,
    startingCSV: request.startingCSV ?? null,
    approval: approvalText(request),
    isGenerated: request.isGenerated === true,
    ...(extension !== undefined && { extension: termsJson(extension) }),
  };
  return [
    input("request", id, content, requestText(request)),
    ...(installed === undefined ? [] : [valued("claim", id, installed)]),
  ];
}

/** The terms of a ClusterExtension; the order of its channels has no meaning. */
function termsJson({ channels, versions, catalogs, policy, crdUpgradeSafety, malformed }: ExtensionTerms): JsonObject {
  return {
    channels: [...channels].sort(compareText),
    versions: versions?.text ?? null,
    catalogs: catalogs === undefined ? null : [...catalogs],
    policy,
    crdUpgradeSafety,
    malformed: malformed === undefined ? null : { ...malformed },
  };
}

function termsText({ channels, versions, catalogs, policy, crdUpgradeSafety }: ExtensionTerms): readonly string[] {
  return [
    ...(versions === undefined ? [] : [`version ${versions.text}`]),
    ...(channels.length === 0 ? [] : [`channels ${[...channels].sort(compareText).join(", ")}`]),
    ...(catalogs === undefined ? [] : [`catalogs ${catalogs.join(", ")}`]),
    ...(policy === "CatalogProvided" ? [] : [policy]),
    ...(crdUpgradeSafety === "Strict" ? [] : [`crdUpgradeSafety ${crdUpgradeSafety}`]),
  ];
}

function requestText(request: Request): string {
  const { startingCSV, isGenerated, priority, extension } = request;
  const approval = approvalText(request);
  return [
    printNamedRequest(request),
    ...(extension === undefined ? [] : termsText(extension)),
    ...(startingCSV === undefined ? [] : [`from ${startingCSV} on`]),
    ...(approval === "Automatic" ? [] : [approval]),
    ...(isGenerated ? ["generated"] : []),
    ...(priority === 0 ? [] : [`priority ${priority}`]),
  ].join(", ");
}

function approvalText({ approval, isApproved }: Request): string {
  return isApproved ? "approved" : approval;
}

function installedInput(kind: InputKind, subject: string, one: Installed): LockedInput {
  const { hold, version, owned } = one;
  const content: JsonObject = {
    package: one.package ?? null,
    version: version === undefined ? null : printVersion(version),
    properties: one.properties.map(propertyJson),
    minKubeVersion: one.minKubeVersion ?? null,
    installModes: one.installModes.map(({ type, supported }) => ({ type, supported })),
    owned: owned === undefined ? null : [...owned].sort(compareText),
    hold: hold === undefined ? null : { by: hold.by, text: hold.text },
  };
  const known = [
    ...(version === undefined ? [] : [printVersion(version)]),
    ...(hold === undefined ? [] : [`held (${hold.text})`]),
  ];
  return input(kind, subject, content, known.length === 0 ? undefined : known.join(", "));
}

/** Metadata that the API server maintains, such as timestamps, is left out. */
function definitionInput({ definition, objects, isPartial, assumedFrom }: ClusterDefinition): LockedInput {
  const { name, apiVersion, storedVersions } = definition;
  const contents = objects?.map(({ namespace, name: object, object: { metadata: _, ...rest } }) =>
    digestOf([namespace ?? null, object, rest]),
  );
  return input("definition", name, {
    apiVersion,
    spec: own(definition.object, "spec") ?? null,
    storedVersions: [...storedVersions].sort(compareText),
    objects: contents?.sort(compareText) ?? null,
    isPartial: isPartial === true,
    ...(assumedFrom !== undefined && { assumedFrom }),
  });
}

function targetsInput(namespace: string, { all, names }: NonNullable<Problem["targets"]>): LockedInput {
  return valued("targets", namespace, all ? "all" : [...names].sort(compareText).join(", "));
}
