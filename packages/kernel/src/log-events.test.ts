import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { LOG_EVENTS } from './log-events.ts';

const ROOT = join(import.meta.dirname, '../../..');
const SOURCES = [
  'apps/api',
  'apps/worker',
  'apps/callee',
  'packages/admission',
  'packages/kernel',
  'packages/telephony',
];
/** Lines at `info` and above. A line at `debug` needs no event: operators neither see nor search it. */
const LOG_CALL = /\blogger\s*(?:\.(?:info|warn|error|fatal)|\[[^\]]+\])\(/g;

async function sourcesBelow(folder: string): Promise<readonly { readonly path: string; readonly text: string }[]> {
  const paths = (await readdir(join(ROOT, folder), { recursive: true }))
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts') && !path.endsWith('log-events.ts'))
    .map((path) => join(folder, path));
  return Promise.all(paths.map(async (path) => ({ path, text: await readFile(join(ROOT, path), 'utf8') })));
}

/** The arguments of the call whose opening parenthesis ends at `start`. */
function argumentsAt(text: string, start: number): string {
  let depth = 1;
  let end = start;
  while (depth > 0 && end < text.length) {
    if (text[end] === '(') depth += 1;
    if (text[end] === ')') depth -= 1;
    end += 1;
  }
  return text.slice(start, end - 1);
}

const sources = (await Promise.all(SOURCES.map((workspace) => sourcesBelow(`${workspace}/src`)))).flat();
const calls = sources.flatMap(({ path, text }) =>
  [...text.matchAll(LOG_CALL)].map(({ 0: call, index }) => ({ path, line: argumentsAt(text, index + call.length) })),
);

describe('the events of the log', () => {
  it('are on every line of the API, admission, the worker and telephony at info and above', () => {
    expect(calls.length).toBeGreaterThan(40);
    expect(calls.filter(({ line }) => !/^\s*\{\s*event\b/.test(line))).toEqual([]);
  });

  it('are each used, and each name in use is listed', () => {
    const text = sources.map((source) => source.text).join('\n');
    expect(Object.keys(LOG_EVENTS).filter((name) => !text.includes(`'${name}'`))).toEqual([]);
    const used = calls.flatMap(({ line }) => line.match(/(?<=^\s*\{\s*event: ')[^']+/)?.[0] ?? []);
    expect(used.filter((name) => !(name in LOG_EVENTS))).toEqual([]);
  });

  it('are lower-case names of a subject and what happened to it', () => {
    for (const name of Object.keys(LOG_EVENTS)) expect(name).toMatch(/^[a-z]+(_[a-z]+)*\.[a-z]+(_[a-z]+)*$/);
  });

  it('are listed with their meanings in docs/log-events.md', async () => {
    await expect(documentOf(LOG_EVENTS)).toMatchFileSnapshot(join(ROOT, 'docs/log-events.md'));
  });
});

/** The table as the formatter lays it out: cells padded to the longest one of their column. */
function documentOf(events: Readonly<Record<string, string>>): string {
  const rows = Object.entries(events).map(([name, meaning]) => [`\`${name}\``, meaning] as const);
  const [first, second] = [0, 1].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const rowOf = (name: string, meaning: string, fill = ' ') =>
    `| ${name.padEnd(first ?? 0, fill)} | ${meaning.padEnd(second ?? 0, fill)} |`;
  return [
    '# Log events',
    '',
    'The API and the workers log JSON lines. Each line at `level` `info` and above has an `event` from this table. Events are',
    'stable: search and alert by `event`, not by `msg`, which may change. Some lines of packages, such as those about single',
    'calls and the queue, have a message only.',
    '',
    rowOf('event', 'meaning'),
    rowOf('-', '-', '-'),
    ...rows.map(([name, meaning]) => rowOf(name, meaning)),
    '',
  ].join('\n');
}
