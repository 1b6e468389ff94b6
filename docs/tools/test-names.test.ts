import { expect, test } from 'vitest';
import { commentsOf } from './source-comments.ts';
import { testNamesOf } from './test-names.ts';

test('names of tests and groups are found with their line, in tables too', () => {
  const source = `
    describe('a call', () => {
      it.each([1, 2])('is charged once: %s', () => undefined);
      test.skip(\`of \${kind}\`, () => undefined);
      expect('a text that is no name').toBe(it);
    });`;
  expect(testNamesOf('packages/calls/src/a.test.ts', source)).toEqual([
    { file: 'packages/calls/src/a.test.ts', line: 2, text: 'a call' },
    { file: 'packages/calls/src/a.test.ts', line: 3, text: 'is charged once: %s' },
    { file: 'packages/calls/src/a.test.ts', line: 4, text: 'of …' },
  ]);
});

test('line comments that follow each other are one comment, and a docstring loses its signs', () => {
  const source = `// One sentence\n// on two lines.\nconst a = 1; // Another.\n\n// A third.\n/**\n * Of a call.\n */`;
  expect(commentsOf('a.ts', source).map(({ line, text }) => [line, text.trim()])).toEqual([
    [1, 'One sentence\n on two lines.'],
    [3, 'Another.'],
    [5, 'A third.'],
    [6, 'Of a call.'],
  ]);
});
