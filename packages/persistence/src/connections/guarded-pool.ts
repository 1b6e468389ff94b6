import { Pool, type PoolClient, type PoolConfig } from 'pg';
import type { CommitGuard } from './commit-guard.ts';
import { assertWritable } from './read-only.ts';

type ConnectCallback = (
  error: Error | undefined,
  client: PoolClient | undefined,
  done: (release?: Error | boolean) => void,
) => void;

/** The driver has no class or code for it. */
const READ_TIMEOUT = 'Query read timeout';

/**
 * A pool whose connections can write, and which sends nothing while the guard refuses it. The pool destroys each
 * connection whose statement failed, so that a session that turned read-only does not stay either.
 */
export class GuardedPool extends Pool {
  readonly #guard: CommitGuard;

  constructor(config: PoolConfig, guard: CommitGuard) {
    super({
      ...config,
      verify: (client, done) => {
        assertWritable(client).then(() => done(guard.refusal() ?? undefined), done);
      },
    });
    this.#guard = guard;
    this.on('release', (error: Error | undefined) => {
      if (error?.message === READ_TIMEOUT) guard.abandoned();
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
