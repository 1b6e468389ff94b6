import { ManualClock } from '@outdial/testkit/async';
import { expect, test } from 'vitest';
import type { Mind, MindEvent, ProviderFailure } from './mind.ts';
import { openReconnectingMind } from './reconnecting-mind.ts';

const LIMITED: ProviderFailure = {
  component: 'realtime',
  kind: 'rate_limited',
  message: 'HTTP 429',
  retryAfterMs: 1_000,
};

const ignore = () => undefined;

/** A mind with a fallback; the test is its providers. */
function setUp() {
  const clock = new ManualClock();
  const opened: { readonly choice: string; readonly emit: (event: MindEvent) => void; readonly asked: string[] }[] = [];
  const events: MindEvent[] = [];
  const open =
    (choice: string) =>
    ({ listener: emit }: { readonly listener: (event: MindEvent) => void }): Mind => {
      const asked: string[] = [];
      opened.push({ choice, emit, asked });
      return {
        hear: ignore,
        openGate: ignore,
        say: (text) => void asked.push(text),
        respond: ignore,
        instruct: ignore,
        cut: ignore,
        pressed: ignore,
        toolResult: ignore,
        callOver: async () => undefined,
        close: ignore,
      };
    };
  const mind = openReconnectingMind({
    open: [open('first'), open('fallback')],
    listener: (event) => events.push(event),
    clock,
  });
  const refuse = (failure: Partial<ProviderFailure> = {}) =>
    opened.at(-1)?.emit({ kind: 'failed', failure: { ...LIMITED, ...failure } });
  return { clock, mind, opened, events, refuse, choices: () => opened.map(({ choice }) => choice) };
}

test('a mind that is refused for its rate connects once more after the time that the provider names', () => {
  const { clock, mind, opened, events, refuse, choices } = setUp();
  mind.say('Good morning.');
  refuse();
  clock.turn(999);
  expect(choices()).toEqual(['first']);
  clock.turn(1);
  expect(choices()).toEqual(['first', 'first']);
  expect(opened[1]?.asked).toEqual(['Good morning.']);
  opened[1]?.emit({ kind: 'ready' });
  expect(events).toEqual([{ kind: 'recovered', failure: LIMITED, afterMs: 1_000 }, { kind: 'ready' }]);
});

test('a second refusal is followed by the fallback, and without one it is the end', () => {
  const { clock, events, refuse, choices } = setUp();
  refuse();
  clock.turn(1_000);
  refuse();
  expect(choices()).toEqual(['first', 'first', 'fallback']);
  refuse();
  expect(clock.pendingTimers).toBe(0);
  expect(events).toEqual([{ kind: 'failed', failure: LIMITED }]);
});

test('a provider that wants a longer pause is followed by the fallback at once', () => {
  const { refuse, choices } = setUp();
  refuse({ retryAfterMs: 2_000 });
  expect(choices()).toEqual(['first', 'fallback']);
});

test('a mind that is closed while it waits connects no more', () => {
  const { clock, mind, refuse, choices } = setUp();
  refuse();
  mind.close();
  clock.turn(1_000);
  expect(choices()).toEqual(['first']);
});
