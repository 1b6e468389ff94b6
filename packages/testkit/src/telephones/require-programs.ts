import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

interface Program {
  readonly command: string;
  readonly name: string;
  /** Of Debian and Ubuntu. */
  readonly package: string;
}

const PROGRAMS: readonly Program[] = [
  { command: 'sipp', name: 'SIPp', package: 'sip-tester' },
  { command: 'baresip', name: 'baresip', package: 'baresip-core' },
  { command: 'espeak-ng', name: 'eSpeak NG', package: 'espeak-ng' },
];

/** Sees to it that the telephones of other people are there. On Debian they are installed; elsewhere it throws. */
export function requirePrograms(say: (text: string) => void): void {
  const missing = PROGRAMS.filter((program) => !isThere(program));
  if (missing.length === 0) return;
  const names = missing.map(({ name }) => name).join(' and ');
  const packages = missing.map((program) => program.package);
  const advice = `The telephone tests need ${names}: install them (Debian and Ubuntu: apt-get install ${packages.join(' ')}) and run again.`;
  if (!existsSync('/etc/debian_version')) throw new Error(advice);
  say(`${names} missing: installing ${packages.join(' and ')} with apt-get.`);
  for (const args of [['update'], ['install', '-y', '--no-install-recommends', ...packages]]) {
    const complaint = aptGet(args);
    if (complaint !== null) throw new Error(`${advice} apt-get ${args[0]} failed: ${complaint}`);
  }
  if (!PROGRAMS.every(isThere)) throw new Error(advice);
}

/** Null if it went well. */
function aptGet(args: readonly string[]): string | null {
  const prefix = process.getuid?.() === 0 ? [] : ['sudo', '-n'];
  const [command = 'apt-get', ...rest] = [...prefix, 'apt-get', ...args];
  const { status, stderr } = spawnSync(command, rest, {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    encoding: 'utf8',
  });
  return status === 0 ? null : ((stderr ?? '').trim().split('\n').at(-1) ?? '');
}

function isThere({ command }: Program): boolean {
  // Their versions come with all kinds of exit codes; that they start at all is enough.
  return spawnSync(command, command === 'sipp' ? ['-v'] : ['-h'], { stdio: 'ignore' }).error === undefined;
}
