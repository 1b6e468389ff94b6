const UNITS = ['bytes', 'KB', 'MB'] as const;

/** `740 bytes`, `12.5 KB`, `256 MB`. */
export function formatBytes(bytes: number): string {
  const step = bytes < 1_024 ? 0 : bytes < 1_048_576 ? 1 : 2;
  const value = bytes / 1_024 ** step;
  return `${value < 100 && step > 0 ? value.toFixed(1) : Math.round(value)} ${UNITS[step]}`;
}
