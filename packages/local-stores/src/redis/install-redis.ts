import type { Announce } from '../machine/announce.ts';
import { findProgram, runCommand, type CommandResult } from '../machine/command.ts';
import { StoreSetupError } from '../machine/setup-error.ts';

type PackageManager = 'apt-get' | 'brew';

/** Only for the hint: what the user can run where we do not install. */
const HINTS: readonly (readonly [manager: string, command: string])[] = [
  ['apt-get', 'sudo apt-get install -y redis-server'],
  ['brew', 'brew install redis'],
  ['dnf', 'sudo dnf install -y valkey'],
  ['apk', 'sudo apk add redis'],
  ['pacman', 'sudo pacman -S --noconfirm valkey'],
  ['zypper', 'sudo zypper install -y redis'],
];

const INSTALL_LIMIT_MS = 300_000;

/** The one command that installs Redis on this machine. */
export async function installCommand(): Promise<string> {
  for (const [manager, command] of HINTS) {
    if ((await findProgram(manager)) !== undefined) return command;
  }
  return 'docker run -d -p 127.0.0.1:6379:6379 redis:7.4-alpine';
}

/** Installs Redis with the system's package manager, and announces each step first. */
export async function installRedis(announce: Announce): Promise<void> {
  if ((await findProgram('apt-get')) !== undefined) return installWithApt(announce);
  if ((await findProgram('brew')) !== undefined && process.getuid?.() !== 0) return installWithBrew(announce);
  throw await notInstallable('no supported package manager was found');
}

async function installWithApt(announce: Announce): Promise<void> {
  const prefix = await rootPrefix();
  if (!prefix) throw await notInstallable('installing it requires root, and sudo asks for a password');
  const install = [...prefix, 'apt-get', 'install', '-y', '--no-install-recommends', 'redis-server'];
  announce(`Redis is not on this machine. Installing the package redis-server with \`${install.join(' ')}\` …`);
  if ((await runInstaller(install)).succeeded) return;
  // Container images come without package lists, and old lists name files that are gone.
  announce('The package was not found; updating the package lists with `apt-get update` …');
  await runInstaller([...prefix, 'apt-get', 'update']);
  const second = await runInstaller(install);
  if (!second.succeeded) throw await notInstallable(failureOf('apt-get', second));
}

async function installWithBrew(announce: Announce): Promise<void> {
  announce('Redis is not on this machine. Installing it with `brew install redis` …');
  const result = await runInstaller(['brew', 'install', 'redis']);
  if (!result.succeeded) throw await notInstallable(failureOf('brew', result));
}

/** Empty for root, `sudo -n` if it needs no password, otherwise undefined. */
async function rootPrefix(): Promise<readonly string[] | undefined> {
  if (process.getuid?.() === 0) return [];
  const sudo = await findProgram('sudo');
  if (sudo === undefined) return undefined;
  return (await runCommand(sudo, ['-n', 'true'], { timeoutMs: 5_000 })).succeeded ? [sudo, '-n'] : undefined;
}

function runInstaller([command, ...args]: readonly string[]): Promise<CommandResult> {
  return runCommand(command ?? '', args, {
    timeoutMs: INSTALL_LIMIT_MS,
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', HOMEBREW_NO_AUTO_UPDATE: '1' },
  });
}

function failureOf(manager: PackageManager, result: CommandResult): string {
  const lastLine = result.stderr.trimEnd().split('\n').at(-1) ?? '';
  return `${manager} failed: ${lastLine || 'no reason given'}`;
}

async function notInstallable(reason: string): Promise<StoreSetupError> {
  return new StoreSetupError(
    `Redis is not on this machine (${reason}): run \`${await installCommand()}\`, or set REDIS_URL to your own Redis.`,
  );
}
