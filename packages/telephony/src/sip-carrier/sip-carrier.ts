import type { Carrier } from '@outdial/calls';
import { parseDescription, type UserAgent } from '@outdial/sip';
import { SipLeg, type SipLegDeps } from './sip-leg.ts';

export interface SipCarrierOptions extends SipLegDeps {
  readonly userAgent: Pick<UserAgent, 'call' | 'endByDescription'>;
}

/**
 * Places calls over SIP trunks. Their media is in the media thread: open a call's conversation there too, with the
 * `conversations` of the same media client.
 */
export function createSipCarrier(options: SipCarrierOptions): Carrier {
  return {
    name: 'sip',
    writeAheadDial: true,
    dial: (request) => new SipLeg(options, request),
    async endOrphan(dialog) {
      const description = parseDescription(dialog);
      if (description === undefined) return 'unknown';
      // The trunk may have been removed: without credentials the call can still be ended if the far end asks for none.
      const trunk = (await options.trunks.all()).find(({ name }) => name === description.trunk);
      return options.userAgent.endByDescription(description, trunk?.credentials ?? undefined);
    },
  };
}
