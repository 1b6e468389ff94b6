import { pause, type Clock } from '@outdial/kernel';
import type { ToolOutcome, ToolRun, ToolRunner } from './tool-runner.ts';

export interface AccountBoundOptions {
  readonly runner: ToolRunner;
  /** Of one account at a time; further ones wait. */
  readonly maxOfAccount: number;
  readonly clock: Clock;
}

interface Account {
  running: number;
  readonly waiting: (() => void)[];
}

const BUSY: ToolOutcome = { kind: 'failed', output: 'too many tools run at the same time: try again later' };
const STOPPED: ToolOutcome = { kind: 'failed', output: 'the call is over' };

/**
 * Bounds the tools of each account that run at a time, so that one whose server hangs takes neither connections nor memory
 * from others. A tool waits for at most as long as it may run.
 */
export function createAccountBoundRunner(options: AccountBoundOptions): ToolRunner {
  return new AccountBoundRunner(options);
}

class AccountBoundRunner implements ToolRunner {
  readonly #options: AccountBoundOptions;
  readonly #accounts = new Map<string, Account>();

  constructor(options: AccountBoundOptions) {
    this.#options = options;
  }

  async run(run: ToolRun): Promise<ToolOutcome> {
    const { runner, maxOfAccount } = this.#options;
    const account = this.#accountOf(run.accountId);
    if (account.running < maxOfAccount) account.running += 1;
    else if (!(await this.#getsPlace(account, run))) return run.signal.aborted ? STOPPED : BUSY;
    try {
      return await runner.run(run);
    } finally {
      this.#leave(run.accountId, account);
    }
  }

  /** False: none became free in time. */
  async #getsPlace(account: Account, { signal, tool }: ToolRun): Promise<boolean> {
    const given = new AbortController();
    const take = () => given.abort();
    account.waiting.push(take);
    await pause(this.#options.clock, tool.timeout_ms, AbortSignal.any([signal, given.signal]));
    if (!given.signal.aborted) account.waiting.splice(account.waiting.indexOf(take), 1);
    return given.signal.aborted;
  }

  /** The place goes to who has waited longest. */
  #leave(accountId: string, account: Account): void {
    const next = account.waiting.shift();
    if (next !== undefined) return next();
    account.running -= 1;
    if (account.running === 0) this.#accounts.delete(accountId);
  }

  #accountOf(accountId: string): Account {
    const known = this.#accounts.get(accountId) ?? { running: 0, waiting: [] };
    this.#accounts.set(accountId, known);
    return known;
  }
}
