import { test } from 'vitest';
import { openStage, type Stage } from './stage.ts';

/** Each file of a process may load this module again; they share the process. */
declare global {
  var outdialSharedStage: Promise<Stage> | undefined;
}

const SPEED = 20;

/**
 * For `withStage.beforeAll(async ({ sharedStage }) => …)`: one stage for all files that a process of vitest runs, one after
 * the other; it closes as the process ends. A test creates its own accounts and users, and undoes what it changes for the
 * whole platform. A file that needs another speed, or a platform without others, opens a stage of its own.
 */
// oxlint-disable-next-line no-empty-pattern -- vitest reads from the pattern which other fixtures this one needs
export const withStage = test.extend('sharedStage', { scope: 'worker' }, async ({}, { onCleanup }) => {
  globalThis.outdialSharedStage ??= openStage({ speed: SPEED });
  onCleanup(closeSharedStage);
  return globalThis.outdialSharedStage;
});

async function closeSharedStage(): Promise<void> {
  const opened = globalThis.outdialSharedStage;
  globalThis.outdialSharedStage = undefined;
  await (await opened)?.close();
}
