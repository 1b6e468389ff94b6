import type { Announce } from '../machine/announce.ts';
import { findProgram, runCommand, type CommandResult } from '../machine/command.ts';
import { StoreSetupError } from '../machine/setup-error.ts';

const INSTALL_LIMIT_MS = 300_000;

/** What the user can do where we do not install. */
export const INSTALL_HINT =
  'install Redis 6.2 or later (Debian: `sudo apt-get install -y redis-server`; macOS: `brew install redis`)';

/** Installs Redis with apt-get or Homebrew, and announces each step first. */
export async function installRedis(announce: Announce): Promise<void> {
  if ((await findProgram('apt-get')) !== undefined) return installWithApt(announce);
  // Homebrew refuses to run as root.
  if ((await findProgram('brew')) !== undefined && process.getuid?.() !== 0) return installWithBrew(announce);
  throw notInstallable('neither apt-get nor brew is here to install it');
}

async function installWithApt(announce: Announce): Promise<void> {
  const prefix = await rootPrefix();
  if (!prefix) throw notInstallable('installing it requires root, and sudo asks for a password');
  const install = [...prefix, 'apt-get', 'install', '-y', '--no-install-recommends', 'redis-server'];
  announce(`Redis is not on this machine. Installing the package redis-server with \`${install.join(' ')}\` …`);
  if ((await runInstaller(install)).succeeded) return;
  // Container images come without package lists, and old lists name files that are gone.
  announce('The package was not found; updating the package lists with `apt-get update` …');
  await runInstaller([...prefix, 'apt-get', 'update']);
  const second = await runInstaller(install);
  if (!second.succeeded) throw notInstallable(failureOf('apt-get', second));
}

async function installWithBrew(announce: Announce): Promise<void> {
  announce('Redis is not on this machine. Installing it with `brew install redis` …');
  const result = await runInstaller(['brew', 'install', 'redis']);
  if (!result.succeeded) throw notInstallable(failureOf('brew', result));
}

/** Empty for root, `sudo -n` if it needs no password, otherwise undefined. */
async function rootPrefix(): Promise<readonly string[] | undefined> {
  if (process.getuid?.() === 0) return [];
  const sudo = await findProgram('sudo');
  if (sudo === undefined) return undefined;
  return (await runCommand(sudo, ['-n', 'true'], { timeoutMs: 5_000 })).succeeded ? [sudo, '-n'] : undefined;
}

function runInstaller([command = '', ...args]: readonly string[]): Promise<CommandResult> {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', HOMEBREW_NO_AUTO_UPDATE: '1' };
  return runCommand(command, args, { timeoutMs: INSTALL_LIMIT_MS, env });
}

function failureOf(manager: 'apt-get' | 'brew', { stderr }: CommandResult): string {
  return `${manager} failed: ${stderr.trimEnd().split('\n').at(-1) || 'no reason given'}`;
}

function notInstallable(reason: string): StoreSetupError {
  return new StoreSetupError(
    `Redis is not on this machine (${reason}): ${INSTALL_HINT}, or set REDIS_URL to your own Redis.`,
  );
}
