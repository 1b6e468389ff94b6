import { trunkNameSchema } from '@outdial/contracts';
import { createAdministration, type Database } from '@outdial/persistence';

const NAME = trunkNameSchema.parse('callee');

/** Below every trunk of the user's own, unless one has the same priority. */
const PRIORITY = 1_000;
const CHANNELS = 200;
const CALLS_PER_SECOND = 50;

/** Creates the trunk to the simulated telephone network, or finds it. A disabled trunk stays disabled. */
export async function seedCalleeTrunk(database: Database, uri: string): Promise<void> {
  const { trunks } = createAdministration(database, { actor: 'npm start' });
  const found = (await trunks.list()).find(({ name }) => name === NAME);
  if (found?.uri === uri) return;
  if (found) {
    await trunks.update(NAME, { uri });
    return;
  }
  await trunks.add({
    name: NAME,
    uri,
    transport: 'udp',
    outboundProxy: null,
    credentials: null,
    channels: CHANNELS,
    callsPerSecond: CALLS_PER_SECOND,
    callerId: { prefixes: [], asserted: false },
    numberFormat: 'e164',
    codecs: ['PCMU', 'PCMA'],
    priority: PRIORITY,
    weight: 10,
    healthCheck: 'options',
    transfers: 'any',
  });
}
