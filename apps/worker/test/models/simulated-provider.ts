import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { systemClock } from '@outdial/kernel';
import {
  createEars,
  createSimulatedProviders,
  type ProviderLedger,
  type ProviderTimings,
  type Script,
} from '@outdial/simulated-providers';

export interface SimulatedProvider {
  /** `http://127.0.0.1:…` */
  readonly address: string;
  /** Of an HTTP tool that knows a slot. */
  readonly toolUrl: string;
  readonly ledger: ProviderLedger;
  /** How many were made to the provider. */
  readonly connections: () => number;
  /** Sockets that are open, and requests whose answer is not complete. */
  readonly underWay: () => number;
  /** Ends all connections and accepts no more. Idempotent. */
  readonly close: () => Promise<void>;
}

/** All providers on loopback, with ears for these sentences. */
export async function startSimulatedProvider(input: {
  readonly script: Script;
  readonly sentences: readonly { readonly text: string; readonly samples: Int16Array }[];
  readonly speak: (text: string) => Promise<Int16Array>;
  readonly timings?: Partial<ProviderTimings>;
}): Promise<SimulatedProvider> {
  let connections = 0;
  const server = createServer().on('connection', () => (connections += 1));
  const tool = createServer((request, response) => {
    response.end(JSON.stringify({ slots: ['9:00'], asked: request.url }));
  });
  const providers = createSimulatedProviders({
    clock: systemClock,
    ears: createEars(input.sentences),
    speak: input.speak,
    script: input.script,
    timings: {
      silenceMs: 500,
      thinkMs: 5,
      transcribeMs: 5,
      soundSpeed: 200,
      liveSpeed: 10,
      firstTokenMs: 1,
      tokenMs: 0,
      firstSoundMs: 1,
      ...input.timings,
    },
  });
  const served = providers.serve(server);
  const [address, toolAddress] = await Promise.all([listen(server), listen(tool)]);
  let closing: Promise<unknown> | undefined;
  async function close(): Promise<void> {
    served.close();
    closing ??= Promise.all([server, tool].map(end));
    await closing;
  }
  return {
    address,
    toolUrl: `${toolAddress}/slots`,
    ledger: providers.ledger,
    connections: () => connections,
    underWay: () => served.underWay(),
    close,
  };
}

async function listen(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
}

async function end(server: Server): Promise<void> {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
}
