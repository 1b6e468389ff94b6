import { scriptedSettingsSchema, isSpeakable, type ScriptedSettings } from '@outdial/contracts';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newLine, PHONE_KEYS } from './draft-parts.ts';
import {
  emptyScriptedDraft,
  newMenuEntry,
  scriptedDraftOf,
  scriptedErrors,
  scriptedPath,
  scriptedSettingsOf,
  scriptedVariables,
} from './scripted-draft.ts';

/** Texts that the settings accept. */
const text = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
  .filter((text) => text.trim() === text && isSpeakable(text) && !/\{\{|\}\}/.test(text));
/** The others opt out. */
const MENU = PHONE_KEYS.filter((key) => key !== '9' && key !== '#');
const settings: fc.Arbitrary<ScriptedSettings> = fc
  .record(
    {
      name: text,
      voice: fc.constantFrom('slt', 'rms', 'awb', 'kal'),
      first_message: text,
      lines: fc.array(text, { maxLength: 5 }),
      no_input: fc.record({
        prompt: text,
        after_ms: fc.integer({ min: 1_000, max: 60_000 }),
        times: fc.integer({ min: 0, max: 5 }),
      }),
      menu: fc.dictionary(fc.constantFrom(...MENU), text, { minKeys: 1, noNullPrototype: true }),
      opt_out: fc.record({ key: fc.constantFrom('9', '#'), confirmation: text }, { requiredKeys: ['key'] }),
      closing: text,
      voicemail_message: text,
      screening_reply: text,
      barge_in: fc.boolean(),
    },
    { requiredKeys: ['name', 'first_message'] },
  )
  .map((input) => scriptedSettingsSchema.parse(input));

describe('a draft of a scripted agent', () => {
  it('round-trips settings without errors', () => {
    fc.assert(
      fc.property(settings, (settings) => {
        const draft = scriptedDraftOf(settings);
        expect(scriptedSettingsOf(draft)).toEqual(settings);
        expect(scriptedErrors(draft)).toEqual({});
      }),
    );
  });

  it('starts with only the required fields missing', () => {
    expect(scriptedErrors(emptyScriptedDraft())).toEqual({
      name: 'Must not be empty',
      first_message: 'Must not be empty',
    });
  });

  it('reports each error at its field', () => {
    const draft = scriptedDraftOf(scriptedSettingsSchema.parse({ name: 'A', first_message: 'Hello.' }), {
      lines: [newLine('fine'), newLine(' ')],
      menu: [
        { ...newLine('yes'), key: '1' },
        { ...newLine(''), key: '2' },
        { ...newLine('again'), key: '1' },
      ],
      no_input: { prompt: 'Hello?', after_seconds: '', times: 9 },
    });
    expect(Object.keys(scriptedErrors(draft)).toSorted()).toEqual([
      'lines.1.text',
      'menu.1.text',
      'menu.2.key',
      'no_input.after_seconds',
      'no_input.times',
    ]);
  });

  it('rejects a key of the menu as the key that opts out', () => {
    const settings = scriptedSettingsSchema.parse({ name: 'A', first_message: 'Hi', menu: { '1': 'a' } });
    const draft = scriptedDraftOf(settings, { opt_out: { key: '1', confirmation: 'Goodbye.' } });
    expect(scriptedErrors(draft)).toEqual({ 'opt_out.key': 'Is a key of menu: choose another key' });
  });

  it('maps the service’s paths to the form’s fields', () => {
    const draft = scriptedDraftOf(
      scriptedSettingsSchema.parse({ name: 'A', first_message: 'Hi', menu: { '*': 'b', '1': 'a' } }),
    );
    expect(scriptedPath(draft, 'settings.menu.*')).toBe('menu.1.text');
    expect(scriptedPath(draft, 'settings.lines.3')).toBe('lines.3.text');
    expect(scriptedPath(draft, 'settings.no_input.after_ms')).toBe('no_input.after_seconds');
    expect(scriptedPath(draft, 'settings.closing')).toBe('closing');
  });

  it('offers each phone key once', () => {
    const menu = PHONE_KEYS.reduce<ReturnType<typeof newMenuEntry>[]>((menu) => [...menu, newMenuEntry(menu)], []);
    expect(menu.map(({ key }) => key).join('')).toBe('1234567890*#');
  });

  it('lists the variables in its texts, even while incomplete', () => {
    const draft = {
      ...emptyScriptedDraft(),
      first_message: 'Hello {{name}}',
      lines: [newLine('On {{ day }}, {{name}}')],
    };
    expect(scriptedVariables(draft)).toEqual(['name', 'day']);
  });
});
