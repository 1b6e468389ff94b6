import { createHash } from 'node:crypto';
import { chown, mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

import type { Announce } from '../machine/announce.ts';
import { runCommand, type RunAs } from '../machine/command.ts';
import { createSecret, readSecret } from '../machine/secret.ts';
import { StoreSetupError } from '../machine/setup-error.ts';
import type { StoreProfile } from '../profile.ts';
import { SHARED_DIR } from './embedded.ts';
import { clusterVersion, type PostgresProgram } from './find-postgres.ts';
import { canEnter } from './server-account.ts';
import { damagedCluster } from './start-failure.ts';

/** The role that owns everything in the private cluster. */
export const DATABASE_ROLE = 'outdial';

/** The location of a cluster's files. Postgres calls the data of one server a cluster. */
export interface ClusterPlace {
  readonly clusterDir: string;
  readonly passwordPath: string;
}

/**
 * Decides where the cluster lies: in `serverDir`, or below /var/lib/outdial when we are root and Postgres's account
 * cannot enter `serverDir`. The location depends only on the folder's name, so every start finds it.
 */
export async function placeCluster(
  serverDir: string,
  runAs: RunAs | undefined,
  announce: Announce,
): Promise<ClusterPlace> {
  await mkdir(serverDir, { recursive: true, mode: 0o711 });
  const passwordPath = join(serverDir, 'password');
  if (await canEnter(runAs, serverDir)) return { clusterDir: join(serverDir, 'cluster'), passwordPath };
  const sharedDir = sharedDirOf(serverDir);
  const madeNow = await mkdir(sharedDir, { recursive: true, mode: 0o755 });
  if (madeNow !== undefined) {
    announce(`The account postgres cannot enter ${serverDir}; its data is kept in ${sharedDir}.`);
  }
  return { clusterDir: join(sharedDir, 'cluster'), passwordPath };
}

/** The location of `serverDir`'s cluster when Postgres's account cannot enter `serverDir`. */
export function sharedDirOf(serverDir: string): string {
  const name = createHash('sha256').update(serverDir).digest('hex').slice(0, 12);
  return join(SHARED_DIR, `postgres-${name}`);
}

/** Creates the cluster if there is none. Returns the password of its role. */
export async function ensureCluster(
  place: ClusterPlace,
  program: PostgresProgram,
  profile: StoreProfile,
  runAs: RunAs | undefined,
): Promise<string> {
  const { clusterDir, passwordPath } = place;
  if ((await clusterVersion(clusterDir)) === undefined) {
    if (!(await isEmptyOrMissing(clusterDir))) throw damagedCluster(clusterDir, 'its PG_VERSION file is missing');
    const password = (await readSecret(passwordPath)) ?? (await createSecret(passwordPath));
    await initialiseCluster(clusterDir, password, program, profile, runAs);
    return password;
  }
  const password = await readSecret(passwordPath);
  if (password === undefined) {
    throw new StoreSetupError(
      `The password of the local Postgres is missing: put ${passwordPath} back, or move ${clusterDir} away to start with an empty database.`,
    );
  }
  return password;
}

/**
 * Works in a temporary folder and renames it at the end, so that a killed start leaves no partial cluster. Each
 * attempt uses a new folder, because the initdb of an earlier attempt may still be running in its own.
 */
async function initialiseCluster(
  clusterDir: string,
  password: string,
  program: PostgresProgram,
  profile: StoreProfile,
  runAs: RunAs | undefined,
): Promise<void> {
  await removeUnfinished(clusterDir);
  const unfinished = await mkdtemp(`${clusterDir}${UNFINISHED}`);
  const passwordFile = join(unfinished, 'password-for-initdb');
  const newCluster = join(unfinished, 'cluster');
  await writeFile(passwordFile, `${password}\n`, { mode: 0o600 });
  if (runAs) for (const path of [unfinished, passwordFile]) await chown(path, runAs.uid, runAs.gid);
  const args = [
    `--pgdata=${newCluster}`,
    `--username=${DATABASE_ROLE}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    // The same sort order and messages on every machine, whatever its locales.
    '--locale=C',
    ...(profile === 'fast' ? ['--no-sync'] : []),
  ];
  const { succeeded, stderr } = await runCommand(program.initdb, args, { runAs });
  if (succeeded) await rename(newCluster, clusterDir);
  await rm(unfinished, { recursive: true, force: true });
  if (!succeeded) throw setUpFailure(clusterDir, stderr);
}

const UNFINISHED = '.unfinished-';

/** Removes what interrupted starts left behind. A folder that cannot be removed only wastes space. */
async function removeUnfinished(clusterDir: string): Promise<void> {
  const parent = dirname(clusterDir);
  const left = (await readdir(parent)).filter((name) => name.startsWith(`${basename(clusterDir)}${UNFINISHED}`));
  for (const name of left) await rm(join(parent, name), { recursive: true, force: true }).catch(() => {});
}

function setUpFailure(clusterDir: string, said: string): StoreSetupError {
  const reason = said.trimEnd().split('\n').at(-1) || 'no output';
  const remedy = /No space left|Disk quota/i.test(said) ? 'free some space' : 'try again';
  return new StoreSetupError(
    `Postgres could not set up ${clusterDir} (${reason}): ${remedy}, or choose another folder with OUTDIAL_DATA_DIR.`,
  );
}

async function isEmptyOrMissing(dir: string): Promise<boolean> {
  return (await readdir(dir).catch(() => [])).length === 0;
}
