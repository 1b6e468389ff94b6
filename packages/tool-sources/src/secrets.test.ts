import { OWN_TOOL_NAMES } from '@outdial/contracts';
import { expect, test } from 'vitest';
import { ModelNames } from './model-names.ts';
import { cutWithoutSecrets, withoutSecrets } from './secrets.ts';

const SECRET = String.raw`can"ary\key/ü-4711`;

test.each([
  ['as it is', SECRET],
  ['in JSON', JSON.stringify({ key: SECRET })],
  ['in JSON of ASCII alone', String.raw`{"key": "can\"ary\\key/\u00fc-4711"}`],
  ['in JSON with escaped slashes', String.raw`{"key":"can\"ary\\key\/\u00fc-4711"}`],
])('a secret is found %s', (_how, text) => {
  const shown = withoutSecrets(`before ${text} after`, [SECRET]);
  expect(shown).toContain('[secret]');
  expect(shown).not.toMatch(/can|key.?[/\\]|4711/);
});

test('the beginning of a secret in JSON is removed where a text is cut', () => {
  const text = JSON.stringify({ of: SECRET });
  for (let length = 1; length < SECRET.length; length += 1) {
    const cut = text.slice(0, text.indexOf('can') + length);
    expect(cutWithoutSecrets(cut, [SECRET])).toBe('{"of":"');
  }
});

test('no tool of a server takes the name of a tool of the product', () => {
  expect(OWN_TOOL_NAMES).toContain('opt_out');
  for (const name of OWN_TOOL_NAMES) {
    expect(new ModelNames({ tools: [] }).take('crm', name)).toBe(`crm_${name}`);
  }
});
