import { invariant, unreachable, type Clock } from '@outdial/kernel';
import type { CalleeSignal, NumberTable, Persona, Samples, TransferredCall } from '@outdial/simulated-network';
import type { IncomingReferral, IncomingSession, Rejection, SessionEvent } from '@outdial/sip';
import type { MediaClock, PortRange } from '@outdial/telephony';
import { PersonaEndpoint } from './persona-endpoint.ts';
import { followReferral } from './referred-call.ts';
import type { CallEvent } from './witness.ts';

/** ITU-T Q.850: no circuit or channel available. */
const NO_CIRCUIT = { q850Cause: 34, retryAfterSeconds: 5 } as const satisfies Rejection;

/** What all telephones of the network share. */
export interface TelephoneNetwork {
  readonly clock: Clock;
  /** One for each phase; a telephone's port selects its clock. */
  readonly mediaClocks: readonly MediaClock[];
  readonly ports: PortRange;
  /** Where RTP is received, for SDP. */
  readonly address: string;
  /** The direction that a callee offers when it puts the call on hold. */
  readonly hold: 'sendonly' | 'inactive';
  /** How long a caller may send no RTP before it is hung up. */
  readonly noAudioAfterMs: number;
  /** Every sound of every persona. */
  readonly samples: Samples;
}

export interface TelephoneOptions {
  readonly network: TelephoneNetwork;
  readonly session: IncomingSession;
  readonly persona: Persona;
  /** Whom a transfer reaches. */
  readonly table: NumberTable;
  /** All events of the call, in order; `ended` comes last, once. */
  readonly onEvent: (event: CallEvent) => void;
}

/** One call at the callee's end: carries out in SIP and RTP what the persona does. */
export class Telephone {
  readonly #options: TelephoneOptions;
  #endpoint: PersonaEndpoint | undefined;
  #referred: TransferredCall | undefined;
  #isOver = false;

  /** Call this in the tick in which the session was created, so that no event is missed. */
  constructor(options: TelephoneOptions) {
    this.#options = options;
    options.session.listen((event) => this.#onSessionEvent(event));
    options.session.onRefer((referral) => this.#onRefer(referral));
  }

  /** Starts the persona. Rejects when ports cannot be opened at all. */
  async begin(): Promise<void> {
    const { session, persona, network } = this.#options;
    if (!persona.reachable) return session.ignore();
    const sockets = await network.ports.open();
    // The caller may have canceled in between.
    if (this.#isOver) return sockets?.close();
    if (!sockets) return session.reject(503, NO_CIRCUIT);
    const mediaClock = network.mediaClocks[(sockets.rtpPort / 2) % network.mediaClocks.length];
    invariant(mediaClock, 'the network needs at least one media clock');
    this.#endpoint = new PersonaEndpoint({
      ...network,
      mediaClock,
      sockets,
      persona,
      onSignal: (signal) => this.#onSignal(signal),
      onNoAudio: () => session.hangUp(),
    });
  }

  /** Hangs up from the callee's side; `ended` follows. Idempotent. */
  hangUp(): void {
    this.#options.session.hangUp();
  }

  #onSignal(signal: CalleeSignal): void {
    const { session, onEvent } = this.#options;
    switch (signal.kind) {
      case 'ring':
        session.ring();
        return onEvent({ kind: 'ringing', sipCode: 180 });
      case 'progress':
        return this.#progress();
      case 'answer':
        return this.#answer();
      case 'reject':
        return session.reject(signal.sipCode, rejectionOf(signal));
      case 'hang_up':
        return session.hangUp();
      case 'hold':
        return void this.#hold(signal.held);
      case 'press':
        return this.#endpoint?.sendDigits(signal.digits);
      default:
        return unreachable(signal);
    }
  }

  #progress(): void {
    const { session, onEvent } = this.#options;
    const agreed = this.#endpoint && session.progress(this.#endpoint.audio);
    if (agreed) {
      this.#endpoint?.agree(agreed);
      this.#endpoint?.start();
    } else {
      // Without an offer in the INVITE, early media has no destination: the call rings in silence.
      session.ring();
    }
    onEvent({ kind: 'ringing', sipCode: agreed ? 183 : 180 });
  }

  #answer(): void {
    const { session, onEvent } = this.#options;
    const agreed = this.#endpoint && session.answer(this.#endpoint.audio);
    // Without a common codec the call was rejected, or the caller is gone: the session has reported it.
    if (agreed === undefined) return;
    // Null while the caller's answer is due with the ACK.
    if (agreed) this.#endpoint?.agree(agreed);
    this.#endpoint?.start();
    onEvent({ kind: 'answered' });
  }

  async #hold(held: boolean): Promise<void> {
    const { session, network, onEvent } = this.#options;
    const outcome = await session.reoffer(held ? network.hold : 'sendrecv');
    if (outcome === 'accepted' && !this.#isOver) onEvent({ kind: 'hold', held });
  }

  #onRefer(referral: IncomingReferral): void {
    const { persona, table, network, onEvent } = this.#options;
    onEvent({ kind: 'refer', target: referral.target });
    this.#referred?.stop();
    this.#referred = followReferral({ referral, persona, table, clock: network.clock });
  }

  #onSessionEvent(event: SessionEvent): void {
    switch (event.kind) {
      case 'media':
        return this.#endpoint?.agree(event.audio);
      case 'digits':
        return this.#endpoint?.press(event.digits);
      case 'ended':
        this.#isOver = true;
        this.#endpoint?.close();
        this.#referred?.stop();
        return this.#options.onEvent({ ...event, sound: this.#endpoint?.report ?? null });
      case 'dialog':
      case 'provisional':
      case 'answered':
      case 'referral':
        // Events of a calling session; a callee receives none of them.
        return;
      default:
        return unreachable(event);
    }
  }
}

function rejectionOf({ q850Cause, retryAfterSeconds }: Extract<CalleeSignal, { kind: 'reject' }>): Rejection {
  return {
    ...(q850Cause === null ? {} : { q850Cause }),
    ...(retryAfterSeconds === null ? {} : { retryAfterSeconds }),
  };
}
