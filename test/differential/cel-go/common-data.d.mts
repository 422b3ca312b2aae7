export const COMMON_DATA: Readonly<Record<string, unknown>>;
