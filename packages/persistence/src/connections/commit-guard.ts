import { pause, type Clock } from '@outdial/kernel';
import type { CommitProbe } from './commit-probe.ts';

export interface CommitGuardOptions {
  readonly clock: Clock;
  readonly probe: CommitProbe;
  /** From the beginning of one probe to that of the next. */
  readonly probeIntervalMs: number;
  /** So many abandoned statements without a confirmed commit open the breaker. */
  readonly limit: number;
}

/**
 * A breaker for commits that hang.
 *
 * A statement that is given up may leave a backend behind: one that waits for a lost synchronous standby does not
 * notice that its client is gone. With each retry there would be one more, up to all that the server allows. So the
 * guard probes as soon as one takes long, and refuses statements after `limit` of them, until a commit is
 * confirmed.
 */
export interface CommitGuard {
  /** A statement takes long: it may be one that waits for a lost standby. */
  doubt(): void;
  /** A connection was destroyed while a statement was under way. */
  abandoned(): void;
  /** What a statement is refused with now; null while statements may be sent. */
  refusal(): CommitsStalled | null;
  /** Resolves at once unless commits are in doubt, and then when one is confirmed. */
  confirmed(): Promise<void>;
  /** There will be no other probe. Resolves when none is under way. */
  stop(): Promise<void>;
}

/** Postgres answers and does not confirm commits, so that a statement was not sent at all. */
export class CommitsStalled extends Error {
  constructor() {
    super('Postgres confirms no commits: a synchronous standby may be lost');
    this.name = 'CommitsStalled';
  }
}

export function createCommitGuard({ clock, probe, probeIntervalMs, limit }: CommitGuardOptions): CommitGuard {
  const stopping = new AbortController();
  let abandonedStatements = 0;
  let probing: Promise<void> | null = null;

  async function probeUntilConfirmed(): Promise<void> {
    while (!stopping.signal.aborted) {
      const nextAtMs = clock.monotonicMs() + probeIntervalMs;
      const isConfirmed = await probe(stopping.signal).then(
        () => true,
        () => false,
      );
      if (isConfirmed) break;
      await pause(clock, Math.max(0, nextAtMs - clock.monotonicMs()), stopping.signal);
    }
    abandonedStatements = 0;
    probing = null;
  }

  function doubt(): void {
    if (!stopping.signal.aborted) probing ??= probeUntilConfirmed();
  }

  return {
    doubt,
    abandoned() {
      abandonedStatements += 1;
      doubt();
    },
    refusal: () => (abandonedStatements >= limit ? new CommitsStalled() : null),
    confirmed: () => probing ?? Promise.resolve(),
    async stop() {
      stopping.abort();
      await probing;
    },
  };
}
