import { describe, expect, it } from 'vitest';
import { agentSettingsSchema, requiredVariables } from './index.ts';
import { invalidParams } from '../invalid-params.ts';
import { transferTargetOf } from './transfer-tool.ts';

const DESK = { name: 'Sales', to_number: '+12025550142', description: 'The callee wants to buy.' };
const settingsWith = (...destinations: readonly object[]) => ({
  driver: 'realtime',
  name: 'Anna',
  instructions: 'Talk.',
  model: { provider: 'openai', model: 'gpt-realtime-2.1' },
  tools: [{ type: 'transfer_call', name: 'transfer', description: 'Transfers the callee.', destinations }],
});
const problemsOf = (settings: object) => {
  const parsed = agentSettingsSchema.safeParse(settings);
  return parsed.success ? [] : invalidParams(parsed.error, settings);
};

describe('a destination of transfer_call', () => {
  it.each([
    ['+1 (202) 555-0142', '+12025550142'],
    [' +49 30 123.456 ', '+4930123456'],
    ['sip:sales@pbx.example', 'sip:sales@pbx.example'],
    ['sip:+12025550142@192.0.2.7:5070;transport=tls', 'sip:+12025550142@192.0.2.7:5070;transport=tls'],
  ])('"%s" is stored as "%s"', (given, stored) => {
    const settings = agentSettingsSchema.parse(settingsWith({ ...DESK, to_number: given }));
    expect(settings).toMatchObject({ tools: [{ mode: 'blind', destinations: [{ to_number: stored }] }] });
    expect(transferTargetOf(stored)).toBeDefined();
  });

  it.each([
    '202 555 0142',
    '+1202555014',
    '+0123456789',
    '{{callee_number}}',
    'tel:+12025550142',
    'sips:sales@pbx.example',
    'sip:pbx.example',
    'sip:sales:secret@pbx.example',
    'sip:sales@pbx.example?Replaces=abc',
    'sip:sales@pbx.example;method=BYE',
    'sip:sales@pbx.example>\r\nRoute: <sip:evil',
    `sip:sales@${'a'.repeat(300)}.example`,
  ])('"%s" is rejected at its path', (to) => {
    expect(problemsOf(settingsWith(DESK, { ...DESK, name: 'Other', to_number: to }))).toEqual([
      { param: 'tools.0.destinations.1.to_number', message: expect.stringContaining('must be an E.164 number') },
    ]);
  });

  it('has a name that no other one has, in any case', () => {
    expect(problemsOf(settingsWith(DESK, { ...DESK, name: 'SALES' }))).toEqual([
      { param: 'tools.0.destinations.1.name', message: 'is the name of another destination' },
    ]);
    expect(problemsOf(settingsWith({ ...DESK, name: '"; drop' }))).toMatchObject([
      { param: 'tools.0.destinations.0.name' },
    ]);
    expect(problemsOf(settingsWith())).toMatchObject([{ param: 'tools.0.destinations' }]);
  });

  it('may have variables in its texts', () => {
    const settings = settingsWith({ ...DESK, description: 'Asks for {{desk}}.', message: 'One moment, {{name}}.' });
    expect(requiredVariables(agentSettingsSchema.parse(settings))).toEqual(['desk', 'name']);
  });
});
