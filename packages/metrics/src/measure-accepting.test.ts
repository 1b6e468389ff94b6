import type { AcceptCallOutcome, AcceptCallRequest } from '@outdial/calls';
import { accountIdSchema, createCallSchema } from '@outdial/contracts';
import { systemClock } from '@outdial/kernel';
import { expect, test } from 'vitest';
import { measureAccepting } from './measure-accepting.ts';

const REFUSALS: readonly AcceptCallOutcome[] = [
  { kind: 'outside_calling_window', opensAtMs: null, zones: [] },
  { kind: 'frequency_capped', untilMs: null },
  { kind: 'frequency_capped', untilMs: 1 },
  { kind: 'suppressed' },
];

const ID = '0a000000-0000-4000-8000-000000000001';
const request: AcceptCallRequest = {
  account: {
    id: accountIdSchema.parse(ID),
    name: 'Acme',
    currency: 'USD',
    enabled: true,
    mayUseSystemNumber: false,
    maxDurationSeconds: 60,
    ringTimeoutSeconds: 60,
    outboundNumbers: [],
    blockedPrefixes: [],
    policies: { policy: null, floor: null },
  },
  body: createCallSchema.parse({ to_number: '+12025550143', agent_id: ID }),
  idempotencyKey: null,
  requestId: 'request-1',
  deadlineMs: 0,
};

test('requests that a calling policy refuses are counted by reason, beside the other refusals', async () => {
  const accepted: string[] = [];
  const refused: string[] = [];
  const answers = [...REFUSALS];
  const accept = measureAccepting(
    async () => answers.shift() ?? { kind: 'no_outbound_number' },
    { accepting: (outcome) => void accepted.push(outcome), policyRefusals: (reason) => void refused.push(reason) },
    systemClock,
  );
  for (const { kind } of REFUSALS) expect((await accept(request)).kind).toBe(kind);
  expect(accepted).toEqual(['refused', 'refused', 'refused', 'refused']);
  expect(refused).toEqual(['outside_calling_window', 'frequency_capped', 'frequency_capped']);
});
