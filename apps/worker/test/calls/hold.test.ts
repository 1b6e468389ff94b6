import { agentSettingsSchema } from '@outdial/contracts';
import { createAdministration } from '@outdial/persistence';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openStage, type Stage } from '../stage.ts';

/** Puts the call on hold for three seconds after the agent's first turn. */
const HOLDS = '+12025550114';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());

test('the agent does not give up on a callee who puts the call on hold for longer than its no-input timeout', async () => {
  const { agents } = createAdministration(stage.database, { actor: 'test' });
  // Half as long as the hold, without a second prompt.
  const no_input = { prompt: 'Are you there?', after_ms: 1_500, times: 0 };
  const settings = { name: 'Impatient', first_message: 'Hello {{name}}.', lines: ['Will you be there?'], no_input };
  await agents.update({ agentId: stage.agentId, settings: agentSettingsSchema.parse(settings) });
  await stage.startWorker();
  const call = await stage.untilEnded(await stage.place(HOLDS));
  expect(call).toMatchObject({ endedReason: 'agent_hangup', answeredBy: 'human' });
});
