import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import type { SeededAccount } from '../test/seeds.ts';
import { withStage } from '../test/shared-stage.ts';
import type { Stage } from '../test/stage.ts';
import { conductByModels } from '../test/conducted-call.ts';
import { faultsInStates, press } from '../test/page-states.ts';

const NUMBERS = ['0100', '0101', '0103', '0104', '0106', '0109', '0111', '0100'].map((digits) => `+1202555${digits}`);

let stage: Stage;
let account: SeededAccount;
let talkId: string;
let conductedId: string;
withStage.beforeAll(async ({ sharedStage }) => {
  stage = sharedStage;
  account = await stage.account();
  // An entry of the audit, which seeds leave empty.
  await stage.admin.keys.create({ accountId: account.id, name: 'crm', pepper: randomBytes(32) });
  const calls = await Promise.all(
    NUMBERS.map((toNumber) => stage.place(account, { toNumber, metadata: { order: 7 } })),
  );
  await Promise.all(calls.map(({ id }) => stage.untilEnded(account, id)));
  talkId = calls[0]?.id ?? '';
  conductedId = calls.at(-1)?.id ?? '';
  await conductByModels(stage.database, conductedId);
});

test('the pages before the sign-in have no accessibility violations', async () => {
  const visit = await stage.visit();
  visit.expectStatus(410);
  const found = await faultsInStates(visit, [
    { path: '/sign-in', words: 'Forgot your password?' },
    { path: '/sign-up', words: 'must not be empty', act: press('Sign up') },
    { path: '/forgot-password', words: 'Send reset link' },
    { path: '/reset-password#token=abc', words: 'At least 10 characters' },
    { path: '/verify-email#token=abc', words: 'Sign in with the address' },
    { path: '/invitation#token=abc', words: 'This invitation is not valid' },
  ]);
  expect(found).toEqual([]);
});

test('the pages of an account have no accessibility violations', async () => {
  const home = `/accounts/${account.id}`;
  const visit = await stage.visit();
  visit.expectStatus(404);
  await visit.beginSession(await stage.person({ memberships: [{ accountId: account.id, role: 'owner' }] }));
  const found = await faultsInStates(visit, [
    { path: `${home}/overview`, words: 'Answer rate' },
    { path: `${home}/calls`, words: 'Agent hung up' },
    { path: `${home}/calls/${talkId}`, words: 'Hello Ada' },
    {
      path: `${home}/calls/${conductedId}`,
      words: '12,400 input text tokens at $0.25 per million',
      alsoWords: ['Failed in 2.00 s: the server answered 503', 'A new time was agreed.'],
    },
    { path: `${home}/calls/${account.id}`, words: 'We could not find this call' },
    { path: `${home}/calls/new`, words: 'Balance and limits' },
    { path: `${home}/agents`, words: 'Reminder' },
    { path: `${home}/agents/${account.agentId}`, words: 'Closing' },
    { path: `${home}/agents/new`, words: 'First message' },
    { path: `${home}/numbers`, words: 'Default' },
    { path: `${home}/wallet`, words: 'Available' },
    { path: `${home}/api-keys`, words: 'Use your API key' },
    { path: `${home}/members`, words: 'Sam Rivera' },
    { path: `${home}/audit`, words: 'API key created' },
    { path: '/profile', words: 'Sign out everywhere' },
    { path: '/operations', words: 'Only operators' },
    { path: '/accounts/none/calls', words: 'We could not find this page' },
  ]);
  expect(found).toEqual([]);
});
