import { agentSettingsSchema } from '@outdial/contracts';
import { createAdministration } from '@outdial/persistence';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openStage, type Stage } from '../stage.ts';

const ANSWERS = '+12025550100';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());

test('a call whose first message no voice can speak reports the unspeakable text', async () => {
  const { agents } = createAdministration(stage.database, { actor: 'test' });
  // The settings can be spoken; the variables of the call cannot.
  const settings = agentSettingsSchema.parse({ name: 'Greeter', first_message: '{{name}}' });
  await agents.update({ agentId: stage.agentId, settings });
  await stage.startWorker();
  const call = await stage.untilEnded(await stage.place(ANSWERS, { name: 'مرحبا' }));
  expect(call).toMatchObject({
    agentVersion: 2,
    endedReason: 'agent_error',
    failure: { code: 'text_unspeakable', field: 'first_message' },
  });
});
