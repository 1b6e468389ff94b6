import type { CapturedSound } from './sound-cutter.ts';

/** The page's clock. */
export interface PageClock {
  nowMs(): number;
  /** Returns what cancels it. */
  after(delayMs: number, action: () => void): () => void;
}

/** Why the page has no microphone. */
export type MicrophoneProblem = 'insecure' | 'denied' | 'none' | 'busy' | 'unplugged';

export class MicrophoneError extends Error {
  readonly problem: MicrophoneProblem;

  constructor(problem: MicrophoneProblem, options?: ErrorOptions) {
    super(`no microphone: ${problem}`, options);
    this.problem = problem;
  }
}

export interface MicrophoneListener {
  readonly onSound: (sound: CapturedSound) => void;
  /** It was unplugged, or the person withdrew the permission. */
  readonly onLost: () => void;
}

export interface Microphone {
  close(): void;
}

export interface Speaker {
  play(ulaw: Uint8Array): void;
  /** Drops what is not played yet. */
  clear(): void;
  close(): void;
}

/** The part of a WebSocket that is used. */
export interface Socket {
  binaryType: BinaryType;
  /** `WebSocket.OPEN`, or another. */
  readonly readyState: number;
  readonly bufferedAmount: number;
  send(data: Uint8Array<ArrayBuffer>): void;
  close(): void;
  addEventListener(type: 'open', listener: () => void): void;
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void;
  addEventListener(type: 'close', listener: (event: { readonly code: number }) => void): void;
}
