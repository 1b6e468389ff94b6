import type { Carrier } from '@outdial/calls';
import { parseDescription } from '../sip/dialog/description.ts';
import type { UserAgent } from '../sip/user-agent.ts';
import { SipLeg, type SipLegDeps } from './sip-leg.ts';

export interface SipCarrierOptions extends SipLegDeps {
  readonly userAgent: Pick<UserAgent, 'call' | 'endByDescription'>;
}

/**
 * Places calls over SIP trunks. Their sound is in the media thread; the conversation of a call is to be opened there
 * too, with the `conversations` of the same media client.
 */
export function createSipCarrier(options: SipCarrierOptions): Carrier {
  return {
    name: 'sip',
    writeAheadDial: true,
    dial: (request) => new SipLeg(options, request),
    async endOrphan(dialog) {
      const description = parseDescription(dialog);
      if (description === undefined) return 'unknown';
      // Of a trunk that was removed meanwhile: whoever does not ask for a password can still be told.
      const trunk = (await options.trunks.all()).find(({ name }) => name === description.trunk);
      return options.userAgent.endByDescription(description, trunk?.credentials ?? undefined);
    },
  };
}
