import { once } from 'node:events';
import { createServer } from 'node:http';
import { createSpeechSynthesizer } from '@outdial/agents';
import type { Voice } from '@outdial/contracts';
import { systemClock } from '@outdial/kernel';
import { createEars, createProviderLedger, createSimulatedProviders } from '@outdial/simulated-providers';
import type { ModelsConfig } from './config.ts';
import { freeSlots, health, ledgerOf } from './endpoints.ts';
import { calleeSentences } from './sentences.ts';

export interface SimulatedModels {
  readonly port: number;
  /** Ends every connection and frees the port. Idempotent. */
  stop(): Promise<void>;
}

/** Differs from that of the callees, so that the two are distinct in a recording. */
const MODEL_VOICE: Voice = 'slt';

/** Serves all simulated providers, and the tool of the demo's agents, on one port. Rejects if it is taken. */
export async function compose(config: ModelsConfig): Promise<SimulatedModels> {
  const speech = createSpeechSynthesizer({ clock: systemClock });
  const ears = createEars(await calleeSentences());
  const ledger = createProviderLedger();
  const server = createServer();
  const served = createSimulatedProviders({
    clock: systemClock,
    ears,
    speak: (text) => speech.synthesize({ text, voice: MODEL_VOICE }),
    script: config.OUTDIAL_MODELS_SCRIPT,
    ledger,
    requests: [health, freeSlots, ledgerOf(ledger)],
  }).serve(server);
  server.listen(config.OUTDIAL_MODELS_PORT, config.OUTDIAL_MODELS_HOST);
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;

  async function stop(): Promise<void> {
    served.close();
    server.closeAllConnections();
    server.close();
    await speech.close();
  }
  let stopping: Promise<void> | undefined;
  return { port, stop: () => (stopping ??= stop()) };
}
