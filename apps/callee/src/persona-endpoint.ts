import type { Clock } from '@outdial/kernel';
import { Callee, type CalleeSignal, type Persona, type Samples } from '@outdial/simulated-network';
import type { LocalAudio, NegotiatedAudio } from '@outdial/sip';
import {
  OFFERED_EVENT_PAYLOAD_TYPE,
  randomCanonicalName,
  randomIdentity,
  remoteMediaOf,
  RtpSession,
  type MediaClock,
  type RtpReport,
  type RtpSockets,
  type TickSubscription,
} from '@outdial/telephony';

export interface PersonaEndpointOptions {
  readonly sockets: RtpSockets;
  /** Our RTP address, for SDP. */
  readonly address: string;
  readonly clock: Clock;
  readonly mediaClock: MediaClock;
  readonly persona: Persona;
  readonly samples: Samples;
  /** A caller that sends no RTP for this long counts as gone: a silent one still sends packets. */
  readonly noAudioAfterMs: number;
  /** Never called before the constructor has returned. */
  readonly onSignal: (signal: CalleeSignal) => void;
  readonly onNoAudio: () => void;
}

/** A persona at the end of an RTP stream. It runs from the constructor to `close`, 20 ms at a time. */
export class PersonaEndpoint {
  /** The audio to offer and answer. */
  readonly audio: LocalAudio;
  readonly #rtp: RtpSession;
  readonly #callee: Callee;
  readonly #ticks: TickSubscription;
  #pressed = '';

  constructor(options: PersonaEndpointOptions) {
    const { sockets, address, clock, mediaClock, persona, samples, noAudioAfterMs, onSignal, onNoAudio } = options;
    this.#rtp = new RtpSession({
      sockets,
      clock,
      mediaClock,
      identity: randomIdentity(),
      canonicalName: randomCanonicalName(),
      random: Math.random,
      learning: 'same_host',
      noAudioAfterMs,
      onEvent: ({ kind }) => {
        // Digits are read at every tick.
        if (kind === 'no_audio') onNoAudio();
      },
      onSent: () => undefined,
    });
    const { localPort: port } = this.#rtp;
    const codecs = ['PCMU', 'PCMA'] as const;
    this.audio = { address, port, codecs, dtmfPayloadType: OFFERED_EVENT_PAYLOAD_TYPE, ptimeMs: 20 };
    this.#callee = new Callee({ persona, samples, onSignal });
    this.#ticks = mediaClock.prepare(() => this.#tick());
  }

  /** Applies the audio negotiated with the caller, the first and every later time. */
  agree(audio: NegotiatedAudio): void {
    this.#rtp.setRemote(remoteMediaOf(audio));
  }

  /** The statistics so far. */
  get report(): RtpReport {
    return this.#rtp.report;
  }

  /** Starts audio in both directions: with early media before the answer. */
  start(): void {
    this.#rtp.start();
  }

  /** Digits of the caller that did not come by RTP. */
  press(digits: string): void {
    this.#pressed += digits;
  }

  sendDigits(digits: string): void {
    this.#rtp.sendDigits(digits);
  }

  /** Stops the persona and frees its ports. Idempotent; may be called inside a signal. */
  close(): void {
    this.#ticks.cancel();
    this.#callee.stop();
    void this.#rtp.close();
  }

  #tick(): void {
    const digits = this.#rtp.receiveDigits() + this.#pressed;
    this.#pressed = '';
    const spoken = this.#callee.tick(this.#rtp.receive(), digits);
    if (spoken) this.#rtp.send(spoken);
  }
}
