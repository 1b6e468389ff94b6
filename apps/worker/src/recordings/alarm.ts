import type { Clock, Logger } from '@outdial/kernel';

/** A full disk fails the recording of every call at once: it is logged at once, then at most once a minute. */
const ALARM_EVERY_MS = 60_000;

const TEXTS: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk of the recordings is full: calls continue unrecorded until there is space',
  EDQUOT: 'the disk quota of the recordings is used up: calls continue unrecorded until there is space',
  EROFS: 'the folder of the recordings is read-only: calls continue unrecorded',
  EACCES: 'the worker may not write to the recording folder: calls continue unrecorded',
};
const OTHERWISE = 'a recording failed; its call continues without it';

/** Logs failed recordings, once a minute for each cause, with the number of failures in between. */
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
    logger.error(
      { event: 'recording.failed', err: error, recording, othersSinceLast: cause.unsaid },
      TEXTS[code] ?? OTHERWISE,
    );
    cause.silentUntilMs = clock.monotonicMs() + ALARM_EVERY_MS;
    cause.unsaid = 0;
  };
}
