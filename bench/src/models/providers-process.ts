import { freePort } from '@outdial/testkit';
import { z } from 'zod';
import { startSubprocess, type Subprocess } from '../processes.ts';

const billedSchema = z.object({
  realtimeTokens: z.number(),
  llmTokens: z.number(),
  sttSeconds: z.number(),
  ttsCharacters: z.number(),
});
/** What the providers would bill, by their own count. */
export type BilledTotals = z.output<typeof billedSchema>;

export interface ProvidersProcess {
  readonly process: Subprocess;
  /** `https://localhost:…` */
  readonly address: string;
  ledger(): Promise<BilledTotals>;
}

const ledgerMessageSchema = z.object({ ledger: billedSchema });

export async function startProviders(): Promise<ProvidersProcess> {
  const port = await freePort();
  const process = await startSubprocess({
    entry: 'bench/src/models/providers.ts',
    env: { PORT: String(port) },
    preload: 'bench/src/voice/worker-probe.ts',
  });
  return {
    process,
    address: `https://localhost:${port}`,
    ledger: () =>
      new Promise((resolve) => {
        const ignore = process.onMessage((message) => {
          const parsed = ledgerMessageSchema.safeParse(message);
          if (!parsed.success) return;
          ignore();
          resolve(parsed.data.ledger);
        });
        process.send('ledger');
      }),
  };
}
