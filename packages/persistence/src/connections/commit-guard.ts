import { pause, type Clock } from '@outdial/kernel';
import type { CommitProbe } from './commit-probe.ts';

export interface CommitGuardOptions {
  readonly clock: Clock;
  readonly probe: CommitProbe;
  /** From the start of one probe to the start of the next. */
  readonly probeIntervalMs: number;
  /** The number of abandoned statements without a confirmed commit that opens the breaker. */
  readonly limit: number;
}

/**
 * A circuit breaker for commits that hang.
 *
 * An abandoned statement may leave a backend behind: one that waits for a lost synchronous standby does not notice that
 * its client is gone. Every retry would add one more, up to the server's connection limit. So the guard starts to probe
 * when a statement takes long, and rejects statements after `limit` abandoned ones, until a commit is
 * confirmed.
 */
export interface CommitGuard {
  /** A statement takes long; it may be waiting for a lost standby. */
  doubt(): void;
  /** A connection was destroyed while a statement was in flight. */
  abandoned(): void;
  /** The error to reject statements with now; null while statements may be sent. */
  refusal(): CommitsStalled | null;
  /** Resolves at once unless commits are in doubt, and then when one is confirmed. */
  confirmed(): Promise<void>;
  /** Stops probing. Resolves when no probe is in flight. */
  stop(): Promise<void>;
}

/** Postgres responds but does not confirm commits, so the statement was not sent. */
export class CommitsStalled extends Error {
  constructor() {
    super('Postgres does not confirm commits: a synchronous standby may be lost');
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
