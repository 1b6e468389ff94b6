import type { Clock, Logger } from '@outdial/kernel';

/** A disk that is full fails the recording of every call at once: one line says so, the next one a minute later. */
const ALARM_EVERY_MS = 60_000;

const TEXTS: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk of the recordings is full: calls go on unrecorded until there is room',
  EDQUOT: 'the disk quota of the recordings is used up: calls go on unrecorded until there is room',
  EROFS: 'the folder of the recordings is read-only: calls go on unrecorded',
  EACCES: 'the folder of the recordings may not be written to: calls go on unrecorded',
};
const OTHERWISE = 'a recording failed; its call goes on without it';

/** Tells of recordings that failed, once a minute for each cause; what came in between is counted. */
export function createRecordingAlarm({ logger, clock }: { readonly logger: Logger; readonly clock: Clock }) {
  const causes = new Map<string, { silentUntilMs: number; unsaid: number }>();
  return (error: unknown, recording: string): void => {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'none';
    const cause = causes.get(code) ?? { silentUntilMs: Number.NEGATIVE_INFINITY, unsaid: 0 };
    causes.set(code, cause);
    if (clock.monotonicMs() < cause.silentUntilMs) {
      cause.unsaid += 1;
      return;
    }
    logger.error({ err: error, recording, othersSinceLast: cause.unsaid }, TEXTS[code] ?? OTHERWISE);
    cause.silentUntilMs = clock.monotonicMs() + ALARM_EVERY_MS;
    cause.unsaid = 0;
  };
}
