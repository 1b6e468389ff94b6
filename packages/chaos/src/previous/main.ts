/** `npm run rolling-from -- <commit>`: moves `deploy/rolling-from`, and writes the snapshot of that commit's schema. */
import { writeFileSync } from 'node:fs';
import { orUsage } from '@outdial/testkit';
import { git } from './git.ts';
import { ROLLING_FROM_PATH, ROOT } from './rolling-from.ts';
import { formatSnapshot } from './schema/snapshot.ts';
import { SNAPSHOT_PATH, snapshotOfCommit } from './schema/snapshot-of-commit.ts';

const USAGE = `Usage: npm run rolling-from -- <commit>

Makes this commit the version that upgrades are tested from. Run it with the commit of a release, right after it.`;

const given = orUsage(USAGE, () => {
  const [commit, ...rest] = process.argv.slice(2);
  if (commit === undefined || commit.startsWith('-') || rest.length > 0) throw new Error('Give one commit.');
  return commit;
});
const { isDone, output, error } = await git(ROOT, ['rev-parse', '--verify', '--quiet', `${given}^{commit}`]);
if (!isDone) {
  process.stderr.write(`This repository has no commit ${given}. ${error}\n`);
  process.exit(1);
}
const commit = output.trim();
const snapshot = await snapshotOfCommit(commit);
writeFileSync(ROLLING_FROM_PATH, `${commit}\n`);
writeFileSync(SNAPSHOT_PATH, formatSnapshot(snapshot));
process.stdout.write(`Wrote deploy/rolling-from and deploy/rolling-from.schema: ${snapshot.items.size} items.\n`);
process.exit(0);
