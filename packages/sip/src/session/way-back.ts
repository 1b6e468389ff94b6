import { TimerSet } from '../clock.ts';
import type { AgentCore } from '../agent/core.ts';
import type { Channel } from '../transport/transport.ts';
import type { DialogClient, RequestResult } from './dialog-client.ts';
import type { SessionRefresher } from './session-refresher.ts';

/** All calls of a connection lose it at once: they come back one after the other. */
const SPREAD_MS = 1_000;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 10_000;

export interface WayBackOptions {
  readonly core: Pick<AgentCore, 'clock' | 'random'>;
  readonly client: DialogClient;
  readonly refresher: SessionRefresher;
  /** The far end does not know the call any more. */
  readonly onLost: (detail: string) => void;
}

/**
 * Keeps a call within reach of the far end. Where nothing listens for a transport, the connection that we opened is the
 * only way by which its BYE can come: once it is gone another one is opened, and the far end is told of it by a target
 * refresh (RFC 3261 section 12.2). A far end that is away does not end the call: its media may well go on.
 */
export class WayBack {
  readonly #options: WayBackOptions;
  readonly #timers: TimerSet<'reopen'>;
  #watched: Channel | undefined;
  #unwatch: () => void = () => undefined;
  #stopped = false;

  constructor(options: WayBackOptions) {
    this.#options = options;
    this.#timers = new TimerSet(options.core.clock);
  }

  /** To be called once the far end has answered by a connection. */
  watch(channel: Channel): void {
    if (this.#stopped || !channel.onlyWayBack || this.#watched === channel) return;
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
        case 'told':
          this.watch(this.#options.client.channel);
          break;
        case 'again':
          this.#timers.start('reopen', pauseMs, () => this.#reopen(Math.min(pauseMs * 2, LONGEST_PAUSE_MS)));
          break;
        case 'unknown_call':
          this.#options.onLost('the far end does not know the call that its connection was lost of');
          break;
      }
    });
  }
}

function verdictOn(result: RequestResult): 'told' | 'again' | 'unknown_call' {
  if (result.kind === 'lost') return 'again';
  switch (result.response.status) {
    // RFC 3261 section 12.2.1.2: for the far end the call is over.
    case 408:
    case 481:
      return 'unknown_call';
    // A collision with a request of the far end, or an overload: it has not looked at our Contact.
    case 491:
    case 500:
    case 503:
      return 'again';
    default:
      return 'told';
  }
}
