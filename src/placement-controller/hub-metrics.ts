export class HubMetrics {
  constructor(_m: unknown, _r: unknown) {}
  timed<T>(_key: string, run: () => Promise<T>): Promise<T> { return run(); }
  setDepth(_d: number): void {}
  changed(_k: string, _t: number): void {}
  text(): string { return ""; }
}
