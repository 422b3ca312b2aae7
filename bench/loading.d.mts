interface Loaded {
  readonly path: string;
  readonly bytes: number;
}

export interface LoadedByCommand {
  readonly modules: readonly Loaded[];
  readonly files: readonly Loaded[];
}

export function loadedByCommands(): Promise<{
  readonly commands: Readonly<Record<string, LoadedByCommand>>;
  readonly flags: readonly Loaded[];
}>;
