import { describe } from 'vitest';
import { e164Schema } from '@outdial/contracts';
import type { DialRequest } from '../src/ports/carrier.ts';
import type { Callee } from '../src/testing/carrier/carrier-stage.ts';
import { describeCarrier } from '../src/testing/carrier/describe-carrier.ts';
import { newAccountId, newCallId } from '../src/testing/ids.ts';
import { FakeCarrier, type FakeLeg } from './fake-carrier.ts';

/** What the tests do by hand. */
function behave(leg: FakeLeg, callee: Callee): void {
  if (callee === 'busy') return leg.end({ outcome: 'busy', sipCode: 486 });
  leg.emit({ kind: 'ringing', sipCode: 180 });
  if (callee === 'rings') return;
  leg.emit({ kind: 'answered' });
  if (callee === 'leaves') leg.end({ outcome: 'completed' });
}

const requestWith = (changes: Partial<DialRequest>): DialRequest => ({
  callId: newCallId(),
  accountId: newAccountId(),
  callerNumber: e164Schema.parse('+12025550199'),
  calleeNumber: e164Schema.parse('+12025550100'),
  ringTimeoutMs: 30_000,
  maxDurationMs: 1_800_000,
  acquiredTrunk: null,
  mayDial: () => true,
  awaitDialPermit: async () => false,
  beginAttempt: async () => 'begun',
  recorded: async () => undefined,
  rightEndsAtMs: () => Infinity,
  ...changes,
});

describe.each([false, true])('writing ahead: %s', (writeAheadDial) => {
  describeCarrier('in memory', async () => {
    const carrier = new FakeCarrier();
    carrier.writeAheadDial = writeAheadDial;
    let expected: Callee = 'rings';
    carrier.onDialled = () => {
      const leg = carrier.legs.at(-1);
      // After the dialog, which the carrier reports in this tick.
      if (leg) queueMicrotask(() => behave(leg, expected));
    };
    return {
      carrier,
      request(callee, changes) {
        expected = callee;
        return requestWith(changes);
      },
      reached: () => carrier.legs.length,
      close: async () => undefined,
    };
  });
});
