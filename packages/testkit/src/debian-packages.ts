import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

interface Wanted {
  readonly packages: readonly string[];
  /** What the user can do instead, in one sentence. */
  readonly advice: string;
}

/** Installs packages on Debian and Ubuntu. @throws with the advice when that fails. */
export function installDebianPackages({ packages, advice }: Wanted, say: (text: string) => void): void {
  if (!existsSync('/etc/debian_version')) throw new Error(advice);
  say(`Installing ${packages.join(' and ')} with apt-get, for the tests.`);
  for (const args of [['update'], ['install', '-y', '--no-install-recommends', ...packages]]) {
    const complaint = aptGet(args);
    if (complaint !== null) throw new Error(`${advice} apt-get ${args[0]} failed: ${complaint}`);
  }
}

/** Null on success. */
function aptGet(args: readonly string[]): string | null {
  const prefix = process.getuid?.() === 0 ? [] : ['sudo', '-n'];
  const [command = 'apt-get', ...rest] = [...prefix, 'apt-get', ...args];
  const { status, stderr } = spawnSync(command, rest, {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    encoding: 'utf8',
  });
  return status === 0 ? null : ((stderr ?? '').trim().split('\n').at(-1) ?? '');
}
