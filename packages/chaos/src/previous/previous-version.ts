import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exportTree } from './export-tree.ts';
import { providePackages } from './provide-packages.ts';
import { ROOT, rollingFrom } from './rolling-from.ts';
import { runIn } from './run-in.ts';

/** The product at `deploy/rolling-from`, built beside the working tree. */
export interface PreviousVersion {
  readonly commit: string;
  /** Of its tree. */
  readonly root: string;
  close(): Promise<void>;
}

/** Each is a program of the exported tree. What they need of it stands in deploy/README.md. */
const GENERATE = 'packages/persistence/generate.mjs';
const BUILD = 'apps/cli/bootstrap/bundle-services.mjs';

export async function openPreviousVersion(announce: (text: string) => void): Promise<PreviousVersion> {
  const commit = rollingFrom();
  const folder = await mkdtemp(join(tmpdir(), 'outdial-previous-'));
  const close = () => rm(folder, { recursive: true, force: true });
  try {
    const root = await exportTree(commit, ROOT, folder);
    const provided = await providePackages(root, ROOT);
    for (const program of [GENERATE, BUILD]) await runIn(root, process.execPath, [program]);
    announce(`Built ${commit}; its dependencies are ${provided}`);
    return { commit, root, close };
  } catch (error) {
    await close();
    throw error;
  }
}
