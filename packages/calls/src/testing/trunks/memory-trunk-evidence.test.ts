import { randomBytes } from 'node:crypto';
import { trunkNameSchema } from '@outdial/contracts';
import { systemClock } from '@outdial/kernel';
import { describeTrunkEvidence } from './describe-trunk-evidence.ts';
import { MemoryTrunkEvidence } from './memory-trunk-evidence.ts';

describeTrunkEvidence('in memory', async () => {
  const evidence = new MemoryTrunkEvidence(systemClock, []);
  return {
    one: evidence,
    other: evidence,
    async addTrunk() {
      const trunk = trunkNameSchema.parse(`t-${randomBytes(6).toString('hex')}`);
      evidence.addTrunk(trunk);
      return trunk;
    },
    removeTrunk: async (trunk) => evidence.removeTrunk(trunk),
    close: async () => undefined,
  };
});
