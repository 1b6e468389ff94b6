import { spawnSync } from 'node:child_process';
import { installDebianPackages } from '../debian-packages.ts';

interface Program {
  readonly command: string;
  readonly name: string;
  /** The package on Debian and Ubuntu. */
  readonly package: string;
}

const PROGRAMS: readonly Program[] = [
  { command: 'sipp', name: 'SIPp', package: 'sip-tester' },
  { command: 'baresip', name: 'baresip', package: 'baresip-core' },
  { command: 'kamailio', name: 'Kamailio', package: 'kamailio' },
  { command: 'espeak-ng', name: 'eSpeak NG', package: 'espeak-ng' },
];

/** Ensures that the third-party telephones are installed: installs them on Debian, throws elsewhere. */
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
  // Their version commands return various exit codes, so it only matters that they start.
  return (
    spawnSync(command, command === 'sipp' || command === 'kamailio' ? ['-v'] : ['-h'], { stdio: 'ignore' }).error ===
    undefined
  );
}
