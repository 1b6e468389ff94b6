import { randomBytes, randomUUID } from 'node:crypto';
import { breakerNames, breakersOf, lineNameOf, type PinnedModel } from '@outdial/calls';
import { describeLineDirectory } from '@outdial/calls/testing';
import { expect, test } from 'vitest';
import { createWorld } from '../../test/world.ts';
import { createAdministration } from '../administration/administration.ts';
import { createDatabase } from '../database.ts';
import { createLineDirectory } from './line-directory.ts';

const PATIENCE = { queryTimeoutMs: 30_000, connectTimeoutMs: 30_000 };

const needOf = (
  component: PinnedModel['component'],
  provider: PinnedModel['provider'],
  credentialId: string,
): PinnedModel => ({
  component,
  provider,
  model: `${component}-model`,
  credentialId,
  isOwn: true,
  isFallback: false,
});

test('a realtime model that transcribes has one line: its connection is one', async () => {
  const world = await createWorld();
  try {
    const { accountId } = await world.party();
    const call = await world.queued(await world.party());
    const credentialId = randomUUID();
    await world.database.side.$executeRaw`
      INSERT INTO provider_credentials (id, account_id, provider, name, sealed, shown_suffix)
      VALUES (${credentialId}::uuid, ${accountId}::uuid, 'openai', 'main', '\\x00'::bytea, '1234')`;
    const needs = [needOf('realtime', 'openai', credentialId), needOf('stt', 'openai', credentialId)];
    await world.database.side.$executeRaw`INSERT INTO model_calls (call_id, driver, needs)
      VALUES (${call.id}::uuid, 'realtime', ${JSON.stringify(needs)}::jsonb)`;
    const lines = await createLineDirectory(world.database).linesOf(call.id);
    expect(lines.map(({ name }) => name)).toEqual([lineNameOf({ credentialId, accountId, group: null }, 'realtime')]);
  } finally {
    await world.close();
  }
});

test('an agent whose models are planned needs the same lines as its calls', async () => {
  const world = await createWorld();
  try {
    const party = await world.party();
    const call = await world.queued(party);
    const { credentialsOf } = createAdministration(world.database, { actor: 'ops' });
    const key = { apiKey: 'sk-1', baseUrl: null, region: null, secretKey: randomBytes(32) };
    const { id } = await credentialsOf(party.accountId).create({ provider: 'openai', name: 'main', ...key });
    const models = [
      needOf('realtime', 'openai', id),
      needOf('stt', 'openai', id),
      // What a realtime model delegates to, over the same session.
      needOf('llm', 'openai', id),
      { ...needOf('llm', 'openai', id), isFallback: true },
    ];
    await world.database.side.$executeRaw`INSERT INTO model_calls (call_id, driver, needs)
      VALUES (${call.id}::uuid, 'realtime', ${JSON.stringify(models)}::jsonb)`;
    const directory = createLineDirectory(world.database);
    const planned = await directory.linesOfPlan({ ...party, agentVersion: 1 }, { driver: 'realtime', models });
    expect(planned).toHaveLength(1);
    expect(planned).toEqual(await directory.linesOf(call.id));
  } finally {
    await world.close();
  }
});

test('a credential of xAI carries 100 calls where it has no limit', async () => {
  const world = await createWorld();
  try {
    const party = await world.party();
    const { credentialsOf } = createAdministration(world.database, { actor: 'ops' });
    const key = { apiKey: 'xai-1', baseUrl: null, region: null, secretKey: randomBytes(32) };
    const { id } = await credentialsOf(party.accountId).create({ provider: 'xai', name: 'main', ...key });
    const plan = { driver: 'realtime', models: [needOf('realtime', 'xai', id)] } as const;
    const planned = await createLineDirectory(world.database).linesOfPlan({ ...party, agentVersion: 1 }, plan);
    expect(planned).toMatchObject([{ maxCalls: 100 }]);
  } finally {
    await world.close();
  }
});

test('a local server of the operator serves ten calls at once unless its limit says more, and no account has all', async () => {
  const world = await createWorld();
  try {
    const call = await world.queued(await world.party());
    const { credentialsOf } = createAdministration(world.database, { actor: 'ops' });
    const key = { name: 'local', apiKey: 'no-key', region: null, secretKey: randomBytes(32) };
    const baseUrl = 'http://10.20.0.7:8000/v1';
    const { id } = await credentialsOf(null).create({ provider: 'local', baseUrl, ...key });
    const needs = (['stt', 'llm', 'tts'] as const).map((component) => needOf(component, 'local', id));
    await world.database.side.$executeRaw`INSERT INTO model_calls (call_id, driver, needs)
      VALUES (${call.id}::uuid, 'cascade', ${JSON.stringify(needs)}::jsonb)`;
    const lines = await createLineDirectory(world.database).linesOf(call.id);
    expect(lines.map(({ maxCalls, isShared }) => [maxCalls, isShared])).toEqual([
      [10, true],
      [10, true],
      [10, true],
    ]);
  } finally {
    await world.close();
  }
});

