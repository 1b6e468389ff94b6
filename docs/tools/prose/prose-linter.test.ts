import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { bannedPhrases } from './banned-words.ts';
import { createProseLinter } from './prose-linter.ts';

const docs = new URL('../../', import.meta.url);
const linter = createProseLinter(docs);
const lint = async (text: string) =>
  (await linter.lintMarkdown('a.md', text)).map(({ line, message }) => `${line}: ${message}`);

test('every phrase of the table in the style page is rejected, in each of its forms', async () => {
  const phrases = bannedPhrases(readFileSync(new URL('style.md', docs), 'utf8'));
  expect(phrases.length).toBeGreaterThan(10);
  for (const { phrase } of phrases) expect(await lint(`The worker may ${phrase} here.`)).not.toEqual([]);
  expect(await lint('The worker\ngave back the slot.')).toEqual([
    expect.stringContaining('"give back": write return, release'),
  ]);
});

test('a phrase is allowed where the table allows it, and in code', async () => {
  expect(await lint('Write it in Latin letters. A clock cannot tell them apart.')).toEqual([]);
  expect(await lint('Run `tell whoever` or\n\n```sh\nsomebody anew\n```')).toEqual([]);
});

test('a misspelled word is named with its line; words of the glossary are known', async () => {
  expect(await lint('The gate.\n\nThe worker recieves a job.')).toEqual(['3: "recieves" is in no dictionary']);
  expect(await lint('The callee hears early media after barge-in. BullMQ and `xyzzy` are fine.')).toEqual([]);
});

test('a double negation and a sentence of more than 45 words are rejected', async () => {
  expect(await lint('Nothing in it may not be lost.')).toEqual([expect.stringContaining('double negation')]);
  expect(await lint(`The worker ${'sends one frame '.repeat(20)}now.`)).toEqual([
    expect.stringContaining('a sentence of 63 words'),
  ]);
});

test('a text of the code is reported with its line in the file', async () => {
  const problems = await linter.lintText('a.ts', 17, 'Ask whoever runs the service.');
  expect(problems.map(({ file, line }) => `${file}:${line}`)).toEqual(['a.ts:17']);
});
