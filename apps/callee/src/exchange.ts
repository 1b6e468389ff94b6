import { pause, type Logger } from '@outdial/kernel';
import { personaAt, type NumberTable } from '@outdial/simulated-network';
import type { IncomingSession } from '@outdial/sip';
import { dialledNumber } from './number-table.ts';
import { Telephone, type TelephoneNetwork } from './telephone.ts';
import type { CallEvent, Witness } from './witness.ts';

export interface ExchangeOptions {
  readonly network: TelephoneNetwork;
  readonly table: NumberTable;
  readonly witness: Witness;
  readonly logger: Logger;
}

/** Connects calls: only the dialed number decides which telephone rings. */
export class Exchange {
  readonly #options: ExchangeOptions;
  readonly #live = new Set<Telephone>();
  #onQuiet: (() => void) | undefined;
  #isClosing = false;

  constructor(options: ExchangeOptions) {
    this.#options = options;
  }

  take(session: IncomingSession): void {
    const { network, table, witness, logger } = this.#options;
    const calleeNumber = dialledNumber(session.calledNumber);
    const persona = personaAt(table, calleeNumber);
    const { callId: sipCallId, callerNumber } = session;
    const parties = { sipCallId, calleeNumber, callerNumber, persona: persona.name };
    const onEvent = (event: CallEvent): void => {
      if (event.kind === 'ended') this.#forget(telephone);
      witness(parties, event);
    };
    const telephone = new Telephone({ network, session, persona, table, onEvent });
    this.#live.add(telephone);
    witness(parties, { kind: 'invite' });
    if (this.#isClosing) return session.reject(503);
    telephone.begin().catch((error: unknown) => {
      logger.error({ event: 'callee.no_rtp_port', err: error, sipCallId }, 'no port could be opened for a call');
      session.reject(500);
    });
  }

  /** Rejects new calls, hangs up the current ones, and waits for their far ends up to `limitMs`. */
  async close(limitMs: number): Promise<void> {
    this.#isClosing = true;
    for (const telephone of this.#live) telephone.hangUp();
    if (this.#live.size === 0) return;
    const quiet = new Promise<void>((resolve) => {
      this.#onQuiet = resolve;
    });
    await Promise.race([quiet, pause(this.#options.network.clock, limitMs)]);
  }

  #forget(telephone: Telephone): void {
    this.#live.delete(telephone);
    if (this.#live.size === 0) this.#onQuiet?.();
  }
}
