import { agentSettingsSchema } from '@outdial/contracts';
import { describe, expect, it } from 'vitest';
import { diffSettings } from './settings-diff.ts';

const realtime = {
  driver: 'realtime',
  name: 'Appointment',
  instructions: 'Remind people.',
  model: { provider: 'openai', model: 'gpt-realtime' },
};
const diff = (before: object, after: object) =>
  diffSettings(
    agentSettingsSchema.parse({ ...realtime, ...before }),
    agentSettingsSchema.parse({ ...realtime, ...after }),
  );

describe('the difference of two versions', () => {
  it('is empty for equal settings', () => {
    expect(diff({}, {})).toEqual([]);
  });

  it('names each changed field with its path and both values', () => {
    const after = { instructions: 'Ask people.', interruption: { min_speech_ms: 200 } };
    expect(diff({}, after)).toEqual([
      { path: 'instructions', before: 'Remind people.', after: 'Ask people.' },
      { path: 'interruption.min_speech_ms', before: '140', after: '200' },
    ]);
  });

  it('shows a field that only one version has', () => {
    expect(diff({ closing: 'Bye.' }, { max_turns: 3 })).toEqual([
      { path: 'closing', before: 'Bye.', after: undefined },
      { path: 'max_turns', before: undefined, after: '3' },
    ]);
  });

  it('shows entries of lists one by one, and that a list is empty', () => {
    const tool = { type: 'end_call', name: 'end_call', description: 'Ends it.' };
    expect(diff({}, { tools: [tool] })).toEqual([
      { path: 'tools', before: '[]', after: undefined },
      { path: 'tools.0.type', before: undefined, after: 'end_call' },
      { path: 'tools.0.name', before: undefined, after: 'end_call' },
      { path: 'tools.0.description', before: undefined, after: 'Ends it.' },
    ]);
  });

  it('is the same in both directions, with the values exchanged', () => {
    const [left, right] = [{ max_turns: 2, closing: 'Bye.' }, { max_turns: 3 }];
    const turned = diff(right, left).map(({ path, before, after }) => ({ path, before: after, after: before }));
    expect(new Set(turned)).toEqual(new Set(diff(left, right)));
  });

  it('covers a change of the driver', () => {
    const scripted = agentSettingsSchema.parse({ name: 'Appointment', first_message: 'Hello.' });
    const changes = diffSettings(scripted, agentSettingsSchema.parse(realtime));
    expect(changes).toContainEqual({ path: 'driver', before: 'scripted', after: 'realtime' });
    expect(changes).toContainEqual({ path: 'voice', before: 'slt', after: undefined });
    expect(changes.map(({ path }) => path)).not.toContain('name');
  });
});
