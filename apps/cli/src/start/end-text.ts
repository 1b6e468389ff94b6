/** How a process ended, in a few words: `exit code 1`, `SIGKILL`. */
export function endText(end: { readonly code: number | null; readonly signal: NodeJS.Signals | null }): string {
  return end.signal === null ? `exit code ${end.code ?? 'unknown'}` : end.signal;
}
