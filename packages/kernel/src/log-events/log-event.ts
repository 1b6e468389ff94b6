import type { LogLevel } from '../logger.ts';

type Level = Exclude<LogLevel, 'silent'>;

/** What operators read about an event in `docs/reference/log-events.md`. */
export interface LogEventEntry {
  /** An event that follows from an outage that was already logged is logged at `debug`, whatever its levels. */
  readonly levels: readonly Level[];
  readonly meaning: string;
  readonly action: string;
}

const entryAt =
  (...levels: readonly Level[]) =>
  (meaning: string, action = 'Nothing.'): LogEventEntry => ({ levels, meaning, action });

export const debug = entryAt('debug');
export const info = entryAt('info');
export const warn = entryAt('warn');
export const error = entryAt('error');
export const fatal = entryAt('fatal');
export const debugOrWarn = entryAt('debug', 'warn');
export const debugOrError = entryAt('debug', 'error');
