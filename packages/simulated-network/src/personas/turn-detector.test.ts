import { frameAt, tone } from '@outdial/telephony/testing';
import { describe, expect, it } from 'vitest';
import { TurnDetector } from './turn-detector.ts';

function listenTo(turnDetector: TurnDetector, samples: Int16Array | number): void {
  if (typeof samples === 'number') for (let ms = 0; ms < samples; ms += 20) turnDetector.hear(undefined);
  else for (let index = 0; index * 160 < samples.length; index += 1) turnDetector.hear(frameAt(samples, index));
}

describe('a callee that listens', () => {
  it('detects a turn and its length after 700 ms of silence', () => {
    const turnDetector = new TurnDetector();
    listenTo(turnDetector, tone(440, 1_000));
    expect(turnDetector.agentSpeaking).toBe(true);
    listenTo(turnDetector, 680);
    expect(turnDetector.agentFinished).toBe(false);
    listenTo(turnDetector, 20);
    expect(turnDetector.agentSpeaking).toBe(false);
    expect(turnDetector.takeTurnMs()).toBe(1_000);
    expect(turnDetector.agentFinished).toBe(false);
  });

  it('counts two sentences with a breath between them as one turn', () => {
    const turnDetector = new TurnDetector();
    listenTo(turnDetector, tone(440, 600));
    listenTo(turnDetector, 500);
    listenTo(turnDetector, tone(440, 600));
    listenTo(turnDetector, 700);
    expect(turnDetector.takeTurnMs()).toBe(1_700);
  });

  it('ignores a click', () => {
    const turnDetector = new TurnDetector();
    listenTo(turnDetector, tone(440, 40));
    listenTo(turnDetector, 2_000);
    expect(turnDetector.agentFinished).toBe(false);
  });

  it('continues a turn with faint speech, but does not start one', () => {
    const faint = tone(440, 400, 500);
    const asleep = new TurnDetector();
    listenTo(asleep, faint);
    expect(asleep.agentSpeaking).toBe(false);
    const awake = new TurnDetector();
    listenTo(awake, tone(440, 200));
    listenTo(awake, faint);
    listenTo(awake, 700);
    expect(awake.takeTurnMs()).toBe(600);
  });

  it('reopens a finished turn when the agent continues before it was taken', () => {
    const turnDetector = new TurnDetector();
    listenTo(turnDetector, tone(440, 400));
    listenTo(turnDetector, 700);
    listenTo(turnDetector, tone(440, 100));
    expect(turnDetector.agentFinished).toBe(false);
  });
});
