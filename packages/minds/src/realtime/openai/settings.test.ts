import { expect, test } from 'vitest';
import { SETTINGS, XAI } from '../../../test/recorded-mind.ts';
import { openAiDialect } from './dialects/openai.ts';

test.each(['near_field', 'far_field'] as const)(
  'a noise reduction of %s is a part of the session',
  (noiseReduction) => {
    const session = openAiDialect.session({ ...SETTINGS, noiseReduction }, 'answered');
    expect(session).toMatchObject({ audio: { input: { noise_reduction: { type: noiseReduction } } } });
  },
);

test('without a noise reduction nothing is sent of it, and to xAI never', () => {
  expect(JSON.stringify(openAiDialect.session(SETTINGS, 'answered'))).not.toContain('noise');
  const settings = { ...XAI.settings, noiseReduction: 'near_field' } as const;
  expect(JSON.stringify(XAI.dialect.session(settings, 'answered'))).not.toContain('noise');
});
