export interface ObjectReference { readonly apiVersion: string; readonly kind: string; readonly namespace: string; readonly name: string; readonly uid?: string }
export interface RecordedEvent { readonly type: "Normal" | "Warning"; readonly reason: string; readonly action: string; readonly note: string; readonly regarding: ObjectReference; readonly related?: ObjectReference; readonly reportingController: string }
export class EventRecorder { constructor(_: unknown) {} record(_e: RecordedEvent): void {} async flush(_: number): Promise<void> {} }
