import { concat, silence, speakWithEspeak } from '@outdial/agents/testing';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { AT_REST, audit } from '../audit.ts';
import { callBaresip, type BaresipCall, type BaresipCallOptions } from '../baresip-call.ts';
import { expectConversation, LIMIT_MS } from '../baresip-conversation.ts';
import { openStage, type Stage } from '../stage.ts';

const MENU =
  'Thank you for calling the service desk. To speak to a member of our team, press 1. Otherwise, please hold.';

let stage: Stage;
const calls: BaresipCall[] = [];
beforeAll(async () => {
  stage = await openStage();
});
afterEach(async () => {
  for (const placed of calls.splice(0)) await placed.close();
});
afterAll(() => stage.close());

async function call(options: BaresipCallOptions): Promise<BaresipCall> {
  const placed = await callBaresip(stage, options);
  calls.push(placed);
  return placed;
}

test(
  'baresip over udp hears the agent as recorded, and the worker hears baresip as it spoke, each in its turn',
  () => expectConversation(stage, 'udp', 'en-us'),
  LIMIT_MS,
);

test(
  'the agent answers a key that baresip presses with its script line, and the transcript shows it',
  async () => {
    const placed = await call({ transport: 'udp', plays: silence(0), patient: false });
    await placed.baresip.talks();
    await placed.baresip.press('1');
    const result = await placed.ended();
    expect(result).toMatchObject({ endedReason: 'silence_timeout', answeredBy: 'human' });
    const pressed = result.transcript?.findIndex(({ source }) => source === 'dtmf');
    expect(result.transcript?.slice(pressed)).toMatchObject([
      { role: 'callee', source: 'dtmf', text: '1' },
      { role: 'agent', text: 'Thank you for confirming.', interrupted: false },
      { role: 'agent', text: 'Are you there?' },
    ]);
    await expect.poll(() => audit(stage)).toEqual(AT_REST);
  },
  LIMIT_MS,
);

test(
  'the agent presses the key of a menu that baresip plays, and baresip receives it',
  async () => {
    const plays = concat(silence(400), speakWithEspeak(MENU, 'en-gb-scotland+f2'));
    const placed = await call({ transport: 'udp', plays, patient: true });
    expect(await placed.baresip.hearsKey()).toBe('1');
    await placed.baresip.hangUp();
    const result = await placed.ended();
    expect(result).toMatchObject({
      endedReason: 'callee_hangup',
      answeredBy: 'ivr',
      summary: expect.stringContaining('The agent pressed 1.'),
    });
    await expect.poll(() => audit(stage)).toEqual(AT_REST);
  },
  LIMIT_MS,
);