test('a changed limit of a credential holds for the next call that asks, without a restart', async () => {
  const world = await createWorld();
  try {
    const { accountId } = await world.party();
    const call = await world.queued(await world.party());
    const { credentialsOf } = createAdministration(world.database, { actor: 'ops' });
    const key = { name: 'main', apiKey: 'sk-1', baseUrl: null, region: null, secretKey: randomBytes(32) };
    const { id } = await credentialsOf(accountId).create({ provider: 'deepgram', ...key });
    await world.database.side.$executeRaw`INSERT INTO model_calls (call_id, driver, needs)
      VALUES (${call.id}::uuid, 'cascade', ${JSON.stringify([needOf('stt', 'deepgram', id)])}::jsonb)`;
    const directory = createLineDirectory(world.database);
    expect(await directory.linesOf(call.id)).toMatchObject([{ maxCalls: 50, startsPerSecond: 1_000 }]);
    await credentialsOf(accountId).setLimits(id, { maxConcurrentCalls: 3 });
    expect(await directory.linesOf(call.id)).toMatchObject([{ maxCalls: 3, startsPerSecond: 1_000 }]);
    await credentialsOf(accountId).setLimits(id, { maxConcurrentCalls: null, startsPerSecond: 2 });
    expect(await directory.linesOf(call.id)).toMatchObject([{ maxCalls: 50, startsPerSecond: 2 }]);
  } finally {
    await world.close();
  }
});

test('the lines of a rejected key are closed, and open with the next key or once a check finds it accepted', async () => {
  const world = await createWorld();
  try {
    const { accountId, agentId } = await world.party();
    const { credentialsOf } = createAdministration(world.database, { actor: 'ops' });
    const credentials = credentialsOf(accountId);
    const key = { apiKey: 'sk-1', baseUrl: null, region: null, secretKey: randomBytes(32) };
    const group = { ...key, provider: 'openai', limitsGroup: 'project' } as const;
    const [bad, good] = [
      await credentials.create({ ...group, name: 'bad' }),
      await credentials.create({ ...group, name: 'good' }),
    ];
    const directory = createLineDirectory(world.database);
    const closed = async (...ids: readonly string[]) => {
      const models = ids.map((id) => needOf('llm', 'openai', id));
      const call = { accountId, agentId, agentVersion: 1 };
      return (await directory.linesOfPlan(call, { driver: 'cascade', models })).map(({ isClosed }) => isClosed);
    };
    await credentials.recordCheck(bad, 'rejected');
    expect(await closed(bad.id)).toEqual([true]);
    // The other key of the project works, and has the same line.
    expect(await closed(good.id)).toEqual([false]);
    expect(await closed(bad.id, good.id)).toEqual([true]);
    await credentials.recordCheck(bad, 'unreachable');
    expect(await closed(bad.id)).toEqual([true]);
    await credentials.recordCheck(bad, 'ok');
    expect(await closed(bad.id)).toEqual([false]);
    await credentials.recordCheck(bad, 'rejected');
    await credentials.rotate(bad.id, key);
    expect(await closed(bad.id)).toEqual([false]);
  } finally {
    await world.close();
  }
});

describeLineDirectory('in Postgres', async () => {
  const world = await createWorld();
  const { side } = world.database;
  // Its own connections: the test takes them away.
  const own = createDatabase({ url: world.databaseUrl, poolSize: 1, readPoolSize: 1, ...PATIENCE });
  let isAway = false;
  const party = await world.party();

  async function credential(provider: PinnedModel['provider'], group: string | null, maxCalls: number) {
    const id = randomUUID();
    await side.$executeRaw`
      INSERT INTO provider_credentials (id, account_id, provider, name, sealed, shown_suffix, limits_group,
        max_concurrent_calls, starts_per_second)
      VALUES (${id}::uuid, ${party.accountId}::uuid, ${provider}, ${id}, '\\x00'::bytea, '1234', ${group}, ${maxCalls}::int, 5)`;
    return id;
  }
  async function callWith(needs: readonly PinnedModel[]) {
    const call = await world.queued(party);
    await side.$executeRaw`INSERT INTO model_calls (call_id, driver, needs)
      VALUES (${call.id}::uuid, 'cascade', ${JSON.stringify(needs)}::jsonb)`;
    return call.id;
  }
  const limits = (
    group: string | null,
    maxCalls: number,
    [first, ...others]: readonly [PinnedModel, ...PinnedModel[]],
  ) => ({
    name: lineNameOf({ credentialId: first.credentialId, accountId: party.accountId, group }, first.component),
    maxCalls,
    startsPerSecond: 5,
    isShared: false,
    isClosed: false,
    breakers: [first, ...others].flatMap((need) => breakerNames(breakersOf(need, { ...party, agentVersion: 1 }))),
  });

  return {
    directory: createLineDirectory(own),
    async conducted() {
      const [ears, voice, spare] = [
        await credential('deepgram', null, 3),
        await credential('cartesia', null, 4),
        await credential('elevenlabs', null, 9),
      ];
      const needs = [needOf('stt', 'deepgram', ears), needOf('tts', 'cartesia', voice)] as const;
      const fallback = { ...needOf('tts', 'elevenlabs', spare), isFallback: true };
      const callId = await callWith([...needs, fallback]);
      return {
        callId,
        lines: [limits(null, 3, [needs[0]]), limits(null, 4, [needs[1]])],
        fallback: { model: fallback, line: limits(null, 9, [fallback]) },
      };
    },
    async sharing() {
      const [one, other] = [await credential('openai', 'project', 7), await credential('openai', 'project', 5)];
      const needs = [needOf('llm', 'openai', one), needOf('llm', 'openai', other)] as const;
      // Two keys of one project have the least of their limits.
      return { callId: await callWith(needs), line: limits('project', 5, needs) };
    },
    async goAway() {
      isAway = true;
      await own.close();
    },
    async close() {
      if (!isAway) await own.close();
      await world.close();
    },
  };
});
