import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import { join } from 'node:path';

import { expect, onTestFinished, test, vi } from 'vitest';

import { dockerEngineAnswers } from './docker-engine.ts';
import { makeTemporaryDir } from './temporary-dir.ts';

test('an engine that answers a ping is found', async () => {
  const asked = await engine((request, response) => response.end(request.url));
  expect(await dockerEngineAnswers()).toBe(true);
  expect(asked).toEqual(['/_ping']);
});

test('an engine that is broken is not used', async () => {
  await engine((_, response) => response.writeHead(500).end());
  expect(await dockerEngineAnswers()).toBe(false);
});

test('an engine that does not answer is not used', async () => {
  await engine(() => {});
  expect(await dockerEngineAnswers()).toBe(false);
});

test.each(['unix:///nowhere/docker.sock', 'tcp://127.0.0.1:1', 'ssh://somewhere', 'no address'])(
  'without an engine at %s none is used',
  async (host) => {
    vi.stubEnv('DOCKER_HOST', host);
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(await dockerEngineAnswers()).toBe(false);
  },
);

/** Listens where DOCKER_HOST points. Returns the requested paths. */
async function engine(answer: RequestListener): Promise<readonly (string | undefined)[]> {
  const dir = await makeTemporaryDir();
  const asked: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url);
    answer(request, response);
  }).listen(join(dir, 'docker.sock'));
  await once(server, 'listening');
  vi.stubEnv('DOCKER_HOST', `unix://${dir}/docker.sock`);
  onTestFinished(async () => {
    vi.unstubAllEnvs();
    server.closeAllConnections();
    server.close();
    await rm(dir, { recursive: true });
  });
  return asked;
}
