import type { Clock } from '@outdial/kernel';
import { Pool, type PoolClient, type PoolConfig } from 'pg';
import type { CommitGuard } from './commit-guard.ts';
import { assertWritable } from './read-only.ts';
import { surviveLosses } from './survive-losses.ts';

type ConnectCallback = (
  error: Error | undefined,
  client: PoolClient | undefined,
  done: (release?: Error | boolean) => void,
) => void;

/** node-postgres has no class or code for this error. */
const READ_TIMEOUT = 'Query read timeout';

/** Shorter than a worker's statement timeout: a readiness check must know earlier. */
const LONG_MS = 1_000;

export interface GuardedPoolOptions {
  readonly config: PoolConfig;
  readonly guard: CommitGuard;
  readonly clock: Clock;
}

/**
 * A pool whose connections are writable, and which sends no statement while the guard rejects them. The pool destroys
 * each connection whose statement failed, so that a session that turned read-only does not stay either.
 */
export class GuardedPool extends Pool {
  readonly #guard: CommitGuard;
  readonly #clock: Clock;
  readonly #busySinceMs = new Map<PoolClient, number>();
  #isCheckScheduled = false;

  constructor({ config, guard, clock }: GuardedPoolOptions) {
    super({
      ...config,
      verify: (client, done) => void verify(client, guard, done),
    });
    this.#guard = guard;
    this.#clock = clock;
    surviveLosses(this);
    this.on('acquire', (client) => {
      this.#busySinceMs.set(client, clock.monotonicMs());
      this.#scheduleCheck();
    });
    this.on('release', (error: Error | undefined, client) => {
      this.#busySinceMs.delete(client);
      if (error?.message === READ_TIMEOUT) guard.abandoned();
    });
  }

  /** One timer for all statements: one per statement would cost more than most statements do. */
  #scheduleCheck(): void {
    if (this.#isCheckScheduled) return;
    this.#isCheckScheduled = true;
    this.#clock.after(LONG_MS, () => {
      this.#isCheckScheduled = false;
      if (this.#busySinceMs.size === 0) return;
      const longAgoMs = this.#clock.monotonicMs() - LONG_MS;
      if ([...this.#busySinceMs.values()].some((sinceMs) => sinceMs <= longAgoMs)) this.#guard.doubt();
      this.#scheduleCheck();
    });
  }

  override connect(): Promise<PoolClient>;
  override connect(callback: ConnectCallback): void;
  override connect(callback?: ConnectCallback): Promise<PoolClient> | void {
    const refusal = this.#guard.refusal();
    if (refusal === null) return callback ? super.connect(callback) : super.connect();
    if (!callback) return Promise.reject(refusal);
    callback(refusal, undefined, () => undefined);
  }
}

type Verified = (rejection?: Error) => void;

async function verify(client: PoolClient, guard: CommitGuard, done: Verified): Promise<void> {
  done(await rejectionOf(client, guard));
}

/** @returns why a new connection must not be used */
async function rejectionOf(client: PoolClient, guard: CommitGuard): Promise<Error | undefined> {
  try {
    await assertWritable(client);
    return guard.refusal() ?? undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error('the connection cannot be used', { cause: error });
  }
}
