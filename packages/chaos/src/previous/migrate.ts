import { serviceArgs } from '@outdial/testkit';
import { ROOT } from './rolling-from.ts';
import { runIn } from './run-in.ts';

/** Runs the migrations of the tree as the upgrading guide says. @returns what they printed @throws if they fail */
export function migrate(databaseUrl: string, root: string = ROOT): Promise<string> {
  const args = serviceArgs('packages/migrations/src/main.ts', root);
  return runIn(root, process.execPath, args, { DATABASE_URL: databaseUrl });
}
