import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { expect, it } from 'vitest';

const ENTRY = fileURLToPath(new URL('index.ts', import.meta.url));
const MAX_BYTES = 25_000;

it('needs no module of Node, and has at most 25 kB with its dependencies, minified and compressed', async () => {
  const { outputFiles } = await build({
    entryPoints: [ENTRY],
    bundle: true,
    minify: true,
    format: 'esm',
    // A module of Node would be an error.
    platform: 'browser',
    conditions: ['@outdial/source'],
    target: 'es2023',
    write: false,
    logLevel: 'silent',
  });
  expect(gzipSync(outputFiles[0]?.contents ?? '').length).toBeLessThanOrEqual(MAX_BYTES);
});
