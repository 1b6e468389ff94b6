import { operationsEnvelopeSchema } from '@outdial/contracts';
import { expect, onTestFinished, test } from 'vitest';
import { placeCall, standing } from '../test/call-pages.ts';
import { withStage } from '../test/shared-stage.ts';
import type { Stage } from '../test/stage.ts';

/** Several times the wait of a call that may be dialed. */
const WAITED_SECONDS = 2;

let stage: Stage;
withStage.beforeAll(async ({ sharedStage }) => {
  stage = sharedStage;
});

test('a call waits while an operator pauses dialing, and ends after the operator resumes it', async () => {
  onTestFinished(async () => void (await stage.admin.dialling.set({ paused: false })));
  const account = await stage.account();
  const memberships = [{ accountId: account.id, role: 'member' as const }];
  const { page, faults, signIn } = await stage.visit();
  await signIn(await stage.person({ memberships, isOperator: true }));
  await page.getByRole('link', { name: 'Operations' }).click();
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Pause dialing' }).click();
  await dialog.getByRole('button', { name: 'Pause dialing' }).click();
  await page.getByText('Dialing is paused').waitFor();

  await placeCall(page, '+12025550105', { name: 'Ada' });
  await standing(page, 'Queued').waitFor();
  await expect
    .poll(async () => {
      const answer = await page.request.get('/api/dashboard/operations');
      return operationsEnvelopeSchema.parse(await answer.json()).operations.calls.oldest_queued_seconds;
    })
    .toBeGreaterThan(WAITED_SECONDS);
  expect(await standing(page, 'Queued').count()).toBe(1);
  const callUrl = page.url();

  await page.getByRole('link', { name: 'Operations' }).click();
  await page.getByText('1 call is queued').waitFor();
  await page.getByRole('button', { name: 'Resume dialing' }).click();
  await dialog.getByRole('button', { name: 'Resume dialing' }).click();
  await page.getByText('Dialing is on').waitFor();
  await page.goto(callUrl);
  await standing(page, 'Callee hung up').waitFor();
  expect(faults).toEqual([]);
});
