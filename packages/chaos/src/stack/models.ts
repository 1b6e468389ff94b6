import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { invariant } from '@outdial/kernel';
import { parseModelRatesCsv, type Administration } from '@outdial/persistence';
import { parseSecretKey } from '@outdial/secrets';
import { freePort } from '@outdial/testkit';
import { z } from 'zod';
import { openFaultProxy, type FaultProxy } from './fault-proxy.ts';
import { SECRET_KEY_HEX } from './services.ts';
import { startSubprocess } from './subprocess.ts';

/** Lines at each credential: as many calls as models conduct at once. A line that leaks is missed by the next call. */
export const MODEL_LINES = 6;

/** Below the address of the providers, where the interface of each begins. */
const PATHS = { openai: '/v1', deepgram: '', elevenlabs: '' } as const;
const DEMO_RATES = new URL('../../../../apps/cli/demo/model-rates.csv', import.meta.url);
const HOST = '127.0.0.1';

/** The simulated providers of models, with a proxy between them and all workers. */
export interface ModelProviders {
  /** Of the proxy. */
  readonly url: string;
  readonly wire: FaultProxy;
  /** While true, new connections are answered with 429, and the others are cut. */
  limit(isLimited: boolean): void;
  /** Requests and connections that were answered with 429. */
  limited(): number;
  /** What the providers would bill so far, by `component unit`. */
  billed(): Promise<ReadonlyMap<string, number>>;
  close(): Promise<void>;
}

/** Starts the providers, and gives the operator credentials for them and their prices. */
export async function startModels(
  admin: Administration,
  { logDir }: { readonly logDir: string },
): Promise<ModelProviders> {
  const port = await freePort();
  const models = startSubprocess({
    name: 'models',
    entry: 'apps/models/src/main.ts',
    env: { OUTDIAL_MODELS_PORT: String(port) },
    logPath: join(logDir, 'models.log'),
  });
  await models.said('the simulated providers answer');
  const wire = await openFaultProxy({ host: HOST, port });
  const limiter = await openLimiter();
  const url = `http://${HOST}:${wire.port}`;
  await addCredentials(admin, url);
  return {
    url,
    wire,
    limit: (isLimited) => wire.redirect({ host: HOST, port: isLimited ? limiter.port : port }),
    limited: () => limiter.count(),
    async billed() {
      const response = await fetch(`http://${HOST}:${port}/ledger`);
      const { entries } = ledgerSchema.parse(await response.json());
      return new Map(entries.map(({ component, unit, quantity }) => [`${component} ${unit}`, quantity]));
    },
    async close() {
      models.signal('SIGKILL');
      await models.ended;
      limiter.close();
      await wire.close();
    },
  };
}

const ledgerSchema = z.object({
  entries: z.array(z.object({ component: z.string(), unit: z.string(), quantity: z.number() })),
});

async function addCredentials({ credentialsOf, modelRates }: Administration, url: string): Promise<void> {
  const secretKey = parseSecretKey(SECRET_KEY_HEX);
  invariant(secretKey !== null, '32 bytes make a secret key');
  for (const provider of ['openai', 'deepgram', 'elevenlabs'] as const) {
    await credentialsOf(null).create({
      provider,
      name: `simulated-${provider}`,
      apiKey: 'sk-simulated-chaos',
      baseUrl: `${url}${PATHS[provider]}`,
      region: null,
      maxConcurrentCalls: MODEL_LINES,
      secretKey,
    });
  }
  const parsed = parseModelRatesCsv(await readFile(DEMO_RATES, 'utf8'));
  invariant(parsed.ok, 'the prices of the demo are a deck');
  await modelRates.import({ currency: 'USD', rates: parsed.rates });
}

/** Answers everything with 429. */
async function openLimiter() {
  let count = 0;
  const server = createServer((_request, response) => {
    count += 1;
    response.writeHead(429, { 'retry-after': '1', connection: 'close' }).end();
  });
  server.on('upgrade', (_request, socket) => {
    count += 1;
    socket.end('HTTP/1.1 429 Too Many Requests\r\nRetry-After: 1\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
  });
  server.listen(0, HOST);
  await once(server, 'listening');
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    count: () => count,
    close: () => void server.close(),
  };
}
