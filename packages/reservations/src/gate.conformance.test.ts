import { describeGate } from '@outdial/calls/testing';
import { gateUnderTest } from '../test/stores.ts';
import { gateKeys } from './keys.ts';

const under = gateUnderTest();

describeGate('on Redis', async () => ({
  gate: under.gate,
  passRebuildTime: async () => void (await under.redis.hincrby(gateKeys().gate, 'rebuildingSinceMs', -10_001)),
  loseContents: async () => void (await under.redis.flushdb()),
  close: async () => undefined,
}));
