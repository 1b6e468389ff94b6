import { micros } from '@outdial/contracts';
import { endCall } from '../load/client.ts';
import { FIRST_HOLD_MICROS, type AccountOptions } from '../stack/account.ts';
import type { Fault, FaultContext } from './fault.ts';
import { callsOf, first } from './observe.ts';

const REQUESTS = 1_000;
const CAPACITY = 100;
const FUNDED_CALLS = 7;

/** Far more requests than slots or funds, at one moment. */
export const thousandAtOnce: Fault = {
  name: 'thousand-at-once',
  expectation: 'exactly as many calls as the slots and the funds allow',
  carrier: 'simulated',
  async run(context) {
    const slots = await crowd(context, CAPACITY, { capacity: CAPACITY });
    const balanceMicros = micros(FIRST_HOLD_MICROS * BigInt(FUNDED_CALLS) + FIRST_HOLD_MICROS - 1n);
    const funds = await crowd(context, FUNDED_CALLS, { balanceMicros });
    return {
      injected: 2,
      hit: slots.refused + funds.refused,
      recoveryMs: null,
      violations: [...slots.violations, ...funds.violations],
    };
  },
};

async function crowd({ stack, clients }: FaultContext, wanted: number, options: AccountOptions) {
  const account = await stack.account(options);
  const call = { toNumber: stack.number('silent'), maxDurationSeconds: 600 };
  const answers = await Promise.all(Array.from({ length: REQUESTS }, () => clients.placeWithRetries(account, call)));
  const calls = await callsOf(stack, account);
  await Promise.all(calls.map(({ id }) => endCall(first(stack.apis), account, id)));
  return {
    refused: answers.filter(({ kind }) => kind === 'refused').length,
    violations: calls.length === wanted ? [] : [`${calls.length} calls were accepted, not ${wanted}`],
  };
}
