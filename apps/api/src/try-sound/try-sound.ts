import {
  isTrySound,
  TRY_SOUND,
  TRY_SOUND_CLOSE,
  type TryEndReason,
  type TryId,
  type TrySoundClose,
  type TrySoundEvent,
} from '@outdial/contracts';
import { unreachable, type Clock, type Timer } from '@outdial/kernel';
import type { TryRecord } from '@outdial/persistence';
import { TRY_SOUND_LEASE_MS, type FromAgent, type PersonEnd, type TrySoundPlaces } from '@outdial/queue';
import type { WebSocket } from 'ws';
import { createSoundRate, type SoundRate } from './sound-rate.ts';

export interface TrySoundDeps {
  readonly clock: Clock;
  readonly end: PersonEnd;
  readonly places: TrySoundPlaces;
}

export interface TrySoundOptions {
  readonly tryId: TryId;
  /** Of this connection. */
  readonly connection: string;
  readonly socket: WebSocket;
  /** Rejects while this cannot be determined. */
  readonly find: () => Promise<TryRecord | null>;
}

/** Until the agent hears, which takes a moment after the try began. */
const KNOCK_EVERY_MS = 250;
/** Several fit into the lease, and into the time that a worker waits for its person. */
const RENEW_EVERY_MS = 1_000;
/** A browser that answers no ping for so long is gone. */
const MOST_SILENT_ROUNDS = 3;
/** Two seconds of sound: a browser that is further behind misses what comes now. */
const MOST_UNREAD_BYTES = 16 * 1024;
/** A client that sends too fast is not read for this long, so that its flood costs this process little. */
const PAUSE_MS = 100;
/** A client that does not confirm the end has this long. */
const CLOSE_WITHIN_MS = 1_000;

/** The connection of a person at a microphone with the agent that they try. */
export class TrySound {
  readonly #deps: TrySoundDeps;
  readonly #options: TrySoundOptions;
  readonly #gone: Promise<void>;
  readonly #rate: SoundRate;
  #timer: Timer | undefined;
  #leaseEndsMs = 0;
  #rounds = 0;
  #silentRounds = 0;
  #doesHear = false;
  #isPaused = false;
  #isClosing = false;

  constructor(deps: TrySoundDeps, options: TrySoundOptions) {
    this.#deps = deps;
    this.#options = options;
    const { socket } = options;
    this.#rate = createSoundRate(deps.clock.monotonicMs());
    this.#gone = new Promise((resolve) => socket.once('close', () => resolve()));
    socket.on('error', () => socket.terminate());
    socket.on('pong', () => {
      this.#silentRounds = 0;
    });
    socket.on('message', (data, isBinary) => {
      if (isBinary && data instanceof Buffer) this.#hear(data);
      else this.close('not_sound');
    });
  }

  /** Resolves once the person has left and the place is free. Never rejects. */
  async carry(): Promise<void> {
    const { clock, end, places } = this.#deps;
    const { tryId, connection } = this.#options;
    const refusal = await this.#begin();
    if (refusal !== null) {
      this.close(refusal);
      return this.#gone;
    }
    const unfollow = end.follow(tryId, (message) => this.#pass(message));
    const knock = () => {
      if (this.#isClosing || this.#doesHear) return;
      end.send(tryId, { kind: 'present' });
      clock.after(KNOCK_EVERY_MS, knock);
    };
    knock();
    this.#renewLater();
    await this.#gone;
    this.#isClosing = true;
    this.#timer?.cancel();
    unfollow();
    // If it fails, the lease runs out.
    await places.leave(tryId, connection).catch(() => undefined);
  }

  /** Idempotent. */
  close(reason: TrySoundClose): void {
    if (this.#isClosing) return;
    this.#isClosing = true;
    const { socket } = this.#options;
    socket.close(TRY_SOUND_CLOSE[reason], reason);
    this.#deps.clock.after(CLOSE_WITHIN_MS, () => socket.terminate());
  }

  /** Null: it may begin. */
  async #begin(): Promise<TrySoundClose | null> {
    try {
      return (await this.#take()) === 'taken' ? null : 'taken';
    } catch {
      return 'unavailable';
    }
  }

  async #take(): Promise<'taken' | 'held'> {
    const { clock, places } = this.#deps;
    const askedMs = clock.monotonicMs();
    const outcome = await places.take(this.#options.tryId, this.#options.connection);
    if (outcome === 'taken') this.#leaseEndsMs = askedMs + TRY_SOUND_LEASE_MS;
    return outcome;
  }

  #renewLater(): void {
    const { clock } = this.#deps;
    const again = () => {
      if (!this.#isClosing) this.#timer = clock.after(RENEW_EVERY_MS, () => this.#renewLater());
    };
    this.#round().then(again, () => {
      // A store is away: the lease may last longer than that.
      if (clock.monotonicMs() + RENEW_EVERY_MS >= this.#leaseEndsMs) this.close('unavailable');
      again();
    });
  }

  /** The worker hears that the person is there, as long as the browser answers. */
  async #round(): Promise<void> {
    const { socket, find, tryId } = this.#options;
    if (this.#silentRounds >= MOST_SILENT_ROUNDS) return socket.terminate();
    this.#silentRounds += 1;
    socket.ping();
    this.#deps.end.send(tryId, { kind: 'present' });
    if ((await this.#take()) === 'held') return this.close('taken');
    // What Redis lost is in Postgres.
    this.#rounds += 1;
    if (this.#rounds % 2 === 0) return;
    const record = await find();
    if (record !== null && record.endedReason !== null) this.#end(record.endedReason);
  }

  #hear(ulaw: Buffer): void {
    const { clock, end } = this.#deps;
    if (this.#isClosing) return;
    if (!isTrySound(ulaw)) return this.close('not_sound');
    if (!this.#rate.takes(ulaw.length / TRY_SOUND.frameBytes, clock.monotonicMs())) return this.#pause();
    if (this.#doesHear) end.send(this.#options.tryId, { kind: 'sound', ulaw });
  }

  #pause(): void {
    if (this.#isPaused) return;
    this.#isPaused = true;
    const { socket } = this.#options;
    socket.pause();
    this.#deps.clock.after(PAUSE_MS, () => {
      this.#isPaused = false;
      socket.resume();
    });
  }

  #pass(message: FromAgent): void {
    const { socket } = this.#options;
    if (this.#isClosing) return;
    switch (message.kind) {
      case 'sound':
        if (socket.bufferedAmount <= MOST_UNREAD_BYTES) socket.send(message.ulaw);
        return;
      case 'hears':
        if (!this.#doesHear) this.#say({ kind: 'started' });
        this.#doesHear = true;
        return;
      case 'clear':
        return this.#say({ kind: 'clear' });
      case 'ended':
        return this.#end(message.reason);
      default:
        return unreachable(message);
    }
  }

  #end(reason: TryEndReason): void {
    if (this.#isClosing) return;
    this.#say({ kind: 'ended', reason });
    this.close('ended');
  }

  /** To a browser that does not read, nothing is added. */
  #say(event: TrySoundEvent): void {
    const { socket } = this.#options;
    if (socket.bufferedAmount <= 2 * MOST_UNREAD_BYTES) socket.send(JSON.stringify(event));
  }
}
