import { randomUUID } from 'node:crypto';
import { chmod, mkdtemp, readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { callIdSchema, type CallBody } from '@outdial/contracts';
import { systemClock } from '@outdial/kernel';
import { removeDataFolder } from '@outdial/local-stores';
import { freePort } from '@outdial/testkit';
import { expect } from 'vitest';
import { runAdmin } from '../src/admin/run-admin.ts';
import { demoSchema, type Demo } from '../src/instance/demo-file.ts';
import { createApiClient, type NewCall } from '../src/demo-call/api-client.ts';
import { followCall } from '../src/demo-call/follow-call.ts';
import { startProduct, startProductWithNpm, type StartedProduct } from './started-product.ts';

/** The data folder of one test file, and the instances that it starts there in turn. */
export interface OwnFolder {
  readonly dataDir: string;
  /** The environment of an instance there: simulated calls, ten times as fast as real ones. */
  readonly env: NodeJS.ProcessEnv;
  start(given?: NodeJS.ProcessEnv, ...args: readonly string[]): StartedProduct;
  startWithNpm(given?: NodeJS.ProcessEnv): StartedProduct;
  readDemo(): Promise<Demo>;
  /** The call whose page the output of a start names. */
  shownCall(output: string): Promise<CallBody>;
  /** Runs the administration on the running instance, found by its data folder alone. @returns its output. */
  administer(args: readonly string[], given?: NodeJS.ProcessEnv): Promise<string>;
  /** Places a call and follows it to its end. */
  placeCall(call: NewCall): Promise<CallBody>;
  /** Ends npm, and waits for the product below it, which must stop in order. */
  endNpm(product: StartedProduct, signal: 'SIGINT' | 'SIGTERM' | 'SIGKILL'): Promise<void>;
  /** Also stops what a failed test has left running. */
  remove(): Promise<void>;
}

export async function ownFolder(): Promise<OwnFolder> {
  const dataDir = await mkdtemp(join(tmpdir(), 'outdial-start-'));
  // As `npm start` creates it: when root runs the product, Postgres must be able to traverse the folder.
  await chmod(dataDir, 0o711);
  const env: NodeJS.ProcessEnv = {
    OUTDIAL_DATA_DIR: dataDir,
    PORT: String(await freePort()),
    // Two instances that start at the same moment would find the same default port free.
    OUTDIAL_MODELS_PORT: String(await freePort()),
    OUTDIAL_CARRIER: 'simulated',
    OUTDIAL_SIMULATED_SPEED: '10',
  };
  const started: StartedProduct[] = [];
  const keep = (product: StartedProduct) => {
    started.push(product);
    return product;
  };
  const readDemo = async () => demoSchema.parse(JSON.parse(await readFile(join(dataDir, 'demo.json'), 'utf8')));
  return {
    dataDir,
    env,
    start: (given, ...args) => keep(startProduct({ ...env, ...given }, ...args)),
    startWithNpm: (given) => keep(startProductWithNpm({ ...env, ...given })),
    readDemo,
    async shownCall(output) {
      const demo = await readDemo();
      const page = new RegExp(`^ +Call +${demo.dashboard_url}accounts/${demo.account_id}/calls/(.+)$`, 'm').exec(
        output,
      );
      return demoClient(demo).getCall(callIdSchema.parse(page?.[1]));
    },
    administer: (args, given) => administer({ ...given, OUTDIAL_DATA_DIR: dataDir }, args),
    async placeCall(call) {
      const client = demoClient(await readDemo());
      const id = callIdSchema.parse((await client.createCall(call, randomUUID())).id);
      for await (const move of followCall(client, id, systemClock, new AbortController().signal)) void move;
      return client.getCall(id);
    },
    async endNpm(product, signal) {
      product.signal(signal);
      await product.ended;
      expect(product.output()).toMatch(/✓ Stopping +done/);
      // The files of a running instance are gone: the claim and its address.
      const left = await readdir(dataDir);
      expect(left.filter((name) => ['owner.json', 'instance.json'].includes(name))).toEqual([]);
    },
    async remove() {
      for (const product of started) {
        product.signal('SIGTERM');
        await product.ended;
      }
      await removeDataFolder(dataDir);
    },
  };
}

async function administer(env: NodeJS.ProcessEnv, args: readonly string[]): Promise<string> {
  let written = '';
  const write = (text: string) => void (written += text);
  const io = {
    env,
    stdin: (async function* () {})(),
    stdout: { write },
    stderr: { write },
  };
  expect({ exitCode: await runAdmin(args, io), written }).toMatchObject({ exitCode: 0 });
  return written;
}

/** The lines of the call's states, without their times. */
export const statesOf = (output: string) =>
  [...output.matchAll(/^ {2}✓ (queued|dialing|ringing|in_progress|ended) /gm)].map((match) => match[1]);

const demoClient = ({ base_url: baseUrl, api_key: apiKey }: Demo) =>
  createApiClient({ baseUrl, apiKey, clock: systemClock });

/** Follows the documented client behavior: retries a 503 under the same idempotency key. */
export function createCall(demo: Demo, toNumber = '+12025550101') {
  const { agent_id, from_number } = demo;
  return demoClient(demo).createCall({ to_number: toNumber, agent_id, from_number }, randomUUID());
}
