import { MONITOR_CLOSE, parseLiveSound, type MonitorClose } from '@outdial/contracts';
import { unreachable, type Clock, type Logger, type Timer } from '@outdial/kernel';
import type { ApiMetrics } from '@outdial/metrics';
import type { OwnAccount } from '@outdial/persistence';
import type { CallSoundSubscriptions } from '@outdial/queue';
import { MONITOR_LEASE_MS, type MonitorPlace, type MonitorPlaces } from '@outdial/reservations';
import type { WebSocket } from 'ws';

export interface MonitorDeps {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly places: MonitorPlaces;
  readonly sound: CallSoundSubscriptions;
  readonly metrics: Pick<ApiMetrics, 'monitorMessage'>;
}

export interface MonitorOptions extends MonitorPlace {
  readonly socket: WebSocket;
  /** The audit, in the name of the member. */
  readonly audit: OwnAccount['monitors'];
  /** Rejects while this cannot be determined. */
  readonly hasEnded: () => Promise<boolean>;
}

/** Three renewals fit into a lease: one that fails costs nothing. */
const RENEW_EVERY_MS = 4_000;
/** Two seconds of sound: a browser that is further behind misses what comes now. */
const MOST_UNREAD_BYTES = 32 * 1024;
/** A client that does not confirm the end has this long. */
const CLOSE_WITHIN_MS = 1_000;

/** One member who listens to one live call. It reads, and changes nothing but its place and the audit. */
export class Monitor {
  readonly #deps: MonitorDeps;
  readonly #options: MonitorOptions;
  readonly #gone: Promise<void>;
  #timer: Timer | undefined;
  #leaseEndsMs = 0;
  #isAlive = true;
  #isClosing = false;

  constructor(deps: MonitorDeps, options: MonitorOptions) {
    this.#deps = deps;
    this.#options = options;
    const { socket } = options;
    this.#gone = new Promise((resolve) => socket.once('close', () => resolve()));
    socket.on('error', () => socket.terminate());
    socket.on('pong', () => {
      this.#isAlive = true;
    });
    socket.on('message', () => this.close('not_allowed'));
  }

  /** Resolves once the member has left and its place is free. Never rejects. */
  async listen(): Promise<void> {
    const refusal = await this.#begin();
    if (refusal !== null) {
      this.close(refusal);
      return this.#gone;
    }
    const { clock, sound } = this.#deps;
    const { callId } = this.#options;
    const startedMs = clock.monotonicMs();
    const unfollow = sound.follow(callId, (message) => this.#pass(message));
    this.#renewLater();
    await this.#gone;
    this.#timer?.cancel();
    unfollow();
    await this.#leave(Math.round((clock.monotonicMs() - startedMs) / 1_000));
  }

  /** Idempotent. */
  close(reason: MonitorClose): void {
    if (this.#isClosing) return;
    this.#isClosing = true;
    const { socket } = this.#options;
    socket.close(MONITOR_CLOSE[reason], reason);
    this.#deps.clock.after(CLOSE_WITHIN_MS, () => socket.terminate());
  }

  /** Null: it listens. Audited before any sound is sent. */
  async #begin(): Promise<MonitorClose | null> {
    const { hasEnded, audit, callId } = this.#options;
    try {
      if (await hasEnded()) return 'call_ended';
      if ((await this.#take()) === 'full') return 'too_many';
    } catch {
      return 'unavailable';
    }
    try {
      if (await audit.began(callId)) return null;
      await this.#free();
      return 'call_ended';
    } catch {
      await this.#free();
      return 'unavailable';
    }
  }

  async #take(): Promise<'taken' | 'full'> {
    const { clock, places } = this.#deps;
    const askedMs = clock.monotonicMs();
    const outcome = await places.take(this.#options);
    if (outcome === 'taken') this.#leaseEndsMs = askedMs + MONITOR_LEASE_MS;
    return outcome;
  }

  /** If it fails, the lease runs out. */
  async #free(): Promise<void> {
    await this.#deps.places.leave(this.#options).catch(() => undefined);
  }

  async #leave(seconds: number): Promise<void> {
    const { audit, callId, accountId } = this.#options;
    const audited = audit
      .ended(callId, seconds)
      .catch((error: unknown) =>
        this.#deps.logger.warn(
          { event: 'monitor.end_not_audited', err: error, accountId, callId, seconds },
          'the end of a member’s listening is not in the audit',
        ),
      );
    await Promise.all([this.#free(), audited]);
  }

  #renewLater(): void {
    this.#timer = this.#deps.clock.after(RENEW_EVERY_MS, () => {
      const again = () => {
        if (!this.#isClosing && this.#options.socket.readyState === this.#options.socket.OPEN) this.#renewLater();
      };
      this.#renew().then(again, again);
    });
  }

  async #renew(): Promise<void> {
    const { socket, hasEnded } = this.#options;
    // A client that is gone without a word would hold its place for as long as its connection does.
    if (!this.#isAlive) return socket.terminate();
    this.#isAlive = false;
    socket.ping();
    try {
      if (await hasEnded()) return this.close('call_ended');
      if ((await this.#take()) === 'full') return this.close('too_many');
    } catch {
      // A store is away: the lease may last longer than that.
      const nextMs = this.#deps.clock.monotonicMs() + RENEW_EVERY_MS;
      if (nextMs >= this.#leaseEndsMs) this.close('unavailable');
    }
  }

  #pass(message: Uint8Array): void {
    const { socket } = this.#options;
    if (this.#isClosing || socket.readyState !== socket.OPEN) return;
    const sound = parseLiveSound(message);
    if (sound === null) return;
    switch (sound.kind) {
      case 'over':
        return this.close('call_ended');
      case 'sound': {
        const isBehind = socket.bufferedAmount > MOST_UNREAD_BYTES;
        if (!isBehind) socket.send(message);
        return this.#deps.metrics.monitorMessage(isBehind ? 'dropped' : 'sent');
      }
      default:
        return unreachable(sound);
    }
  }
}
