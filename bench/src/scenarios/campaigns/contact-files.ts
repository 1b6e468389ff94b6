import { campaignsApi } from '../../campaigns/api-campaigns.ts';
import { contactFile, FILE_COLUMNS, type NumberForm } from '../../campaigns/contact-file.ts';
import { peakMemory, resetPeakMemory } from '../../campaigns/peak-memory.ts';
import { startSubprocess } from '../../processes.ts';
import { processorSeconds } from '../../processor-time.ts';
import type { Figure } from '../../report.ts';
import type { BenchAccount } from '../../seed.ts';
import type { StageStores } from '../../stage.ts';
import { apiEnvironment, untilReady } from '../creates.ts';

const LINES = 1_000_000;
const MEGABYTE = 1_000_000;
const PORT = 21_350;

/** One file of a million lines, from its first byte until its contacts are ready, in an API process that has not read one before. */
export async function measureContactFiles(
  stores: StageStores,
  account: BenchAccount,
  say: (text: string) => void,
): Promise<Figure[]> {
  const [international, national] = [
    await sendFile(stores, account, 'international'),
    await sendFile(stores, account, 'national'),
  ];
  for (const [form, { perSecond, grownBytes, processorMicros }] of Object.entries({ international, national }))
    say(
      `${form} numbers: ${Math.round(perSecond)} lines/s, ${Math.round(grownBytes / MEGABYTE)} MB more, ` +
        `${processorMicros.toFixed(1)} µs of the API's processor time per line`,
    );
  return [
    {
      name: 'lines/s of a file of 1,000,000 contacts, from its first byte to ready',
      value: international.perSecond,
      unit: 'lines/s',
      goal: { atLeast: 12_000 },
      absolute: { 'national form, lines/s': national.perSecond },
    },
    {
      name: 'the same: growth of the API',
      value: international.grownBytes / MEGABYTE,
      unit: 'MB',
      goal: { atMost: 80 },
      absolute: { 'national form, MB': national.grownBytes / MEGABYTE },
    },
  ];
}

async function sendFile(stores: StageStores, account: BenchAccount, form: NumberForm) {
  const file = contactFile(LINES, form);
  const api = await startSubprocess({
    entry: 'apps/api/src/main.ts',
    // As in production: the loader of TypeScript holds as much memory as the product.
    isBuilt: true,
    env: apiEnvironment(stores, PORT),
    ready: () => untilReady(PORT),
  });
  try {
    const campaigns = campaignsApi(PORT, account);
    const id = await campaigns.create({ columns: FILE_COLUMNS, default_country: 'US' });
    const heldBefore = await resetPeakMemory(api.pid);
    const [processor, startedMs] = [await processorSeconds(api.pid), performance.now()];
    const accepted = await campaigns.addFile(id, file);
    const seconds = (performance.now() - startedMs) / 1_000;
    if (accepted !== LINES) throw new Error(`${accepted} of ${LINES} contacts were added`);
    return {
      perSecond: LINES / seconds,
      grownBytes: (await peakMemory(api.pid)) - heldBefore,
      processorMicros: (((await processorSeconds(api.pid)) - processor) * 1_000_000) / LINES,
    };
  } finally {
    await api.stop();
  }
}
