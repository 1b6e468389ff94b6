import type { Announce } from '../machine/announce.ts';
import { runCommand, type RunAs } from '../machine/command.ts';
import { StoreSetupError } from '../machine/setup-error.ts';

const ACCOUNT = 'postgres';

/**
 * The account that Postgres runs under: ours, or `postgres` when we are root, since Postgres refuses to run as root.
 * Announces and creates that account if it is missing.
 */
export async function serverAccount(announce: Announce): Promise<RunAs | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const present = await lookUp();
  if (present) return present;
  await createAccount(announce);
  const created = await lookUp();
  if (created) return created;
  throw new StoreSetupError(
    'Postgres does not run as root, and the account postgres could not be created: start Outdial as another user.',
  );
}

async function lookUp(): Promise<RunAs | undefined> {
  const [uid, gid] = await Promise.all([runCommand('id', ['-u', ACCOUNT]), runCommand('id', ['-g', ACCOUNT])]);
  if (!uid.succeeded || !gid.succeeded) return undefined;
  return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
}

async function createAccount(announce: Announce): Promise<void> {
  announce('Postgres does not run as root. Creating the system account postgres for it …');
  const env = { ...process.env, PATH: `${process.env['PATH'] ?? ''}:/usr/sbin:/sbin` };
  const args = ['--system', '--user-group', '--no-create-home', '--shell', '/bin/false', ACCOUNT];
  await runCommand('useradd', args, { env });
}

/** Whether that account may enter the folder. */
export async function canEnter(runAs: RunAs | undefined, folder: string): Promise<boolean> {
  if (!runAs) return true;
  return (await runCommand('/bin/sh', ['-c', 'cd "$1"', 'sh', folder], { runAs })).succeeded;
}
