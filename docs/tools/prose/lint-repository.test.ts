import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { lintRepository } from './lint-repository.ts';
import { createProseLinter } from './prose-linter.ts';

const root = mkdtempSync(join(tmpdir(), 'prose-'));
afterAll(() => rmSync(root, { recursive: true }));

/** A banned word in each kind of text, on the named line of its file. */
const PLANTS: readonly (readonly [file: string, line: number, source: string])[] = [
  ['README.md', 3, '# A product\n\nWhoever calls pays.\n'],
  ['docs/guides/calls.md', 1, 'Read it anew.\n'],
  ['docs/adr/0001-a-decision.md', 1, 'The worker gives back the slot.\n'],
  ['packages/calls/README.md', 2, '# Calls\nNobody dials twice.\n'],
  ['packages/chaos/src/model/README.md', 1, 'The worker does it anew.\n'],
  ['apps/api/src/a-fault.ts', 1, "throw new ApiFault({ code: 'x', publicMessage: 'Ask whoever runs it.' });"],
  ['apps/api/src/routes/contract.ts', 1, "export const a = z.string().describe('The key of whoever calls.');"],
  ['apps/api/src/env.ts', 2, "export const env = {\n  PORT: { description: 'Port that somebody opened.' } };"],
  ['packages/contracts/src/field.ts', 1, "export const a = z.string().regex(/a/, 'must be given back');"],
  ['apps/cli/src/start/options.ts', 1, "command.option('--call <number>', 'place a call anew');"],
  ['apps/cli/src/admin/calls.ts', 2, 'terminal.print(\n  `The call ${id} was put off, see http://127.0.0.1/`);'],
  ['apps/cli/bootstrap/start.mjs', 1, "process.stdout.write('Nobody built the product.');"],
  ['apps/worker/src/log.ts', 2, "\nlogger.warn({ event: 'call.late' }, 'somebody ended the call');"],
  ['packages/queue/src/log.ts', 1, "deps.logger[isLate ? 'debug' : 'error']({ id }, `the job ${id} was put off`);"],
  ['apps/dashboard/src/page.tsx', 3, 'export const A = () => (\n  <p>\n    Anew</p>\n);'],
  ['apps/dashboard/src/button.tsx', 1, 'export const B = () => <button aria-label="Anew" />;'],
  ['apps/dashboard/src/field.tsx', 1, "export const C = { label: 'Fill in anew' };"],
  ['apps/dashboard/src/choice.tsx', 1, "export const D = ({ a }) => <p title={a ? 'Try anew' : undefined} />;"],
  ['packages/identity/src/email.ts', 1, "export const subject = 'Somebody invites you';"],
  ['packages/chaos/src/run.ts', 1, "process.stdout.write('The run begins anew.');"],
  ['packages/calls/src/a.test.ts', 1, "test.for([1])('a call is given back: %s', () => undefined);"],
  ['packages/calls/src/b.test.ts', 1, "describe('whoever calls', () => { it('pays', () => undefined); });"],
  ['packages/calls/src/testing/suite.ts', 1, "test('nobody dials twice', () => undefined);"],
  ['packages/calls/src/comment.ts', 2, '/**\n * Of whoever\n * calls. */\nexport const a = 1;'],
  ['packages/calls/src/comments.ts', 1, '// The slot is given\n// back, and\n// dialled anew.\nexport const a = 1;'],
];

test('a banned word is reported with file and line in every kind of text', async () => {
  for (const [file, , source] of PLANTS) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), source);
  }
  const problems = await lintRepository(root, createProseLinter(new URL('../../', import.meta.url)));
  const found = new Set(
    problems.filter(({ message }) => message.includes('": write ')).map((at) => `${at.file}:${at.line}`),
  );
  for (const [file, line] of PLANTS) expect(found).toContain(`${file}:${line}`);
});
