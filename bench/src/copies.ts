import { copyOfSubject, query, type Stage, type StageStores } from './stage.ts';

/** Stores that begin as the subject's, with their own gate in another Redis database. */
export async function copyStores(stage: Stage, name: string, redisDatabase: number): Promise<StageStores> {
  const databaseUrl = await copyOfSubject(stage, name);
  // The wait for the disk is the same for both of a pair, and would hide a difference.
  await query(databaseUrl, `ALTER DATABASE ${new URL(databaseUrl).pathname.slice(1)} SET synchronous_commit = off`);
  const redisUrl = new URL(stage.subject.redisUrl);
  redisUrl.pathname = `/${redisDatabase}`;
  return { databaseUrl, redisUrl: redisUrl.href };
}
