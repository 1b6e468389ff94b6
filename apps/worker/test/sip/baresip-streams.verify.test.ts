import { afterAll, beforeAll, test } from 'vitest';
import { expectConversation, LIMIT_MS } from '../baresip-conversation.ts';
import { openStage, type Stage } from '../stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());

// UDP is in `baresip-calls.verify.test.ts`.
test.each([
  ['tcp', 'en-gb+f3'],
  ['tls', 'en-us+m7'],
] as const)(
  'baresip over %s hears the agent as recorded, and the worker hears baresip as it spoke, each in its turn',
  (transport, voice) => expectConversation(stage, transport, voice),
  LIMIT_MS,
);
