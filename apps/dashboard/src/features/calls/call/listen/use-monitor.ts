import { MONITOR_CLOSE, parseLiveSound } from '@outdial/contracts';
import { useEffect, useRef, useState } from 'react';
import { socketAddress } from '../../../../shared/api/socket-address.ts';
import { monitorEndWords } from '../../model/monitor-words.ts';
import { callPath, type CallKey } from '../../queries/call-query.ts';
import { LivePlayer, type Levels } from './live-player.ts';

export type MonitorState =
  | { readonly kind: 'off' }
  | { readonly kind: 'connecting' }
  | { readonly kind: 'listening' }
  | { readonly kind: 'over'; readonly words: string };

const SILENCE: Levels = { callee: 0, agent: 0 };
const AGAIN_MS = 1_000;
/** In a row. */
const MOST_ATTEMPTS = 5;
const LOST = 'The connection to the service was lost. Try again.';

/** Listens to a live call while it is asked to, and stops with the page. */
export function useMonitor(key: CallKey) {
  const [state, setState] = useState<MonitorState>({ kind: 'off' });
  const [levels, setLevels] = useState(SILENCE);
  const current = useRef<Listening | null>(null);
  const stop = () => {
    current.current?.close();
    current.current = null;
    setLevels(SILENCE);
  };
  useEffect(() => stop, []);
  return {
    state,
    levels,
    start: () => {
      stop();
      current.current = new Listening(
        callPath(key, 'monitor'),
        (next) => {
          setState(next);
          if (next.kind === 'over') stop();
        },
        setLevels,
      );
    },
    stop: () => {
      stop();
      setState({ kind: 'off' });
    },
  };
}

/** One wish to listen: the sound, and the connections that bring it. */
class Listening {
  readonly #player = new LivePlayer();
  readonly #path: string;
  readonly #onState: (state: MonitorState) => void;
  readonly #onLevels: (levels: Levels) => void;
  #socket: WebSocket | null = null;
  #attempts = 0;
  #again: ReturnType<typeof setTimeout> | undefined;
  #isClosed = false;

  constructor(path: string, onState: (state: MonitorState) => void, onLevels: (levels: Levels) => void) {
    this.#path = path;
    this.#onState = onState;
    this.#onLevels = onLevels;
    this.#player.start();
    this.#connect();
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearTimeout(this.#again);
    this.#socket?.close();
    this.#player.close();
  }

  #connect(): void {
    this.#attempts += 1;
    this.#onState({ kind: 'connecting' });
    const socket = new WebSocket(socketAddress(this.#path));
    this.#socket = socket;
    socket.binaryType = 'arraybuffer';
    socket.addEventListener('open', () => {
      if (!this.#isClosed) this.#onState({ kind: 'listening' });
    });
    socket.addEventListener('message', ({ data }) => this.#hear(data));
    socket.addEventListener('close', ({ code }) => this.#onClose(code));
  }

  #hear(data: unknown): void {
    if (this.#isClosed || !(data instanceof ArrayBuffer)) return;
    const sound = parseLiveSound(new Uint8Array(data));
    if (sound?.kind !== 'sound') return;
    this.#attempts = 0;
    this.#onLevels(this.#player.play(sound.firstFrame, sound.ulaw));
  }

  #onClose(code: number): void {
    if (this.#isClosed) return;
    const words = monitorEndWords(code);
    if (words !== null) return this.#onState({ kind: 'over', words });
    if (this.#attempts >= MOST_ATTEMPTS) return this.#onState({ kind: 'over', words: LOST });
    this.#onState({ kind: 'connecting' });
    // A process that stops names itself: another one answers at once.
    const delayMs = code === MONITOR_CLOSE.stopping ? 0 : AGAIN_MS;
    this.#again = setTimeout(() => this.#connect(), delayMs);
  }
}
