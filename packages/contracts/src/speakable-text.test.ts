import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { speakableText } from './speakable-text.ts';

describe('a speakable text', () => {
  it.each([
    ['Zoë and José Müller', 'Zoe and Jose Muller'],
    ['Straße, Øresund, Łódź', 'Strasse, Oresund, Lodz'],
    ['“Don’t go” … yet', '"Don\'t go" ... yet'],
    ['日本 Anna\n\t 🙂!', 'Anna !'],
  ])('turns %j into %j', (text, speakable) => {
    expect(speakableText(text)).toBe(speakable);
  });

  it('is printable ASCII without double spaces for any input, and is unchanged by a second pass', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const speakable = speakableText(text);
        expect(speakable).toMatch(/^(?! )(?:(?! {2})[ -~])*$/);
        expect(speakableText(speakable)).toBe(speakable);
      }),
    );
  });
});
