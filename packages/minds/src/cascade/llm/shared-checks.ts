import { createHash } from 'node:crypto';
import type { Clock } from '@outdial/kernel';
import type { ProviderFailure } from '../../mind.ts';
import { providerFailure } from '../../failure.ts';
import type { LanguageModel } from './language-model.ts';

/** A provider that answered this recently need not be asked again. */
const FRESH_MS = 5_000;
/** Without anybody's limit, a check that several wait for ends by itself. */
const LONGEST_MS = 15_000;
const MAX_SERVERS = 1_024;

/** The same for all models that the same request checks. */
export interface CheckedServer {
  readonly address: string;
  readonly scope: string;
  readonly credential: string;
}

interface Check {
  readonly result: Promise<ProviderFailure | null>;
  readonly beganMs: number;
}

/**
 * One check for all calls that begin within some seconds with the same credential at the same address. A success counts for
 * all of them. A failure counts for the call that asked: the others ask for themselves.
 */
export class SharedChecks {
  readonly #clock: Clock;
  readonly #checks = new Map<string, Check>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  share(server: CheckedServer, model: LanguageModel): LanguageModel {
    const { check } = model;
    if (check === undefined) return model;
    const key = keyOf(server);
    const ask = (signal: AbortSignal) => untilAborted(check(signal), signal, server.credential);
    return {
      ...model,
      check: async (signal) => {
        const known = this.#fresh(key);
        if (known === undefined) return untilAborted(this.#begin(key, check), signal, server.credential);
        const isTaken = (await untilAborted(known, signal, server.credential)) === null;
        return isTaken ? null : ask(signal);
      },
    };
  }

  #fresh(key: string): Check['result'] | undefined {
    const known = this.#checks.get(key);
    return known !== undefined && this.#clock.monotonicMs() - known.beganMs < FRESH_MS ? known.result : undefined;
  }

  #begin(key: string, check: NonNullable<LanguageModel['check']>): Check['result'] {
    const limit = new AbortController();
    const timer = this.#clock.after(LONGEST_MS, () => limit.abort(new Error('no answer in time')));
    const result = check(limit.signal).finally(() => timer.cancel());
    const begun: Check = { result, beganMs: this.#clock.monotonicMs() };
    this.#checks.delete(key);
    this.#checks.set(key, begun);
    const [oldest] = this.#checks.keys();
    if (this.#checks.size > MAX_SERVERS && oldest !== undefined) this.#checks.delete(oldest);
    void this.#forgetIfFailed(key, begun);
    return result;
  }

  async #forgetIfFailed(key: string, begun: Check): Promise<void> {
    const isTaken = await begun.result.then(
      (failure) => failure === null,
      () => false,
    );
    if (!isTaken && this.#checks.get(key) === begun) this.#checks.delete(key);
  }
}

/** The credential itself is not kept. */
function keyOf({ address, scope, credential }: CheckedServer): string {
  return createHash('sha256')
    .update(JSON.stringify([address, scope, credential]))
    .digest('hex');
}

/** A caller whose time is over leaves the check to the others. */
function untilAborted(
  checking: Check['result'],
  signal: AbortSignal,
  credential: string,
): Promise<ProviderFailure | null> {
  const late = () =>
    providerFailure({ component: 'llm', kind: 'unreachable', message: 'no answer in time', credential });
  return new Promise((resolve, reject) => {
    const giveUp = () => resolve(late());
    signal.addEventListener('abort', giveUp, { once: true });
    if (signal.aborted) giveUp();
    void checking.then(resolve, reject).finally(() => signal.removeEventListener('abort', giveUp));
  });
}
