import { frameAt, tone } from '@outdial/telephony/testing';
import { describe, expect, it } from 'vitest';
import { Ears } from './ears.ts';

function listenTo(ears: Ears, samples: Int16Array | number): void {
  if (typeof samples === 'number') for (let ms = 0; ms < samples; ms += 20) ears.hear(undefined);
  else for (let index = 0; index * 160 < samples.length; index += 1) ears.hear(frameAt(samples, index));
}

describe('a callee that listens', () => {
  it('detects a turn and its length after 700 ms of silence', () => {
    const ears = new Ears();
    listenTo(ears, tone(440, 1_000));
    expect(ears.agentSpeaking).toBe(true);
    listenTo(ears, 680);
    expect(ears.agentFinished).toBe(false);
    listenTo(ears, 20);
    expect(ears.agentSpeaking).toBe(false);
    expect(ears.takeTurnMs()).toBe(1_000);
    expect(ears.agentFinished).toBe(false);
  });

  it('counts two sentences with a breath between them as one turn', () => {
    const ears = new Ears();
    listenTo(ears, tone(440, 600));
    listenTo(ears, 500);
    listenTo(ears, tone(440, 600));
    listenTo(ears, 700);
    expect(ears.takeTurnMs()).toBe(1_700);
  });

  it('ignores a click', () => {
    const ears = new Ears();
    listenTo(ears, tone(440, 40));
    listenTo(ears, 2_000);
    expect(ears.agentFinished).toBe(false);
  });

  it('continues a turn with faint speech, but does not start one', () => {
    const faint = tone(440, 400, 500);
    const asleep = new Ears();
    listenTo(asleep, faint);
    expect(asleep.agentSpeaking).toBe(false);
    const awake = new Ears();
    listenTo(awake, tone(440, 200));
    listenTo(awake, faint);
    listenTo(awake, 700);
    expect(awake.takeTurnMs()).toBe(600);
  });

  it('reopens a finished turn when the agent continues before it was taken', () => {
    const ears = new Ears();
    listenTo(ears, tone(440, 400));
    listenTo(ears, 700);
    listenTo(ears, tone(440, 100));
    expect(ears.agentFinished).toBe(false);
  });
});
