import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** The vitest project of a test file. `telephones` and `browser` go by suffix; see vitest.config.ts. */
export type TestKind = 'unit' | 'stores' | 'processes' | 'isolated';

const ROOT_FOLDERS = ['packages', 'apps', 'bench', 'docs', 'deploy'];
const SKIPPED_FOLDERS = new Set(['node_modules', 'dist', 'generated', '.build', '.turbo']);
const RELATIVE_IMPORT = /(?:from|import)\s*\(?\s*'(\.[^']+\.tsx?)'/g;
/** Folders of test helpers. What a helper does counts for the tests that import it; what product code does does not. */
const HELPER_FOLDER = /\/(?:test|testing)\/|\/packages\/chaos\/src\//;

const STARTS_PROCESSES = /node:child_process|node:worker_threads|\bprivate(?:Redis|Postgres|S3)\b/;
/** Threads of the product: in `services` they load from bundles, and elsewhere through a TypeScript loader. */
const STARTS_THREADS = /\b(?:createSpeechSynthesizer|startMediaThread|startModelThread)\b/;
const CHANGES_ITS_PROCESS =
  /\bvi\.(?:mock|doMock|stubEnv|stubGlobal)\b|\bprocess\.(?:chdir|umask)\b|\bprocess\.env(?:\.\w+|\[[^\]]+\]) = /;
/** What another file left in the process, such as the timers of an HTTP client, would be counted. */
const COUNTS_TIMERS = /\bvi\.getTimerCount\b/;
/** For files that no pattern detects. */
const ISOLATED_BY_NAME = /\.isolated\.test\.ts$/;
const USES_STORES = /\b(?:testStores|outdialStores)\b/;

/**
 * Classifies every test file by the contents of the file and its imported test helpers:
 * - `isolated`: changes its own process, counts its timers, or is named `*.isolated.test.ts`. Each file gets its own process.
 * - `processes`: starts processes, threads or servers, and waits for them. Files share a process.
 * - `stores`: uses the run's Redis and Postgres. Files share a process.
 * - `unit`: the rest. Files share a thread and need no stores.
 *
 * @param rootDir absolute path of the repository.
 * @returns paths relative to `rootDir`.
 */
export function classifyTests(rootDir: string): Readonly<Record<TestKind, readonly string[]>> {
  const files: Record<TestKind, string[]> = { unit: [], stores: [], processes: [], isolated: [] };
  for (const path of ROOT_FOLDERS.flatMap((folder) => testFilesBelow(rootDir, folder))) {
    files[kindOf(join(rootDir, path))].push(path);
  }
  return files;
}

/** @param path absolute path of a test file. */
function kindOf(path: string): TestKind {
  if (ISOLATED_BY_NAME.test(path)) return 'isolated';
  const source = sourceWithHelpers(path, new Set());
  if (CHANGES_ITS_PROCESS.test(source) || COUNTS_TIMERS.test(source)) return 'isolated';
  if (STARTS_PROCESSES.test(source) || STARTS_THREADS.test(source)) return 'processes';
  return USES_STORES.test(source) ? 'stores' : 'unit';
}

function sourceWithHelpers(path: string, seen: Set<string>): string {
  if (seen.has(path) || !existsSync(path)) return '';
  seen.add(path);
  const source = readFileSync(path, 'utf8');
  const helpers = [...source.matchAll(RELATIVE_IMPORT)]
    .map(([, specifier = '']) => resolve(dirname(path), specifier))
    .filter((helper) => HELPER_FOLDER.test(helper));
  return [source, ...helpers.map((helper) => sourceWithHelpers(helper, seen))].join('\n');
}

function testFilesBelow(rootDir: string, folder: string): string[] {
  return readdirSync(join(rootDir, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return SKIPPED_FOLDERS.has(entry.name) ? [] : testFilesBelow(rootDir, path);
    return entry.name.endsWith('.test.ts') ? [path] : [];
  });
}
