import { requirePrograms } from './require-programs.ts';

/** Once per run of the tests against other people's telephones. */
export default function setup(): void {
  requirePrograms((text) => process.stdout.write(`${text}\n`));
}
