import { unreachable, type Clock } from '@outdial/kernel';
import { ACCEPTS, personaAt, TransferredCall, type NumberTable, type Persona } from '@outdial/simulated-network';
import { parseSipUri, type IncomingReferral } from '@outdial/sip';
import { dialledNumber } from './number-table.ts';

export interface ReferredCallOptions {
  readonly referral: IncomingReferral;
  /** Of the telephone that was referred. */
  readonly persona: Persona;
  /** Who answers where the referral leads. */
  readonly table: NumberTable;
  readonly clock: Pick<Clock, 'after'>;
}

/**
 * What the network does with a REFER. It calls the target and reports on it, without media: the caller hangs up once the
 * target has answered. Undefined if nothing is called.
 */
export function followReferral({ referral, persona, table, clock }: ReferredCallOptions): TransferredCall | undefined {
  const answer = persona.transfer ?? ACCEPTS;
  switch (answer.kind) {
    case 'refuses':
      referral.reject(answer.sipCode);
      return undefined;
    case 'ignores':
      referral.accept();
      return undefined;
    case 'accepts':
      break;
    default:
      return unreachable(answer);
  }
  referral.accept();
  referral.notify(100);
  const number = dialledNumber(parseSipUri(referral.target)?.user ?? null);
  const call = new TransferredCall({
    persona: personaAt(table, number),
    clock,
    onStatus: (sipCode) => referral.notify(sipCode),
  });
  call.begin();
  return call;
}
