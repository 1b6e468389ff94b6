import { TimerSet } from '../clock.ts';
import type { AgentCore } from '../core/agent-core.ts';
import type { Channel } from '../transport/transport.ts';
import type { DialogClient, RequestResult } from './dialog-client.ts';
import type { SessionRefresher } from './session-refresher.ts';

/** All calls of a connection lose it at once: they reconnect one after the other. */
const SPREAD_MS = 1_000;
const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 10_000;

export interface ReachabilityOptions {
  readonly core: Pick<AgentCore, 'clock' | 'random'>;
  readonly client: DialogClient;
  readonly refresher: SessionRefresher;
  /** The far end no longer knows the call. */
  readonly onLost: (detail: string) => void;
}

/**
 * Keeps a call reachable for the far end. Where nothing listens for a transport, the far end's BYE can come only over
 * the connection that we opened. When that connection is lost, this class opens another and announces it by a target
 * refresh (RFC 3261 section 12.2). An unreachable far end does not end the call: its media may well continue.
 */
export class ReachabilityKeeper {
  readonly #options: ReachabilityOptions;
  readonly #timers: TimerSet<'reopen'>;
  #watched: Channel | undefined;
  #unwatch: () => void = () => undefined;
  #stopped = false;

  constructor(options: ReachabilityOptions) {
    this.#options = options;
    this.#timers = new TimerSet(options.core.clock);
  }

  /** Call this once the far end has answered over a connection. */
  watch(channel: Channel): void {
    if (this.#stopped || !channel.isOnlyReturnPath || this.#watched === channel) return;
    this.#unwatch();
    this.#watched = channel;
    this.#unwatch = channel.onClosed(() => {
      this.#timers.start('reopen', this.#options.core.random() * SPREAD_MS, () => this.#reopen(FIRST_PAUSE_MS));
    });
  }

  stop(): void {
    this.#stopped = true;
    this.#unwatch();
    this.#timers.cancelAll();
  }

  #reopen(pauseMs: number): void {
    this.#options.refresher.refreshNow((result) => {
      if (this.#stopped) return;
      switch (verdictOn(result)) {
        case 'log':
          this.watch(this.#options.client.channel);
          break;
        case 'again':
          this.#timers.start('reopen', pauseMs, () => this.#reopen(Math.min(pauseMs * 2, MAX_PAUSE_MS)));
          break;
        case 'unknown_call':
          this.#options.onLost('the far end does not know the call whose connection was lost');
          break;
      }
    });
  }
}

function verdictOn(result: RequestResult): 'log' | 'again' | 'unknown_call' {
  if (result.kind === 'lost') return 'again';
  switch (result.response.status) {
    // RFC 3261 section 12.2.1.2: for the far end the call has ended.
    case 408:
    case 481:
      return 'unknown_call';
    // A glare or an overload: the far end did not look at our Contact.
    case 491:
    case 500:
    case 503:
      return 'again';
    default:
      return 'log';
  }
}
