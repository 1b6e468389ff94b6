import { requirePrograms } from './require-programs.ts';

/** Runs once per run of the tests against third-party telephones. */
export default function setup(): void {
  requirePrograms((text) => process.stdout.write(`${text}\n`));
}
