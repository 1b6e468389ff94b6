import { once } from 'node:events';
import { readdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { systemClock } from '@outdial/kernel';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startProgram } from '../src/start/start-program.ts';
import { createTerminal } from '../src/terminal/terminal.ts';
import { ownFolder, type OwnFolder } from './own-folder.ts';

let folder: OwnFolder;
beforeAll(async () => {
  folder = await ownFolder();
});
afterAll(() => folder.remove());

/** In this process; the processes that check the settings are real. */
async function refusal(given: NodeJS.ProcessEnv) {
  let output = '';
  const terminal = createTerminal({ write: (text) => ((output += text), true) }, {});
  const never = new AbortController().signal;
  const exitCode = await startProgram({
    args: [],
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...folder.env, ...given },
    terminal,
    clock: systemClock,
    stop: { requested: never, forced: never, fail: () => {} },
  });
  return { exitCode, output: output.trim() };
}

describe('npm start that fails', () => {
  test('reports a busy port in one sentence', async () => {
    const server = createServer().listen(Number(folder.env['PORT']), '127.0.0.1');
    await once(server, 'listening');
    const { exitCode, output } = await refusal({});
    server.close();
    expect(exitCode).toBe(1);
    expect(output).toMatch(
      /✗ Port \d+ is in use by another program: stop that program, or choose another port with `PORT=\d+ npm start`\.$/,
    );
  });

  test('reports an invalid data folder in one sentence', async () => {
    const path = join(folder.dataDir, 'a-file');
    await writeFile(path, '');
    const { exitCode, output } = await refusal({ OUTDIAL_DATA_DIR: path });
    expect(exitCode).toBe(1);
    expect(output).toMatch(
      new RegExp(
        `✗ The data folder ${path} is not a folder: move that file away, or choose another folder with OUTDIAL_DATA_DIR\\.$`,
      ),
    );
  });

  test.each([
    [
      { DATABASE_URL: 'postgresql://a:secret@127.0.0.1:1/x', REDIS_URL: 'redis://:secret@127.0.0.1:1/0' },
      /✗ Redis at 127\.0\.0\.1:1 does not answer \(.*ECONNREFUSED.*\): check REDIS_URL, or leave it out/,
    ],
    [
      { DATABASE_URL: 'postgresql://a:secret@127.0.0.1:1/x' },
      /✗ Postgres at 127\.0\.0\.1:1 cannot be used \(.*ECONNREFUSED.*\): check DATABASE_URL, or leave it out/,
    ],
  ])('names the user’s store that does not answer, and shows no password', async (given, sentence) => {
    const { exitCode, output } = await refusal(given);
    expect(exitCode).toBe(1);
    expect(output).toMatch(sentence);
    expect(output).not.toContain('secret');
  });

  test('names an invalid setting', async () => {
    const { exitCode, output } = await refusal({ PORT: 'http' });
    expect(exitCode).toBe(1);
    expect(output).toContain('PORT=http cannot be used: it must be a whole number from 1 to 65535.');
  });

  test('names invalid settings of its services before it creates anything', async () => {
    const path = join(folder.dataDir, 'not-made');
    const given = { OUTDIAL_DATA_DIR: path, OUTDIAL_WORKER_CONCURRENCY: 'many', OUTDIAL_QUEUE_TTL_SECONDS: '1e99' };
    const { exitCode, output } = await refusal(given);
    expect(exitCode).toBe(1);
    expect(output).toMatch(
      /✗ OUTDIAL_WORKER_CONCURRENCY=many cannot be used: it must be a whole number from 1 to 20000\.$/m,
    );
    expect(output).toMatch(
      /✗ OUTDIAL_QUEUE_TTL_SECONDS=1e99 cannot be used: it must be a whole number from 1 to 86400\.$/m,
    );
    expect(await readdir(folder.dataDir)).not.toContain('not-made');
  });

  test.each([
    [['--cal'], "unknown option '--cal'"],
    [['--call', '555'], 'must be an E.164 telephone number'],
  ])('names what is wrong with %j', async (args, message) => {
    const product = folder.start({}, ...args);
    expect(await product.ended).toBe(2);
    expect(product.output()).toContain(message);
  });
});
