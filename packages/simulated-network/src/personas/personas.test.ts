import { frameAt, tone, toneSpeech } from '@outdial/telephony/testing';
import { ManualClock } from '@outdial/testkit/async';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Callee } from './callee.ts';
import { echo, hangsUpAfter } from './load.ts';
import { interjects } from './people.ts';
import type { CalleeSignal, Persona } from './persona.ts';
import { createSoundBank } from './sound-bank.ts';
import { RECORD_BEEP, speech } from './sounds.ts';
import { answer, hangUp, hold, resume, say, wait, waitFor } from './steps.ts';
import { personaAt, TEST_NUMBERS } from './test-numbers.ts';
import { TimedCallee } from './timed-callee.ts';

const bank = createSoundBank({ speech: toneSpeech, voice: 'slt' });

async function bringToLife(persona: Persona) {
  const signals: CalleeSignal[] = [];
  const samples = await bank.prepare(persona.sounds);
  const callee = new Callee({ persona, samples, onSignal: (signal) => signals.push(signal) });
  return { callee, signals };
}

function persona(play: Persona['play'], sounds: Persona['sounds'] = []): Persona {
  return { name: 'test', reachable: true, sounds, play };
}

const everybody = [
  ...TEST_NUMBERS.values(),
  personaAt(TEST_NUMBERS, '+12025550177'),
  hangsUpAfter(500),
  echo,
  interjects,
];

describe('a callee', () => {
  it('plays a sound to its end, frame by frame, and continues', async () => {
    const { callee, signals } = await bringToLife(
      persona(
        function* () {
          yield answer;
          yield say(RECORD_BEEP);
          yield hangUp;
        },
        [RECORD_BEEP],
      ),
    );
    const frames: (Int16Array | undefined)[] = [];
    for (let at = 0; at < 25; at += 1) frames.push(callee.tick(undefined, ''));
    expect(frames.every((frame) => frame?.length === 160)).toBe(true);
    expect(signals).toEqual([{ kind: 'answer' }]);
    expect(callee.tick(undefined, '')).toBeUndefined();
    expect(signals).toEqual([{ kind: 'answer' }, { kind: 'hang_up' }]);
  });

  it('that echoes returns what it hears in the same tick, and nothing for silence', async () => {
    const { callee, signals } = await bringToLife(echo);
    const heard = frameAt(tone(440, 20), 0);
    expect([callee.tick(undefined, ''), callee.tick(heard, ''), callee.tick(undefined, '')]).toEqual([
      undefined,
      heard,
      undefined,
    ]);
    expect(signals).toEqual([{ kind: 'answer' }]);
  });

  it('answers a turn that ended before it listened, once', async () => {
    const turns: number[] = [];
    const { callee } = await bringToLife(
      persona(function* () {
        yield wait(4_000);
        for (;;) turns.push((yield waitFor('agent_finished')).turnMs);
      }),
    );
    const said = tone(440, 1_000);
    for (let at = 0; at < 500; at += 1) callee.tick(frameAt(said, at), '');
    expect(turns).toEqual([1_000]);
  });

  it('keeps digits until it reads them, and then drops them', async () => {
    const pressed: string[] = [];
    const { callee } = await bringToLife(
      persona(function* () {
        yield wait(100);
        for (;;) pressed.push((yield waitFor('digits')).digits);
      }),
    );
    callee.tick(undefined, '1');
    callee.tick(undefined, '23');
    for (let at = 0; at < 10; at += 1) callee.tick(undefined, '');
    callee.tick(undefined, '#');
    expect(pressed).toEqual(['123', '#']);
  });

  it('neither speaks nor hears while the call is on hold', async () => {
    const chat = speech('Is anybody there?');
    const cues: string[] = [];
    const { callee } = await bringToLife(
      persona(
        function* () {
          yield hold;
          yield say(chat);
          cues.push((yield wait(1_000, 'agent_speaking')).cue);
          yield resume;
          cues.push((yield wait(1_000, 'agent_speaking')).cue);
        },
        [chat],
      ),
    );
    const said = tone(440, 10_000);
    for (let at = 0; at < 102; at += 1) expect(callee.tick(frameAt(said, at), '')).toBeUndefined();
    for (let at = 102; at < 110; at += 1) callee.tick(frameAt(said, at), '');
    expect(cues).toEqual(['elapsed', 'agent_speaking']);
  });

  it('does nothing once it was stopped, even inside a signal', async () => {
    const callees: Callee[] = [];
    const signals: CalleeSignal[] = [];
    const callee = new Callee({
      persona: hangsUpAfter(0),
      samples: new Map(),
      onSignal(signal) {
        signals.push(signal);
        callees[0]?.stop();
      },
    });
    callees.push(callee);
    for (let at = 0; at < 10; at += 1) callee.tick(undefined, '');
    expect(signals).toEqual([{ kind: 'answer' }]);
  });
});

describe('every persona in the table', () => {
  it('lists all its sounds and never fails, whatever the agent says and presses', async () => {
    const agent = fc.array(
      fc.record({ frames: fc.nat(200), loud: fc.boolean(), digits: fc.constantFrom('', '1', '5', '#*') }),
      { maxLength: 20 },
    );
    const loud = tone(440, 20);
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...everybody), agent, async (persona, stretches) => {
        const { callee, signals } = await bringToLife(persona);
        for (const { frames, loud: speaks, digits } of stretches) {
          callee.tick(undefined, digits);
          for (let at = 0; at < frames; at += 1) {
            const frame = callee.tick(speaks ? loud : undefined, '');
            expect(frame === undefined || frame.length === 160).toBe(true);
          }
        }
        const ends = signals.filter(({ kind }) => kind === 'hang_up' || kind === 'reject');
        expect(ends.length).toBeLessThanOrEqual(1);
      }),
      { numRuns: 200 },
    );
  });

  it.each(everybody.map((persona) => [persona.name, persona] as const))(
    '%s behaves the same on timers alone as with a silent agent',
    async (_, persona) => {
      const { callee, signals } = await bringToLife(persona);
      for (let at = 0; at < 30_000; at += 1) callee.tick(undefined, '');
      const clock = new ManualClock();
      const timed: CalleeSignal[] = [];
      const timedCallee = new TimedCallee({ persona, clock, onSignal: (signal) => timed.push(signal) });
      timedCallee.begin();
      expect(clock.pendingTimers).toBeLessThanOrEqual(1);
      clock.turn(600_000);
      expect(timed).toEqual(signals);
    },
  );
});
