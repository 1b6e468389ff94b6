import type { UsageMeter } from '@outdial/calls';
import {
  micros,
  microsToDecimal,
  tryInputSchema,
  type Micros,
  type TryEndReason,
  type TryEvent,
  type UsageEntry,
} from '@outdial/contracts';
import { unreachable, type Timer } from '@outdial/kernel';
import type { TryJob } from '@outdial/persistence';
import type { CallToOpen } from '../model-thread/messages.ts';
import type { EventReporter } from './event-reporter.ts';
import type { TryDeps } from './ports.ts';
import { SoundTry } from './sound/sound-try.ts';
import { TextConversation } from './text-conversation.ts';

export interface LiveTryOptions {
  readonly deps: TryDeps;
  readonly job: TryJob;
  readonly meter: UsageMeter;
  readonly reporter: EventReporter;
  readonly stopping: AbortSignal;
}

/** One try while it runs: its lease, its time, its money, and what the person says. */
export class LiveTry {
  readonly #options: LiveTryOptions;
  readonly #timers = new Set<Timer>();
  readonly #over: Promise<TryEndReason>;
  #end: (reason: TryEndReason) => void = () => undefined;
  #text: TextConversation | null = null;
  #sound: SoundTry | null = null;
  #heardUntil = '0';
  #idle: Timer | null = null;
  #closed = false;
  #fenced = false;

  constructor(options: LiveTryOptions) {
    this.#options = options;
    this.#over = new Promise((resolve) => {
      this.#end = resolve;
    });
    if (options.stopping.aborted) this.#end('worker_lost');
    else options.stopping.addEventListener('abort', () => this.#end('worker_lost'), { once: true });
  }

  /** Another worker has the try. */
  get isFenced(): boolean {
    return this.#fenced;
  }

  /** What is known of its usage; the cost is at most the hold. */
  used(): { readonly usage: readonly UsageEntry[]; readonly costMicros: Micros } {
    const { meter, job } = this.#options;
    const spent = meter.report()?.costMicros ?? micros(0);
    return {
      usage: meter.report()?.entries ?? [],
      costMicros: spent < job.holdMicros ? spent : micros(job.holdMicros),
    };
  }

  keepLease(): void {
    const { renewEveryMs } = this.#options.deps.timings;
    this.#every(renewEveryMs, () => this.#renew());
  }

  /** Until it is over. Throws if the model cannot be opened. */
  async talk(call: CallToOpen): Promise<TryEndReason> {
    const { job, deps } = this.#options;
    this.#after(Math.max(0, job.remainingMs), () => this.#end('time_over'));
    this.#open(call);
    this.#every(deps.timings.pollEveryMs, () => this.#hear());
    return this.#over;
  }

  /** Resolves once the usage that is left is counted. Idempotent. */
  async close(): Promise<void> {
    this.#text?.close();
    this.#closed = true;
    this.#idle?.cancel();
    for (const timer of this.#timers) timer.cancel();
    await this.#sound?.close();
  }

  #open(call: CallToOpen): void {
    const { deps, job, meter, reporter } = this.#options;
    const { clock, logger, tools, openMind, sound, timings } = deps;
    const options = {
      call,
      tools,
      meter,
      clock,
      logger,
      report: (event: TryEvent) => {
        this.#isNotIdle();
        reporter.report(event);
      },
      onUsage: () => this.#onUsage(),
      onOver: (reason: TryEndReason) => this.#end(reason),
    };
    switch (job.medium) {
      case 'text': {
        const conversation = new TextConversation({ ...options, openMind });
        this.#text = conversation;
        this.#reportStart();
        this.#isNotIdle();
        return conversation.begin();
      }
      case 'microphone':
        this.#sound = new SoundTry({
          ...options,
          tryId: job.tryId,
          sound,
          timings,
          onSpeech: () => this.#isNotIdle(),
        });
        this.#reportStart();
        return this.#isNotIdle();
      default:
        return unreachable(job.medium);
    }
  }

  /** One side says something: the time without a word begins again. */
  #isNotIdle(): void {
    if (this.#closed) return;
    const { clock, timings } = this.#options.deps;
    this.#idle?.cancel();
    this.#idle = clock.after(timings.idleMs, () => this.#end('idle'));
  }

  #reportStart(): void {
    const { job, reporter } = this.#options;
    for (const { component, provider, model, isOwn } of job.models) {
      if (component !== 'realtime' && component !== 'llm') continue;
      return reporter.report({ type: 'started', component, provider, model, own_credential: isOwn });
    }
  }

  #onUsage(): void {
    const { job, reporter } = this.#options;
    const { usage, costMicros } = this.used();
    const items = usage.map(({ unit, quantity }) => ({ unit, quantity }));
    reporter.report({ type: 'usage', cost: microsToDecimal(costMicros), items });
    // An own credential costs nothing here, and has no hold.
    if (costMicros > 0n && costMicros >= job.holdMicros) this.#end('funds_spent');
  }

  async #renew(): Promise<void> {
    const { deps, job } = this.#options;
    const { tryId, lease } = job;
    // A store that is away does not end it: the lease may last longer than the outage.
    const renewed = await deps.store
      .renew({ tryId, lease, leaseMs: deps.timings.leaseMs, ...this.used() })
      .catch(() => 'unknown' as const);
    if (renewed !== 'fenced') return;
    this.#fenced = true;
    this.#end('worker_lost');
  }

  async #hear(): Promise<void> {
    const { deps, job } = this.#options;
    const sent = await deps.channel.sentAfter(job.tryId, this.#heardUntil).catch(() => []);
    for (const { id, text } of sent) {
      this.#heardUntil = id;
      const input = tryInputSchema.safeParse(JSON.parse(text));
      if (!input.success || this.#closed) continue;
      if (input.data.type === 'end') this.#end('ended_by_user');
      else this.#text?.hear(input.data.text);
    }
  }

  #every(intervalMs: number, round: () => Promise<void>): void {
    this.#after(intervalMs, () => {
      const again = () => {
        if (!this.#closed) this.#every(intervalMs, round);
      };
      round().then(again, again);
    });
  }

  #after(delayMs: number, callback: () => void): void {
    const timer = this.#options.deps.clock.after(delayMs, () => {
      this.#timers.delete(timer);
      callback();
    });
    this.#timers.add(timer);
  }
}
