import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { globSync } from 'tinyglobby';
import { z } from 'zod';
import type { Workspace } from './import-errors.ts';
import { parseSourceFile, type SourceFile } from './source-file.ts';

const manifestSchema = z.object({ name: z.string(), dependencies: z.record(z.string(), z.string()).default({}) });

/** `root` is the folder of the repository. */
export function readWorkspaces(root: string): readonly Workspace[] {
  return globSync(['{apps,packages}/*/package.json', 'bench/package.json', 'docs/package.json'], { cwd: root }).map(
    (path) => {
      const { name, dependencies } = manifestSchema.parse(JSON.parse(readFileSync(`${root}/${path}`, 'utf8')));
      return { name, dir: dirname(path), dependencies: Object.keys(dependencies) };
    },
  );
}

/** The sources of all apps and packages, tests included. */
export function readSourceFiles(root: string): readonly SourceFile[] {
  const ignore = ['**/node_modules/**', '**/dist/**', '**/generated/**'];
  return globSync('{apps,packages}/*/src/**/*.{ts,tsx,mjs}', { cwd: root, ignore })
    .toSorted()
    .map((path) => parseSourceFile(path, readFileSync(`${root}/${path}`, 'utf8')));
}
