import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { trunkOf } from '@outdial/calls/testing';
import { type AgentId } from '@outdial/contracts';
import { createAdministration, type TrunkSettings } from '@outdial/persistence';
import { claimRtpPorts } from '@outdial/testkit';
import { z } from 'zod';
import { startChildApi, type ChildApi } from './child-api.ts';
import { startChildCallee } from './child-callee.ts';
import { killChildWorkers, startChildWorker } from './child-worker.ts';
import { openStage, type Stage } from './stage.ts';

const PEPPER = '5c'.repeat(32);

const journalLine = z.object({ event: z.string(), to: z.string(), persona: z.string() });

/** API, worker and far end, each in its own process, on the stage's stores. */
export interface SipNetwork {
  readonly stage: Stage;
  readonly api: ChildApi;
  readonly agentId: AgentId;
  /** A second worker, with its own settings. */
  anotherApi(environment: Readonly<Record<string, string>>): Promise<ChildApi>;
  /** The INVITEs that reached a telephone, by the far end's own journal. */
  invited(): Promise<readonly { readonly to: string; readonly persona: string }[]>;
  close(): Promise<void>;
}

export interface SipNetworkOptions {
  readonly trunk?: Partial<TrunkSettings>;
  /** Open calls that the account may have. */
  readonly capacity?: number;
}

/** `table`: the persona behind each number. */
export async function openSipNetwork(
  table: Readonly<Record<string, string>>,
  { trunk = {}, capacity = 200 }: SipNetworkOptions = {},
): Promise<SipNetwork> {
  const stage = await openStage({ capacity });
  const journalPath = join(stage.dataDir, 'journal');
  const callee = await startChildCallee({
    OUTDIAL_CALLEE_TABLE: JSON.stringify(table),
    OUTDIAL_CALLEE_JOURNAL: journalPath,
  });
  const { apiKey, agentId } = await prepareAccount(stage, callee.uri, trunk);
  const startApi = (environment: Readonly<Record<string, string>>) =>
    startChildApi(apiKey, {
      ...stage.environment({ LOG_LEVEL: 'error' }),
      OUTDIAL_KEY_PEPPER: PEPPER,
      ...environment,
    });
  const api = await startApi({});
  const others: ChildApi[] = [];
  const ports = await claimRtpPorts();
  const worker = startChildWorker(
    stage.environment({
      OUTDIAL_CARRIER: 'sip',
      SIP_PORT: '0',
      SIP_RTP_PORTS: ports.range,
      OUTDIAL_SECRET_KEY: '7a'.repeat(32),
    }),
  );
  await worker.said('taking calls');
  return {
    stage,
    api,
    agentId,
    async anotherApi(environment) {
      const another = await startApi(environment);
      others.push(another);
      return another;
    },
    async invited() {
      const lines = (await readFile(journalPath, 'utf8')).split('\n').filter((text) => text !== '');
      return lines.map((text) => journalLine.parse(JSON.parse(text))).filter(({ event }) => event === 'invite');
    },
    async close() {
      killChildWorkers();
      for (const each of [api, ...others]) await each.close();
      await callee.close();
      await ports.release();
      await stage.close();
    },
  };
}

/** The trunk, and a key for the stage's account. */
async function prepareAccount({ accountId, agentId, database }: Stage, uri: string, trunk: Partial<TrunkSettings>) {
  const { keys, trunks } = createAdministration(database, { actor: 'test' });
  await trunks.add({
    ...trunkOf({ name: 'callee', uri, channels: 50, callsPerSecond: 50, ...trunk }),
    credentials: null,
  });
  const { key: apiKey } = await keys.create({ accountId, name: 'test', pepper: Buffer.from(PEPPER, 'hex') });
  return { apiKey, agentId };
}
