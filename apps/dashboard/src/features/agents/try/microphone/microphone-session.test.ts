import { expect, test } from 'vitest';
import { FakeConnection, FakePageClock } from '../../../../../test/fake-try-service.ts';
import { MicrophoneSession, type MicrophoneState } from './microphone-session.ts';
import { troubleOf } from './microphone-words.ts';
import { MicrophoneError, type MicrophoneListener } from './ports.ts';

interface Given {
  readonly allow?: () => Promise<void>;
  readonly begin?: () => Promise<string>;
}

function setUp({ allow = async () => undefined, begin = async () => 'try-1' }: Given = {}) {
  const clock = new FakePageClock();
  const connections: FakeConnection[] = [];
  const states: MicrophoneState[] = [];
  const open = { microphones: 0, speakers: 0 };
  const played: string[] = [];
  const levels: object[] = [];
  let begun = 0;
  let microphone: MicrophoneListener | null = null;
  const session = new MicrophoneSession({
    async openMicrophone(listener) {
      await allow();
      microphone = listener;
      open.microphones += 1;
      return { close: () => void (open.microphones -= 1) };
    },
    async openSpeaker(onLevel) {
      open.speakers += 1;
      return {
        play(ulaw) {
          played.push(`sound ${ulaw.length}`);
          onLevel(40);
        },
        clear: () => played.push('clear'),
        close: () => void (open.speakers -= 1),
      };
    },
    begin() {
      begun += 1;
      return begin();
    },
    openSocket() {
      const next = new FakeConnection();
      connections.push(next);
      return next;
    },
    clock,
    onState: (state) => states.push(state),
    onLevels: (next) => levels.push(next),
  });
  const kinds = () => states.map(({ kind }) => kind);
  const say = () => microphone?.onSound({ ulaw: new Uint8Array(320), level: 60 });
  const unplug = () => microphone?.onLost();
  return { session, connections, states, kinds, open, played, levels, say, unplug, begun: () => begun };
}

test('a person talks with the agent, and microphone and speaker are off after its end', async () => {
  const { session, connections, kinds, open, played, levels, say } = setUp();
  await session.start();
  const [connection] = connections;
  connection?.open();
  connection?.report({ kind: 'started' });
  say();
  connection?.speak(new Uint8Array(800));
  connection?.report({ kind: 'clear' });
  expect(open).toEqual({ microphones: 1, speakers: 1 });
  expect([connection?.heard.length, played, levels]).toEqual([1, ['sound 800', 'clear'], [{ you: 60 }, { agent: 40 }]]);
  connection?.end('agent_hangup');
  expect(kinds()).toEqual(['asking', 'starting', 'talking', 'over']);
  expect(open).toEqual({ microphones: 0, speakers: 0 });
});

test.each(['denied', 'none', 'insecure', 'busy'] as const)(
  'without a microphone (%s) no try begins, and the page says why',
  async (problem) => {
    const allow = async () => {
      throw new MicrophoneError(problem);
    };
    const { session, states, begun, open } = setUp({ allow });
    await session.start();
    expect(states.at(-1)).toEqual({ kind: 'no_microphone', problem });
    expect(troubleOf({ kind: 'no_microphone', problem })?.text).not.toBe('');
    expect([begun(), open]).toEqual([0, { microphones: 0, speakers: 0 }]);
  },
);

test('a try that the service refuses releases the microphone', async () => {
  const { session, kinds, open, connections } = setUp({ begin: () => Promise.reject(new Error('two are open')) });
  await session.start();
  expect(kinds()).toEqual(['asking', 'starting', 'off']);
  expect([open, connections.length]).toEqual([{ microphones: 0, speakers: 0 }, 0]);
});

test('a page that is left while the browser asks keeps no microphone, and begins nothing', async () => {
  const answers: (() => void)[] = [];
  const allow = () => new Promise<void>((resolve) => void answers.push(resolve));
  const { session, kinds, open, begun } = setUp({ allow });
  const started = session.start();
  session.close();
  for (const answer of answers) answer();
  await started;
  expect([kinds(), open, begun()]).toEqual([['asking'], { microphones: 0, speakers: 0 }, 0]);
});

test('a page that is left while the try begins opens no connection', async () => {
  const { session, connections, open } = setUp({
    async begin() {
      session.close();
      return 'try-1';
    },
  });
  await session.start();
  expect([connections.length, open]).toEqual([0, { microphones: 0, speakers: 0 }]);
});

test('an unplugged microphone ends the conversation, once', async () => {
  const { session, connections, states, unplug, open } = setUp();
  await session.start();
  connections[0]?.open();
  connections[0]?.report({ kind: 'started' });
  unplug();
  unplug();
  expect(states.at(-1)).toEqual({ kind: 'no_microphone', problem: 'unplugged' });
  expect(states).toHaveLength(4);
  expect([connections[0]?.isLeft, open]).toEqual([true, { microphones: 0, speakers: 0 }]);
});
