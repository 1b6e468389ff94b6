import { expect, test } from 'vitest';
import { textsOf } from './source-texts.ts';

const found = (file: string, source: string) =>
  textsOf(file, source).map(({ line, kind, text }) => ({ line, kind, text }));

test('a log line is found with its message and line', () => {
  const source = `
    deps.logger.warn({ event: 'call.claim_failed', err }, 'the call could not be claimed');
    logger[isLate ? 'debug' : 'error']({ callId }, \`the call \${id} could not be read\`);
  `;
  expect(found('apps/worker/src/a.ts', source)).toEqual([
    { line: 2, kind: 'log', text: 'the call could not be claimed' },
    { line: 3, kind: 'log', text: 'the call … could not be read' },
  ]);
});

test('messages of errors, descriptions and text between tags are found', () => {
  const api = `new ApiError({ code: 'x', publicMessage: 'The key has no such right.' });
    const spec = { PORT: { description: 'Port to listen on.' } };`;
  expect(found('apps/api/src/a.ts', api)).toEqual([
    { line: 1, kind: 'http', text: 'The key has no such right.' },
    { line: 2, kind: 'description', text: 'Port to listen on.' },
  ]);
  const page = `export const A = () => <p title="What it is for">No call matches the filter</p>;`;
  expect(found('apps/dashboard/src/a.tsx', page).map(({ text }) => text)).toEqual([
    'What it is for',
    'No call matches the filter',
  ]);
});

test('what people do not read is left out: imports, types, SQL, CSS and single words', () => {
  const source = `
    import a from 'a module with words';
    type B = 'one of these words';
    const c = sql\`a tagged text with words\`;
    const d = 'SELECT id FROM calls where it is open';
    const e = ['queued', 'in progress', '--flag'];
    const f = { className: 'flex items center wide' };
  `;
  expect(found('packages/calls/src/a.ts', source)).toEqual([]);
});
