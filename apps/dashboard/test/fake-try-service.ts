import {
  isTrySound,
  TRY_SOUND_CLOSE,
  type TryEndReason,
  type TrySoundClose,
  type TrySoundEvent,
} from '@outdial/contracts';
import type { PageClock, Socket } from '../src/features/agents/try/microphone/ports.ts';

/** A clock that stands until a test lets time pass. */
export class FakePageClock implements PageClock {
  #nowMs = 0;
  #waiting: { readonly atMs: number; readonly action: () => void }[] = [];

  nowMs(): number {
    return this.#nowMs;
  }

  after(delayMs: number, action: () => void): () => void {
    const timer = { atMs: this.#nowMs + delayMs, action };
    this.#waiting.push(timer);
    return () => {
      this.#waiting = this.#waiting.filter((one) => one !== timer);
    };
  }

  /** @param everyMs what happens in each millisecond, before its timers */
  pass(ms: number): void {
    const untilMs = this.#nowMs + ms;
    while (this.#nowMs < untilMs) {
      this.#nowMs += 1;
      const due = this.#waiting.filter(({ atMs }) => atMs <= this.#nowMs);
      this.#waiting = this.#waiting.filter(({ atMs }) => atMs > this.#nowMs);
      for (const { action } of due) action();
    }
  }
}

type Listener = (event: { readonly data: unknown; readonly code: number }) => void;

/** One connection of the sound of a try, as the service keeps it: it closes with 1003 on what is no sound. */
export class FakeConnection implements Socket {
  binaryType: BinaryType = 'blob';
  bufferedAmount = 0;
  readyState = 0;
  readonly heard: Uint8Array[] = [];
  /** The page closed it. */
  isLeft = false;
  #listeners: { readonly type: string; readonly listener: Listener }[] = [];

  addEventListener(type: string, listener: Listener): void {
    this.#listeners.push({ type, listener });
  }

  send(data: Uint8Array<ArrayBuffer>): void {
    if (this.readyState !== 1) throw new Error('WebSocket is already in CLOSING or CLOSED state.');
    if (!isTrySound(data)) return this.drop(TRY_SOUND_CLOSE.not_sound);
    this.heard.push(data);
  }

  close(): void {
    this.isLeft = true;
    this.readyState = 3;
  }

  open(): void {
    this.readyState = 1;
    this.#emit('open');
  }

  report(event: TrySoundEvent | { readonly kind: 'unknown' }): void {
    this.#emit('message', JSON.stringify(event));
  }

  speak(ulaw: Uint8Array<ArrayBuffer>): void {
    // A page that asked for no array buffers would get a blob.
    this.#emit('message', this.binaryType === 'arraybuffer' ? ulaw.buffer : new Blob([ulaw]));
  }

  /** The end of a try. */
  end(reason: TryEndReason): void {
    this.report({ kind: 'ended', reason });
    this.closeWith('ended');
  }

  closeWith(close: TrySoundClose): void {
    this.drop(TRY_SOUND_CLOSE[close]);
  }

  /** 1006: the network is gone, or the service refused the connection. */
  drop(code = 1006): void {
    this.readyState = 3;
    this.#emit('close', undefined, code);
  }

  #emit(type: string, data?: unknown, code = 0): void {
    for (const one of this.#listeners) if (one.type === type) one.listener({ data, code });
  }
}
