import { openSync, readFileSync, renameSync } from 'node:fs';

/** Opens a new log for this run. The previous one is kept beside it, since it may say why a server died. */
export function openServerLog(path: string): number {
  try {
    renameSync(path, `${path}.1`);
  } catch {
    // The first run has no previous log.
  }
  return openSync(path, 'w', 0o600);
}

/** The last lines of a log; none when there is no log. */
export function logTail(path: string, lines: number): readonly string[] {
  try {
    return readFileSync(path, 'utf8').trimEnd().split('\n').slice(-lines);
  } catch {
    return [];
  }
}
