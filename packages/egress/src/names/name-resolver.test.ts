import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decode, encode, type Answer } from 'dns-packet';
import { afterEach, expect, test } from 'vitest';
import { EgressError } from '../egress-error.ts';
import type { EgressScope } from '../policy.ts';
import { createNameResolver, type NameResolver, type NameResolverOptions } from './name-resolver.ts';

const SILENT = 'silent.example';
/** Addresses by name and type; a name that is missing does not exist. */
type Zone = Readonly<Record<string, { readonly A?: string; readonly AAAA?: string; readonly fails?: true }>>;

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

/** A name server over UDP that never answers for names below `silent.example`. */
async function startServer(zone: Zone) {
  const socket = createSocket('udp4');
  const asked: string[] = [];
  socket.on('message', (message, from) => answer(socket, { message, from, zone, asked }));
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  cleanups.push(() => socket.close());
  return { asked, socket, servers: [`127.0.0.1:${socket.address().port}`] };
}

interface Query {
  readonly message: Buffer;
  readonly from: RemoteInfo;
  readonly zone: Zone;
  readonly asked: string[];
}

function answer(socket: Socket, { message, from, zone, asked }: Query): void {
  const { id = 0, questions = [] } = decode(message);
  const [question] = questions;
  if (question === undefined) return;
  asked.push(question.name);
  if (question.name.endsWith(SILENT)) return;
  const entry = zone[question.name];
  const data = question.type === 'A' ? entry?.A : question.type === 'AAAA' ? entry?.AAAA : undefined;
  const answers: Answer[] =
    data === undefined ? [] : [{ type: question.type === 'A' ? 'A' : 'AAAA', name: question.name, ttl: 1, data }];
  const code = entry === undefined ? NXDOMAIN : entry.fails === true ? SERVFAIL : 0;
  socket.send(encode({ type: 'response', id, flags: code, questions, answers }), from.port, from.address);
}

const [SERVFAIL, NXDOMAIN] = [2, 3];

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'outdial-names-'));
  cleanups.push(() => rm(path, { recursive: true }));
  return path;
}

function addresses(resolver: NameResolver, name: string, { scope = 'internet', family = 0 }: Asked = {}) {
  return new Promise<readonly string[]>((resolve, reject) => {
    resolver.resolveFor(scope)(name, { all: true, family }, (error, found) =>
      error === null ? resolve(found.map(({ address }) => address)) : reject(error),
    );
  });
}

interface Asked {
  readonly scope?: EgressScope;
  readonly family?: number;
}

const resolverOf = (options: NameResolverOptions) =>
  createNameResolver({ hostsPath: '/nonexistent', resolvConfPath: '/nonexistent', ...options });

test('a name resolves while the servers of a hundred other names stay silent', async () => {
  const { servers, asked, socket } = await startServer({
    'fast.example': { A: '198.41.0.4', AAAA: '2001:503:ba3e::2:30' },
  });
  const resolver = resolverOf({ servers, timeoutMs: 60_000 });
  const silent = Array.from({ length: 100 }, (_, nth) => `${nth}.${SILENT}`);
  for (const name of silent) addresses(resolver, name).catch(() => undefined);
  while (new Set(asked).size < silent.length) await once(socket, 'message');

  expect(await addresses(resolver, 'fast.example')).toEqual(['198.41.0.4', '2001:503:ba3e::2:30']);
  expect(await addresses(resolver, 'fast.example', { family: 6 })).toEqual(['2001:503:ba3e::2:30']);
});

test('a name with addresses of one family is resolved although its servers fail for the other', async () => {
  const { servers } = await startServer({ 'four.example': { A: '198.41.0.4' }, 'broken.example': { fails: true } });
  const resolver = resolverOf({ servers });
  expect(await addresses(resolver, 'four.example')).toEqual(['198.41.0.4']);
  await expect(addresses(resolver, 'broken.example')).rejects.toThrow('the name servers of the host do not answer');
  const unknown = addresses(resolver, 'unknown.example').catch((error: unknown) => error);
  expect(await unknown).toBeInstanceOf(EgressError);
  expect(await unknown).toMatchObject({ code: 'name_not_found', neverSent: true });
});

test('the hosts file wins over name servers, and is read again when it changes', async () => {
  const { servers, asked } = await startServer({ 'models.example': { A: '198.41.0.4' } });
  const hostsPath = join(await folder(), 'hosts');
  const resolver = resolverOf({ servers, hostsPath });
  expect(await addresses(resolver, 'models.example')).toEqual(['198.41.0.4']);
  await writeFile(hostsPath, '10.1.2.3\tModels.Example models # the first\n10.1.2.4 models.example\n');
  asked.length = 0;
  expect(await addresses(resolver, 'models.example')).toEqual(['10.1.2.3', '10.1.2.4']);
  expect(await addresses(resolver, 'models')).toEqual(['10.1.2.3']);
  expect(asked).toEqual([]);
});

test('localhost is loopback, whatever name servers say', async () => {
  const { servers, asked } = await startServer({
    localhost: { A: '198.41.0.4' },
    'app.localhost': { A: '198.41.0.4' },
  });
  const resolver = resolverOf({ servers });
  for (const name of ['localhost', 'LOCALHOST.', 'app.localhost']) {
    expect(await addresses(resolver, name)).toEqual(['127.0.0.1', '::1']);
  }
  expect(asked).toEqual([]);
});

test('the operator’s domains complete a name of the allow list, and never one of the internet', async () => {
  const { servers, asked } = await startServer({
    'ollama.ai.svc.cluster.local': { A: '10.1.2.3' },
    'tools.example': { A: '198.41.0.4' },
    'tools.example.calls.svc.cluster.local': { fails: true },
  });
  const resolvConfPath = join(await folder(), 'resolv.conf');
  await writeFile(resolvConfPath, 'search calls.svc.cluster.local svc.cluster.local\noptions ndots:5 timeout:1\n');
  const resolver = resolverOf({ servers, resolvConfPath });

  expect(await addresses(resolver, 'ollama.ai', { scope: 'allow_list' })).toEqual(['10.1.2.3']);
  expect(await addresses(resolver, 'tools.example', { scope: 'allow_list' })).toEqual(['198.41.0.4']);
  asked.length = 0;
  await expect(addresses(resolver, 'ollama.ai')).rejects.toThrow('the name of the host has no address');
  await expect(addresses(resolver, 'ollama.ai.', { scope: 'allow_list' })).rejects.toThrow('has no address');
  expect(new Set(asked)).toEqual(new Set(['ollama.ai']));
});
