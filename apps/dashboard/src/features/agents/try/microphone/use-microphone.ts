import { useEffect, useRef, useState } from 'react';
import { socketAddress } from '../../../../shared/api/socket-address.ts';
import { MicrophoneSession, type MicrophoneState, type SoundLevels } from './microphone-session.ts';
import { troubleOf } from './microphone-words.ts';
import { openMicrophone } from './open-microphone.ts';
import { openSpeaker } from './open-speaker.ts';
import type { PageClock } from './ports.ts';

const SILENCE: SoundLevels = { you: 0, agent: 0 };
/** A meter that changes more often takes time, and looks no livelier. */
const LEVELS_MS = 100;

const pageClock: PageClock = {
  nowMs: () => performance.now(),
  after(delayMs, action) {
    const timer = setTimeout(action, delayMs);
    return () => clearTimeout(timer);
  },
};

export interface MicrophoneTry {
  /** Begins the try. Rejects if the service refuses it. */
  readonly begin: () => Promise<string>;
  /** Of its sound. */
  readonly pathOf: (tryId: string) => string;
  /** Its sound is over before the try. */
  readonly onCut: (tryId: string) => void;
}

/** The sound of a try by microphone, which ends with the page. */
export function useMicrophone() {
  const [state, setState] = useState<MicrophoneState>({ kind: 'off' });
  const [levels, setLevels] = useState(SILENCE);
  const session = useRef<MicrophoneSession | null>(null);
  const close = () => {
    session.current?.close();
    session.current = null;
    setLevels(SILENCE);
  };
  useEffect(() => close, []);
  return {
    state,
    levels,
    /** Call it in a click. */
    start: ({ begin, pathOf, onCut }: MicrophoneTry) => {
      close();
      let begun: string | null = null;
      const next = new MicrophoneSession({
        openMicrophone,
        openSpeaker,
        begin: async () => (begun = await begin()),
        openSocket: (tryId) => new WebSocket(socketAddress(pathOf(tryId))),
        clock: pageClock,
        onState(next) {
          setState(next);
          if (troubleOf(next) !== null && begun !== null) onCut(begun);
        },
        onLevels: throttled(setLevels),
      });
      session.current = next;
      void next.start();
    },
    /** The try has ended. What went wrong with its sound stays on the page. */
    stop: () => {
      close();
      setState((before) => (troubleOf(before) === null ? { kind: 'off' } : before));
    },
    /** Another try takes its place. */
    reset: () => {
      close();
      setState({ kind: 'off' });
    },
  };
}

/** Hands on the loudest of each side, now and then. */
function throttled(set: (levels: SoundLevels) => void): (levels: Partial<SoundLevels>) => void {
  let loudest = SILENCE;
  let setAtMs = 0;
  return ({ you = 0, agent = 0 }) => {
    loudest = { you: Math.max(loudest.you, you), agent: Math.max(loudest.agent, agent) };
    const nowMs = pageClock.nowMs();
    if (nowMs - setAtMs < LEVELS_MS) return;
    set(loudest);
    loudest = SILENCE;
    setAtMs = nowMs;
  };
}
