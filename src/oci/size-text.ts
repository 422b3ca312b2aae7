// How is a number of bytes written in a message?

const UNITS = ["bytes", "KiB", "MiB", "GiB", "TiB"];

/** "512 bytes", "4 MiB", "1.5 GiB". */
export function sizeText(bytes: number): string {
  if (bytes === 1) return "1 byte";
  let value = bytes;
  let unit = 0;
  for (; value >= 1024 && unit < UNITS.length - 1; unit++) value /= 1024;
  return `${Number(value.toFixed(1))} ${UNITS[unit]}`;
}
