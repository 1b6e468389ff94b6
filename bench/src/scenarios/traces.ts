import { createServer } from 'node:http';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { createLoad } from '../load/http-load.ts';
import { startSubprocess, type Subprocess } from '../processes.ts';
import { median, type Figure } from '../report.ts';
import type { BenchAccount } from '../seed.ts';
import type { Stage } from '../stage.ts';
import { apiEnvironment, createsLoad, untilReady, WARM_UP_SECONDS } from './creates.ts';

const SETS = 3;
const PAIRS = 10;
const SECONDS = 2;
/** The last spans leave within a second: not while the other API is measured. */
const PAUSE_MS = 1_500;
const PORTS = { without: 21_340, traced: 21_341 } as const;
type Contender = keyof typeof PORTS;

/** What it costs to trace 5 % of the calls. */
export async function measureTraces(
  stage: Stage,
  account: BenchAccount,
  say: (text: string) => void,
): Promise<Figure[]> {
  const collector = await startCollector();
  const rates: Record<Contender, number[]> = { without: [], traced: [] };
  try {
    for (let set = 1; set <= SETS; set += 1) {
      const apis = await startApis(stage, collector.url);
      try {
        for (const contender of ['without', 'traced'] as const) await accepted(contender, account, WARM_UP_SECONDS);
        for (let pair = 1; pair <= PAIRS; pair += 1) {
          const order = pair % 2 === 0 ? (['traced', 'without'] as const) : (['without', 'traced'] as const);
          for (const contender of order) rates[contender].push(await accepted(contender, account, SECONDS));
          const [before, after] = [rates.without.at(-1) ?? NaN, rates.traced.at(-1) ?? NaN];
          say(`set ${set}, pair ${pair}: ${Math.round(after)} accepted/s with traces, ${Math.round(before)}/s without`);
        }
      } finally {
        await apis.stop();
      }
    }
  } finally {
    collector.close();
  }
  if (collector.requests() === 0) throw new Error('the collector got no spans: the figure is invalid');
  return [
    {
      name: 'accepted creates/s with 5 % of them traced',
      value: median(rates.traced.map((rate, pair) => rate / (rates.without[pair] ?? NaN))),
      unit: '× without traces',
      goal: { atLeast: 0.97 },
      absolute: {
        'with/s': median(rates.traced),
        'without/s': median(rates.without),
        'requests to the collector': collector.requests(),
      },
    },
  ];
}

/** One process has both, so that nothing but the setting differs. */
async function startApis(stage: Stage, collectorUrl: string): Promise<Subprocess> {
  const traced = {
    PORT: String(PORTS.traced),
    OTEL_EXPORTER_OTLP_ENDPOINT: collectorUrl,
    OTEL_TRACES_SAMPLER_ARG: '0.05',
  };
  return startSubprocess({
    entry: 'apps/api/test/two-apis.ts',
    env: {
      ...apiEnvironment(stage.subject, PORTS.without),
      OUTDIAL_BENCH_APIS: JSON.stringify([{ PORT: String(PORTS.without) }, traced]),
    },
    ready: async () => void (await Promise.all(Object.values(PORTS).map(untilReady))),
  });
}

async function accepted(contender: Contender, account: BenchAccount, seconds: number): Promise<number> {
  await sleep(PAUSE_MS);
  const load = createsLoad({ port: PORTS[contender], ...account });
  const { acceptedPerSecond, refused } = await createLoad({ ...load, seconds });
  if (refused > 0) throw new Error(`${refused} requests were rejected: the figure is invalid`);
  return acceptedPerSecond;
}

/** Takes every span and keeps none. */
async function startCollector() {
  let requests = 0;
  const server = createServer((request, response) => {
    requests += 1;
    request.resume().on('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`,
    requests: () => requests,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
