/** Every module that a command loads whatever it is asked, with its bytes in the bundle. */
export function loadedModules(): Promise<
  Readonly<Record<string, readonly { readonly path: string; readonly bytes: number }[]>>
>;
