import { spawnSync } from 'node:child_process';
import { installDebianPackages } from '../debian-packages.ts';

interface Program {
  readonly command: string;
  readonly name: string;
  /** Of Debian and Ubuntu. */
  readonly package: string;
}

const PROGRAMS: readonly Program[] = [
  { command: 'sipp', name: 'SIPp', package: 'sip-tester' },
  { command: 'baresip', name: 'baresip', package: 'baresip-core' },
  { command: 'kamailio', name: 'Kamailio', package: 'kamailio' },
  { command: 'espeak-ng', name: 'eSpeak NG', package: 'espeak-ng' },
];

/** Sees to it that the telephones of other people are there. On Debian they are installed; elsewhere it throws. */
export function requirePrograms(say: (text: string) => void): void {
  const missing = PROGRAMS.filter((program) => !isThere(program));
  if (missing.length === 0) return;
  const names = missing.map(({ name }) => name).join(' and ');
  const packages = missing.map((program) => program.package);
  const advice = `The telephone tests need ${names}: install them (Debian and Ubuntu: apt-get install ${packages.join(' ')}) and run again.`;
  installDebianPackages({ packages, advice }, say);
  if (!PROGRAMS.every(isThere)) throw new Error(advice);
}

function isThere({ command }: Program): boolean {
  // Their versions come with all kinds of exit codes; that they start at all is enough.
  return (
    spawnSync(command, command === 'sipp' || command === 'kamailio' ? ['-v'] : ['-h'], { stdio: 'ignore' }).error ===
    undefined
  );
}
