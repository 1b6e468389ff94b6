import {
  MicrophoneError,
  type Microphone,
  type MicrophoneListener,
  type PageClock,
  type MicrophoneProblem,
  type Socket,
  type Speaker,
} from './ports.ts';
import { SoundLink, type LinkEnd } from './sound-link.ts';

export type MicrophoneState =
  | { readonly kind: 'off' }
  /** The browser asks the person. */
  | { readonly kind: 'asking' }
  /** The try begins, and its agent gets ready. */
  | { readonly kind: 'starting' }
  | { readonly kind: 'talking' }
  | { readonly kind: 'broken' }
  | { readonly kind: 'over'; readonly end: LinkEnd }
  | { readonly kind: 'no_microphone'; readonly problem: MicrophoneProblem };

/** How loud each side is, from 0 to 100. */
export interface SoundLevels {
  readonly you: number;
  readonly agent: number;
}

export interface MicrophoneSessionPorts {
  readonly openMicrophone: (listener: MicrophoneListener) => Promise<Microphone>;
  readonly openSpeaker: (onLevel: (level: number) => void) => Promise<Speaker>;
  /** Begins the try. Rejects if the service refuses it. */
  readonly begin: () => Promise<string>;
  /** For the sound of this try. */
  readonly openSocket: (tryId: string) => Socket;
  readonly clock: PageClock;
  readonly onState: (state: MicrophoneState) => void;
  readonly onLevels: (levels: Partial<SoundLevels>) => void;
}

/** One try by microphone, on the page's side: the microphone first, so that nothing is begun, or paid, without one. */
export class MicrophoneSession {
  readonly #ports: MicrophoneSessionPorts;
  #microphone: Microphone | null = null;
  #speaker: Speaker | null = null;
  #link: SoundLink | null = null;
  #isClosed = false;

  constructor(ports: MicrophoneSessionPorts) {
    this.#ports = ports;
  }

  /** Call it in a click. Resolves once the connection is on its way, or there will be none. */
  async start(): Promise<void> {
    const { begin, onState } = this.#ports;
    onState({ kind: 'asking' });
    if (!(await this.#open()) || this.#isClosed) return;
    onState({ kind: 'starting' });
    const tryId = await begin().catch(() => null);
    if (this.#isClosed) return;
    if (tryId === null) this.#finish({ kind: 'off' });
    else this.#connect(tryId);
  }

  /** Releases the microphone. The try ends on the service's side. Idempotent. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#link?.close();
    this.#microphone?.close();
    this.#speaker?.close();
  }

  async #open(): Promise<boolean> {
    const { openMicrophone, openSpeaker, onLevels } = this.#ports;
    try {
      const microphone = await openMicrophone({
        onSound: ({ ulaw, level }) => {
          this.#link?.send(ulaw);
          if (!this.#isClosed) onLevels({ you: level });
        },
        onLost: () => this.#finish({ kind: 'no_microphone', problem: 'unplugged' }),
      });
      // Closed while the browser asked.
      if (this.#isClosed) microphone.close();
      else this.#microphone = microphone;
      const speaker = await openSpeaker((level) => {
        if (!this.#isClosed) onLevels({ agent: level });
      });
      if (this.#isClosed) speaker.close();
      else this.#speaker = speaker;
      return true;
    } catch (error) {
      const problem = error instanceof MicrophoneError ? error.problem : 'busy';
      this.#finish({ kind: 'no_microphone', problem });
      return false;
    }
  }

  #connect(tryId: string): void {
    const { openSocket, clock, onState } = this.#ports;
    this.#link = new SoundLink({
      openSocket: () => openSocket(tryId),
      clock,
      onHeard: () => onState({ kind: 'talking' }),
      onBroken: () => onState({ kind: 'broken' }),
      onSound: (ulaw) => this.#speaker?.play(ulaw),
      onClear: () => this.#speaker?.clear(),
      onOver: (end) => this.#finish({ kind: 'over', end }),
    });
  }

  #finish(state: MicrophoneState): void {
    if (this.#isClosed) return;
    this.close();
    this.#ports.onState(state);
  }
}
