import { Agent, request } from 'node:http';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Account } from '../stack/account.ts';
import { privateHaproxy, privateNginx, type PrivateProxy } from '@outdial/testkit';
import { openBalancer, type Balancer } from '../stack/balancer.ts';
import type { Service } from '../stack/service.ts';
import type { Stack } from '../stack/stack.ts';
import type { Fault, FaultContext, FaultOutcome } from './fault.ts';

const REQUESTS = 2_000;
const CLIENTS = 8;
/** Between the requests of a client: 2,000 of them outlast the replacements, and the machine stays responsive. */
const PAUSE_MS = 50;
/** One in so many places a call; the others read. */
const CREATES = 20;
/** The share that may be refused with 503, on a busy machine or by an API that is not warm yet. No connection may break. */
const MOST_REFUSED = 0.02;

const upstreamsOf = (apis: readonly Service[]) => apis.map(({ url }) => new URL(url).host);
const behind = async (starting: Promise<PrivateProxy>): Promise<Balancer> => {
  const proxy = await starting;
  return { url: `http://127.0.0.1:${proxy.port}`, close: () => proxy.close() };
};

interface Replacement {
  readonly name: string;
  readonly open: (apis: readonly Service[]) => Promise<Balancer>;
  /** Whether it sends requests only to an API that says it is ready. */
  readonly asksReadiness: boolean;
}

/** Each API is stopped and started behind a balancer that forwards connections and tries nothing again. */
export const apiReplaced = replacedBehind({ name: 'api-replaced', open: openBalancer, asksReadiness: true });

/** The same behind the programs that operators use, by the examples in `deploy/examples`. */
export const apiBehindHaproxy = replacedBehind({
  name: 'api-behind-haproxy',
  open: (apis) => behind(privateHaproxy(upstreamsOf(apis))),
  asksReadiness: true,
});

export const apiBehindNginx = replacedBehind({
  name: 'api-behind-nginx',
  open: (apis) => behind(privateNginx(upstreamsOf(apis))),
  asksReadiness: false,
});

function replacedBehind(replacement: Replacement): Fault {
  const { name, asksReadiness } = replacement;
  return {
    name,
    expectation: asksReadiness
      ? 'no request of 2,000 fails, over connections that are kept alive'
      : 'no connection of 2,000 requests breaks, and an API that has just started refuses a few for now',
    carrier: 'simulated',
    layout: 'three-apis',
    run: (context) => replaceEach(context, replacement),
  };
}

async function replaceEach(
  { stack, clients: warmUp, judgesTimes, say }: FaultContext,
  { open, asksReadiness }: Replacement,
): Promise<FaultOutcome> {
  const account = await stack.account();
  // The fault before may have left the stores busy: the count begins when calls are accepted again.
  await warmUp.placeMany(account, stack.apis.length, () => ({ toNumber: stack.number('busy') }));
  const balancer = await open(stack.apis);
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
      if (status === 503 && !(judgesTimes && asksReadiness)) refused += 1;
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
}

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
