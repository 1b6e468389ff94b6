import { test as base } from 'vitest';
import { openStage, type Stage } from './stage.ts';

/** Files of one process load this module again each, and share the process. */
declare global {
  var outdialSharedStage: Promise<Stage> | undefined;
}

const SPEED = 20;

/**
 * `sharedStage` is one stage for all files that a process of vitest runs, one after the other; it closes as the process
 * ends. A test creates its own accounts and users, looks at nothing of others, and undoes what it changes for the whole
 * platform. A file that cannot opens a stage of its own.
 */
export const test = base.extend('sharedStage', { scope: 'worker' }, async ({}, { onCleanup }) => {
  globalThis.outdialSharedStage ??= openStage({ speed: SPEED });
  onCleanup(closeSharedStage);
  return globalThis.outdialSharedStage;
});

async function closeSharedStage(): Promise<void> {
  const opened = globalThis.outdialSharedStage;
  globalThis.outdialSharedStage = undefined;
  await (await opened)?.close();
}
