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

/** The driver has no class or code for it. */
const READ_TIMEOUT = 'Query read timeout';

/** A worker waits longer for a statement; whoever asks whether it is ready must know before. */
const LONG_MS = 1_000;

export interface GuardedPoolOptions {
  readonly config: PoolConfig;
  readonly guard: CommitGuard;
  readonly clock: Clock;
}

/**
 * A pool whose connections can write, and which sends nothing while the guard refuses it. The pool destroys each
 * connection whose statement failed, so that a session that turned read-only does not stay either.
 */
export class GuardedPool extends Pool {
  readonly #guard: CommitGuard;
  readonly #clock: Clock;
  readonly #busySinceMs = new Map<PoolClient, number>();
  #isLookDue = false;

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
      this.#lookLater();
    });
    this.on('release', (error: Error | undefined, client) => {
      this.#busySinceMs.delete(client);
      if (error?.message === READ_TIMEOUT) guard.abandoned();
    });
  }

  /** One timer for all statements: one each would cost more than many of them do. */
  #lookLater(): void {
    if (this.#isLookDue) return;
    this.#isLookDue = true;
    this.#clock.after(LONG_MS, () => {
      this.#isLookDue = false;
      if (this.#busySinceMs.size === 0) return;
      const longAgoMs = this.#clock.monotonicMs() - LONG_MS;
      if ([...this.#busySinceMs.values()].some((sinceMs) => sinceMs <= longAgoMs)) this.#guard.doubt();
      this.#lookLater();
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

type Verified = (reasonAgainst?: Error) => void;

async function verify(client: PoolClient, guard: CommitGuard, done: Verified): Promise<void> {
  done(await reasonAgainst(client, guard));
}

/** @returns why a new connection is not to be used. */
async function reasonAgainst(client: PoolClient, guard: CommitGuard): Promise<Error | undefined> {
  try {
    await assertWritable(client);
    return guard.refusal() ?? undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error('the connection cannot be used', { cause: error });
  }
}
