import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { onTestFinished } from 'vitest';

import { testFolder } from './test-folder.ts';

/** Programs for one test: PATH contains these and nothing else. */
export interface FakePrograms {
  /** Adds a shell script that records its arguments and then runs `body`. Returns its path. */
  add(name: string, body: string): Promise<string>;
  /** The arguments of each call so far. */
  callsOf(name: string): Promise<readonly string[]>;
}

export async function fakePrograms(): Promise<FakePrograms> {
  const binDir = join(await testFolder(), 'bin');
  await mkdir(binDir);
  const path = process.env['PATH'];
  process.env['PATH'] = binDir;
  onTestFinished(() => void (process.env['PATH'] = path));
  return {
    async add(name, body) {
      const program = join(binDir, name);
      await writeFile(program, `#!/bin/sh\necho "$*" >> "$0.calls"\n${body}\n`);
      await chmod(program, 0o755);
      return program;
    },
    async callsOf(name) {
      return (await readFile(join(binDir, `${name}.calls`), 'utf8')).trimEnd().split('\n');
    },
  };
}
