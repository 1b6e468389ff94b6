import { Agent, request } from 'node:http';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Account } from '../stack/account.ts';
import { openBalancer } from '../stack/balancer.ts';
import type { Stack } from '../stack/stack.ts';
import type { Fault } from './fault.ts';

const REQUESTS = 2_000;
const CLIENTS = 8;
/** Between the requests of a client: 2,000 of them outlast the replacements, and the machine stays responsive. */
const PAUSE_MS = 50;
/** One in so many places a call; the others read. */
const CREATES = 20;
/** The share that may be refused with 503 on a machine that is busy with other tests. No connection may break. */
const MOST_REFUSED = 0.02;

/** Each API is stopped and started behind a balancer that forwards connections and tries nothing again. */
export const apiReplaced: Fault = {
  name: 'api-replaced',
  expectation: 'no request of 2,000 fails, over connections that are kept alive',
  carrier: 'simulated',
  layout: 'three-apis',
  async run({ stack, clients: warmUp, judgesTimes, say }) {
    const account = await stack.account();
    // The fault before may have left the stores busy: the count begins when calls are accepted again.
    await warmUp.placeMany(account, stack.apis.length, () => ({ toNumber: stack.number('busy') }));
    const balancer = await openBalancer(stack.apis);
    // First in, first out: no connection stays idle until its API is gone.
    const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS, scheduling: 'fifo' });
    const failures: string[] = [];
    let sent = 0;
    let refused = 0;
    const replaced = new AbortController();
    const client = async () => {
      while (!replaced.signal.aborted || sent < REQUESTS) {
        const index = sent++;
        const status = await send({ url: balancer.url, agent, account, stack, index }).catch(String);
        if (status === 503 && !judgesTimes) refused += 1;
        else if (status !== 200 && status !== 201) failures.push(`request ${index}: ${status}`);
        await sleep(PAUSE_MS);
      }
    };
    try {
      const clients = Array.from({ length: CLIENTS }, client);
      const codes: (number | null)[] = [];
      for (const api of stack.apis) {
        codes.push(await api.stop());
        await api.start();
      }
      replaced.abort();
      await Promise.all(clients);
      say(`${sent} requests, ${refused} refused, ${failures.length} failed`);
      return {
        injected: stack.apis.length,
        hit: sent,
        recoveryMs: null,
        violations: [
          ...failures.slice(0, 10),
          ...(refused > sent * MOST_REFUSED ? [`${refused} requests of ${sent} were refused`] : []),
          ...codes.filter((code) => code !== 0).map((code) => `an API ended with code ${String(code)}`),
        ],
      };
    } finally {
      agent.destroy();
      await balancer.close();
    }
  },
};

interface Sent {
  readonly url: string;
  readonly agent: Agent;
  readonly account: Account;
  readonly stack: Stack;
  readonly index: number;
}

/** @returns the status. @throws if the connection is refused or lost */
function send({ url, agent, account, stack, index }: Sent): Promise<number> {
  const isCreate = index % CREATES === 0;
  const body = isCreate ? JSON.stringify({ to_number: stack.number('busy'), agent_id: account.agentId }) : '';
  return new Promise((resolve, reject) => {
    const sent = request(`${url}/api/v1/${isCreate ? 'outbound/calls' : 'account'}`, {
      agent,
      method: isCreate ? 'POST' : 'GET',
      headers: {
        'X-API-Key': account.apiKey,
        ...(isCreate ? { 'Content-Type': 'application/json', 'Idempotency-Key': randomUUID() } : {}),
      },
    });
    sent.on('error', reject);
    sent.on('response', (response) => {
      response.resume();
      response.on('error', reject);
      response.on('end', () => resolve(response.statusCode ?? 0));
    });
    sent.end(body);
  });
}
