import { describeCarrier } from '@outdial/calls/testing';
import { dialRequest } from '@outdial/telephony/testing';
import { openNetwork } from '../../test/network.ts';

const NUMBERS = { leaves: '+12025550105', stays: '+12025550108', rings: '+12025550102', busy: '+12025550101' } as const;

describeCarrier('the simulated network', async () => {
  const at = openNetwork();
  return {
    carrier: at.carrier,
    request: (callee, changes) => dialRequest(NUMBERS[callee], changes),
    reached: () => at.dialled.length,
    pass: (happened) => at.clock.turnUntil(happened, 200_000),
    close: async () => undefined,
  };
});
