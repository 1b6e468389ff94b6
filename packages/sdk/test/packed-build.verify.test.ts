import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';

const run = promisify(execFile);
const PACKAGE = fileURLToPath(new URL('..', import.meta.url));
const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const COMPILERS = {
  'TypeScript 5.9': join(PACKAGE, 'node_modules/typescript/bin/tsc'),
  'TypeScript 7': join(ROOT, 'node_modules/typescript/bin/tsc'),
};
/** What npm would install with the package. */
const DEPENDENCIES = {
  'openapi-fetch': join(ROOT, 'node_modules/openapi-fetch'),
  'openapi-typescript-helpers': join(ROOT, 'node_modules/openapi-typescript-helpers'),
  standardwebhooks: join(ROOT, 'node_modules/standardwebhooks'),
  'eventsource-parser': join(PACKAGE, 'node_modules/eventsource-parser'),
};

const PROGRAM = `
import { NotFoundError, Outdial, type Call, type WebhookEvent } from '@outdial/sdk';

const outdial = new Outdial({ apiKey: 'k', baseUrl: process.argv[2] ?? '' });
const call: Call = await outdial.calls.get('c-1');
const status: string = call.status;
export const seconds = async (): Promise<number | null> => (await call.wait()).duration_seconds;
export const nameOf = (event: WebhookEvent): string =>
  event.type === 'call.ended' ? (event.data.call.ended_reason ?? '') : event.type;
// @ts-expect-error the number is missing
export const wrong = () => outdial.calls.create({ agent_id: 'a' });
const missing = await outdial.agents.get('a').catch((error: unknown) => error instanceof NotFoundError);
process.stdout.write(JSON.stringify([status, missing]));
`;

let project: string;
beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'outdial-packed-'));
  await rm(join(PACKAGE, 'dist'), { recursive: true, force: true });
  await run(process.execPath, [COMPILERS['TypeScript 5.9'], '-p', 'tsconfig.build.json'], { cwd: PACKAGE });
  await run('npm', ['pack', '--pack-destination', project], { cwd: PACKAGE });
  const [archive = ''] = (await readdir(project)).filter((name) => name.endsWith('.tgz'));
  const installed = join(project, 'node_modules/@outdial/sdk');
  await mkdir(installed, { recursive: true });
  await run('tar', ['-xzf', join(project, archive), '--strip-components=1', '-C', installed]);
  for (const [name, path] of Object.entries(DEPENDENCIES)) {
    const link = join(project, 'node_modules', name);
    await mkdir(dirname(link), { recursive: true });
    await symlink(path, link);
  }
  await symlink(join(ROOT, 'node_modules/@types'), join(project, 'node_modules/@types'));
  await writeFile(join(project, 'package.json'), JSON.stringify({ type: 'module' }));
  await writeFile(join(project, 'main.ts'), PROGRAM);
  // A compiler and npm, one after the other: more than a busy machine does in the usual limit.
}, 600_000);
afterAll(() => rm(project, { recursive: true, force: true }));

it('the package has its code, its types and its README, and neither tests nor tools', async () => {
  const files = await readdir(join(project, 'node_modules/@outdial/sdk'), { recursive: true });
  expect(files).toEqual(expect.arrayContaining(['README.md', 'package.json', 'dist/index.js', 'dist/index.d.ts']));
  expect(files.filter((file) => /test|tools|openapi\.json|^src/.test(file))).toEqual([]);
});

it.each(Object.entries(COMPILERS))('a project compiles with %s, and runs on this Node', async (_name, compiler) => {
  const options = ['--strict', '--exactOptionalPropertyTypes', '--module', 'nodenext', '--target', 'es2022'];
  await run(process.execPath, [compiler, 'main.ts', ...options, '--types', 'node'], { cwd: project });
  const server = createServer((request, response) => {
    const isCall = request.url === '/api/v1/outbound/calls/c-1';
    response.writeHead(isCall ? 200 : 404, { 'Content-Type': 'application/json' });
    const error = { code: 'agent_not_found', message: 'None.', request_id: 'r' };
    response.end(JSON.stringify(isCall ? { call: { id: 'c-1', status: 'ended' } } : { error }));
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const { stdout } = await run(process.execPath, ['main.js', `http://127.0.0.1:${port}`], { cwd: project });
  expect(JSON.parse(stdout)).toEqual(['ended', true]);
});
