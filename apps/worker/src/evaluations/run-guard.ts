import type { RunProblem } from '@outdial/contracts';
import type { Timer } from '@outdial/kernel';
import type { RunJob } from '@outdial/persistence';
import type { EvaluationDeps, EvaluationTimings } from './ports.ts';
import type { RunUsage } from './run-usage.ts';

export interface RunGuardDeps extends Pick<EvaluationDeps, 'clock'> {
  readonly evaluations: Pick<EvaluationDeps['evaluations'], 'renewRun'>;
  readonly pace: Pick<EvaluationTimings, 'leaseMs' | 'renewEveryMs'>;
}

type GuardedJob = Pick<RunJob, 'tryId' | 'lease' | 'remainingMs'>;

/** Keeps the lease of a run, and stops it when its lease, its money, its time or its evaluation is gone. */
export class RunGuard {
  readonly #deps: RunGuardDeps;
  readonly #job: GuardedJob;
  readonly #usage: Pick<RunUsage, 'used'>;
  readonly #stopped = new AbortController();
  /** The signal of the worker outlives every run. */
  readonly #listening = new AbortController();
  #timer: Timer | null = null;
  readonly #timeOver: Timer;
  #problem: RunProblem | null = null;
  #fenced = false;
  #closed = false;

  constructor(deps: RunGuardDeps, job: GuardedJob, usage: Pick<RunUsage, 'used'>, stopping: AbortSignal) {
    this.#deps = deps;
    this.#job = job;
    this.#usage = usage;
    if (stopping.aborted) this.stop('worker_lost');
    else stopping.addEventListener('abort', () => this.stop('worker_lost'), { signal: this.#listening.signal });
    // Providers that are slow with every judgement would keep its place of the worker, and its lines, for an hour.
    this.#timeOver = deps.clock.after(Math.max(0, job.remainingMs), () => this.stop('provider_unavailable'));
    this.#renewLater();
  }

  get signal(): AbortSignal {
    return this.#stopped.signal;
  }

  /** Why it was stopped. */
  get problem(): RunProblem | null {
    return this.#problem;
  }

  /** Another worker has ended the run. */
  get isFenced(): boolean {
    return this.#fenced;
  }

  stop(problem: RunProblem): void {
    this.#problem ??= problem;
    this.#stopped.abort();
  }

  /** Stores what was used by now, and the end of the lease. */
  async renew(): Promise<void> {
    const { evaluations, pace } = this.#deps;
    const { tryId, lease } = this.#job;
    // A store that is away does not end it: the lease may last longer than the outage.
    const renewed = await evaluations
      .renewRun({ tryId, lease, leaseMs: pace.leaseMs, ...this.#usage.used() })
      .catch(() => 'unknown' as const);
    if (renewed === 'cancelled') this.stop('cancelled');
    if (renewed !== 'fenced') return;
    this.#fenced = true;
    this.stop('worker_lost');
  }

  close(): void {
    this.#closed = true;
    this.#listening.abort();
    this.#timeOver.cancel();
    this.#timer?.cancel();
  }

  #renewLater(): void {
    this.#timer = this.#deps.clock.after(this.#deps.pace.renewEveryMs, () => {
      const again = () => {
        if (!this.#closed) this.#renewLater();
      };
      this.renew().then(again, again);
    });
  }
}
