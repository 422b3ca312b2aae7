// What is in `plimsoll/cel`? CEL alone, for any program: parse, check, evaluate, format, complete. It runs in a browser.

export type {
  Bind,
  Call,
  Fold,
  FoldKind,
  Identifier,
  ListLiteral,
  Literal,
  MapLiteral,
  MessageLiteral,
  Node,
  OptionalMap,
  Select,
} from "./cel/ast.ts";
export { children } from "./cel/ast.ts";
export type { Checked, FunctionReference, Reference } from "./cel/check/checked.ts";
export type { PerPart } from "./cel/check/per-part.ts";
export { type Compilation, type CompileOptions, compile } from "./cel/compile.ts";
export { CompileError, issueText } from "./cel/compile-error.ts";
export type { Proposal } from "./cel/complete/candidates.ts";
export { type Completion, complete } from "./cel/complete/complete.ts";
export type { SchemaSizes } from "./cel/cost/estimate.ts";
export type { ValuePath } from "./cel/cost/path.ts";
export type { SizeEstimate } from "./cel/cost/range.ts";
export {
  type CelFunction,
  celFunction,
  type FunctionOptions,
  type Implementation,
} from "./cel/declare/cel-function.ts";
export { type CelType, celType, type TypeOptions } from "./cel/declare/cel-type.ts";
export { parseType } from "./cel/declare/type-text.ts";
export type { Dependencies, DependencyCall, DependencyPath } from "./cel/dependencies.ts";
export { type Costs, type Environment, type EnvironmentOptions, environment } from "./cel/environment.ts";
export { evaluate } from "./cel/evaluate.ts";
export { type Issue, position } from "./cel/issue.ts";
export { everyLibrary } from "./cel/library/every-library.ts";
export { networkLibrary } from "./cel/library/extension/network.ts";
export { extensionLibraries } from "./cel/library/extension-libraries.ts";
export { kubernetesLibraries } from "./cel/library/kubernetes-libraries.ts";
export { standardLibrary } from "./cel/library/standard/standard.ts";
export type {
  ArgumentEstimate,
  Call as OverloadCall,
  CallEstimate,
  Constant,
  Library,
  Message,
  Overload,
  Prepare,
  ResultCost,
  Running,
} from "./cel/library.ts";
export type { Expansion, Macro } from "./cel/macro.ts";
export { type Bindings, LimitError, type LimitKind, type Limits, type TraceRecord } from "./cel/plan/frame.ts";
export type { Program } from "./cel/program.ts";
export { type FormatOptions, format } from "./cel/text/format.ts";
export { type Parsed, parse } from "./cel/text/parse-text.ts";
export { type TraceBranch, traceTree } from "./cel/trace-tree.ts";
export {
  type ObjectType,
  type OpaqueType,
  printType,
  type Shape,
  type SimpleKind,
  shaped,
  type Type,
} from "./cel/type.ts";
export { Bytes, CelMap, type MapKey, Optional, TypeValue } from "./cel/value/boxes.ts";
export { writeValue } from "./cel/value/describe.ts";
export { Duration, parseDuration } from "./cel/value/duration.ts";
export type { Worker } from "./cel/value/equality.ts";
export { EvaluationError } from "./cel/value/evaluation-error.ts";
export type { Border } from "./cel/value/from-js.ts";
export type { ClassType, Instance } from "./cel/value/instance.ts";
export type { MapValue } from "./cel/value/map-access.ts";
export { Double, Uint } from "./cel/value/number.ts";
export { parseTimestamp, Timestamp } from "./cel/value/timestamp.ts";
export { type JsOptions, toJS } from "./cel/value/to-js.ts";
export {
  type Boxed,
  CelError,
  DataError,
  type JsonMap,
  type Range,
  type Result,
  type Value,
} from "./cel/value/value.ts";
export type { BadPattern, Regex } from "./regex/regex.ts";
export type { Match } from "./regex/walk.ts";
