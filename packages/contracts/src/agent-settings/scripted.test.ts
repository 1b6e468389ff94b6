import { describe, expect, it } from 'vitest';
import { agentSettingsSchema, fillTemplate, requiredVariables, storedAgentSettingsSchema } from './index.ts';

const reminder = {
  name: 'Reminder',
  voice: 'slt',
  first_message: 'Hello {{name}}, this is a reminder.',
  lines: ['Your visit is on {{ day }}.'],
  no_input: { prompt: 'Are you there, {{name}}?', after_ms: 4_000, times: 2 },
  menu: { '1': 'Confirmed.', '2': 'We will call {{name}} again.' },
  closing: 'Goodbye.',
  voicemail_message: 'Please call {{office}} back.',
};

describe('agent settings', () => {
  it('require the variables that their texts name, each once', () => {
    expect(requiredVariables(agentSettingsSchema.parse(reminder)).toSorted()).toEqual(['day', 'name', 'office']);
  });

  it('are rejected with the path of the invalid line', () => {
    const result = agentSettingsSchema.safeParse({ ...reminder, lines: ['fine', '  '], menu: { A: 'no such key' } });
    expect(result.error?.issues.map((issue) => issue.path.join('.'))).toEqual(['lines.1', 'menu.A']);
  });

  it('are complete with only a first message', () => {
    const settings = agentSettingsSchema.parse({ name: 'Plain', first_message: 'Hello.' });
    expect(settings).toMatchObject({ voice: 'slt', lines: [], closing: 'Goodbye.', barge_in: true });
  });
});

describe('the key with which a callee opts out', () => {
  const withOptOut = (optOut: object) => ({ ...reminder, opt_out: optOut });

  it('comes with a confirmation', () => {
    expect(agentSettingsSchema.parse(withOptOut({ key: '9' }))).toMatchObject({
      opt_out: { key: '9', confirmation: 'You will not be called again. Goodbye.' },
    });
  });

  it.each([
    ['a key of the menu', '1', ['opt_out.key']],
    ['no key', 'A', ['opt_out.key']],
  ])('is rejected if it is %s', (_what, key, paths) => {
    const { error } = agentSettingsSchema.safeParse(withOptOut({ key }));
    expect(error?.issues.map(({ path }) => path.join('.'))).toEqual(paths);
  });

  it('is not needed, and stored settings without one have none', () => {
    const stored = storedAgentSettingsSchema.parse(reminder);
    expect(stored.opt_out).toBeUndefined();
    expect(storedAgentSettingsSchema.safeParse(withOptOut({ key: '1' })).success).toBe(true);
  });

  it('requires the variables of its confirmation', () => {
    const settings = agentSettingsSchema.parse(withOptOut({ key: '9', confirmation: 'Goodbye, {{title}}.' }));
    expect(requiredVariables(settings)).toContain('title');
  });
});

describe('a text that no call can speak', () => {
  const ARABIC = 'مرحبا، معك العيادة';
  const rejectionsOf = (changes: object) =>
    agentSettingsSchema.safeParse({ ...reminder, ...changes }).error?.issues.map(({ path, message }) => ({
      path: path.join('.'),
      message,
    }));

  it.each([
    ['first_message', { first_message: ARABIC }],
    ['lines.1', { lines: ['Fine.', '🙂'] }],
    ['menu.2', { menu: { '1': 'Fine.', '2': ARABIC } }],
    ['closing', { closing: '...' }],
    ['voicemail_message', { voicemail_message: ARABIC }],
    ['opt_out.confirmation', { opt_out: { key: '9', confirmation: ARABIC } }],
    ['no_input.prompt', { no_input: { ...reminder.no_input, prompt: '?' } }],
  ])('is rejected with its path: %s', (path, changes) => {
    expect(rejectionsOf(changes)).toEqual([{ path, message: expect.stringContaining('Latin letters and digits') }]);
  });

  it.each(['Hello {{name', 'Hello {{ }}', 'Hello {{first name}}', 'Hello name}}', 'Hello {{{{name}}', '{{é}}'])(
    'is rejected with an incomplete placeholder: %s',
    (text) => {
      expect(rejectionsOf({ first_message: text })).toEqual([
        { path: 'first_message', message: expect.stringContaining('write {{name}}') },
      ]);
    },
  );

  it.each(['{{greeting}}', 'Здравствуйте, {{name}}', 'مرحبا Ann', 'Press { or }.', '{{ a }}{{b}}'])(
    'is accepted when a variable or a part of it is speakable: %s',
    (text) => {
      expect(rejectionsOf({ first_message: text })).toBeUndefined();
    },
  );

  it('stays usable in settings that were saved before the rule', () => {
    const saved = { ...reminder, first_message: ARABIC, closing: 'Goodbye {{name' };
    expect(storedAgentSettingsSchema.safeParse(saved).success).toBe(true);
  });
});

describe('a template', () => {
  it('is filled with the variables of the call and nothing else', () => {
    expect(fillTemplate('Hello {{name}} and {{ name }}.', { name: 'Ann' })).toBe('Hello Ann and Ann.');
    expect(fillTemplate('{{constructor}} {{toString}}', {})).toBe('{{constructor}} {{toString}}');
  });

  it('does not fill placeholders inside a variable', () => {
    expect(fillTemplate('{{a}}', { a: '{{b}}', b: 'secret' })).toBe('{{b}}');
  });
});
