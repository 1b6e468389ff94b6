import { breakersOf, type OpenBreaker } from '@outdial/calls';
import { newAccountId } from '@outdial/calls/testing';
import { agentIdSchema, credentialIdSchema } from '@outdial/contracts';
import type { CredentialRecord } from '@outdial/persistence';
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { credentialsJson, credentialTable } from './credential-report.ts';

const id = credentialIdSchema.parse(randomUUID());
const credential: CredentialRecord = {
  id,
  accountId: null,
  provider: 'openai',
  name: 'main',
  baseUrl: null,
  region: null,
  limitsGroup: null,
  maxConcurrentCalls: null,
  startsPerSecond: null,
  maxGenerations: null,
  shownSuffix: '07be',
  createdAtMs: 0,
  rotatedAtMs: 0,
  checkedAtMs: null,
  checkResult: null,
};
const call = { accountId: newAccountId(), agentId: agentIdSchema.parse(randomUUID()), agentVersion: 3 };
const names = breakersOf(
  { component: 'llm', provider: 'openai', model: 'gpt-5', credentialId: id, isOwn: false },
  call,
);
const open = (breaker: OpenBreaker['breaker'], forMs: number): OpenBreaker => ({
  breaker,
  streak: 1,
  sinceMs: 0,
  untilMs: 15_000,
  forMs,
  needsCheck: false,
  owner: null,
});

test('a credential is shown with its models that take no calls, and for whom', () => {
  const breakers = [open(names.model, 0), open(names.agentVersion, 9_000)];
  expect(credentialTable([credential], breakers).at(-1)).toMatch(
    /llm gpt-5 half_open, llm gpt-5 open \(agent_version\)$/,
  );
  expect(credentialsJson([credential], breakers)).toMatchObject({
    credentials: [
      {
        breakers: [
          { component: 'llm', model: 'gpt-5', scope: 'model', state: 'half_open' },
          { component: 'llm', model: 'gpt-5', scope: 'agent_version', state: 'open' },
        ],
      },
    ],
  });
  expect(credentialTable([{ ...credential, id: credentialIdSchema.parse(randomUUID()) }], breakers).at(-1)).toMatch(
    /-$/,
  );
  expect(credentialTable([credential], null).at(-1)).toMatch(/unknown$/);
});
