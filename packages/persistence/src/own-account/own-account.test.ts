import { randomUUID } from 'node:crypto';
import { digestApiKey, parseKeyPepper } from '@outdial/secrets';
import {
  scriptedSettingsSchema,
  apiKeyIdSchema,
  e164Schema,
  phoneNumberIdSchema,
  type AccountId,
  type E164,
} from '@outdial/contracts';
import { invariant } from '@outdial/kernel';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { auditOf } from '../../test/audit.ts';
import { createWorld, type World } from '../../test/world.ts';
import { createAdministration, type Administration } from '../administration/administration.ts';
import { createDirectory } from '../directory/directory.ts';
import type { AgentCursor, AgentPage } from './agent-page.ts';
import { openOwnAccount, type OwnAccount } from './own-account.ts';

const SETTINGS = scriptedSettingsSchema.parse({ name: 'Anna', first_message: 'Hello {{name}}.' });
const pepper = parseKeyPepper('5e'.repeat(32));
const phone = (text: string): E164 => e164Schema.parse(text);

let world: World;
let admin: Administration;
let accountId: AccountId;
/** An account as one of its members sees it, and another account. */
let own: OwnAccount;
let foreign: OwnAccount;

beforeAll(async () => {
  world = await createWorld();
  admin = createAdministration(world.database, { actor: 'ops' });
});
afterAll(() => world.close());

const newOwn = async () => {
  const { id } = await admin.accounts.create({ name: 'Acme', currency: 'USD' });
  return {
    id,
    own: openOwnAccount(world.database, {
      accountId: id,
      actor: 'user-1',
      bounds: { apiKeys: 100, agents: 100, credentials: 100, secrets: 100 },
    }),
  };
};
beforeEach(async () => {
  const [first, second] = [await newOwn(), await newOwn()];
  accountId = first.id;
  own = first.own;
  foreign = second.own;
});

const newKey = (of: OwnAccount, name: string) => {
  invariant(pepper, 'the pepper is long enough');
  return of.keys.create({ name, pepper });
};

const add = (of: AccountId, text: string, isDefault = false) =>
  admin.numbers.add({ accountId: of, e164: phone(text), isDefault });

describe('keys', () => {
  test('are listed newest first, including revoked ones', async () => {
    const first = await newKey(own, 'first');
    const second = await newKey(own, 'second');
    await newKey(foreign, 'foreign');
    const revoked = await own.keys.revoke(first.record.id);
    expect(revoked?.revokedAtMs).toBeTypeOf('number');
    expect(await own.keys.list()).toEqual([second.record, revoked]);
    // Repeating it keeps the first time.
    expect(await own.keys.revoke(first.record.id)).toEqual(revoked);
    const audit = await auditOf(world.database, first.record.id);
    expect(audit.map(({ actor, action }) => [actor, action])).toEqual([
      ['user-1', 'key.create'],
      ['user-1', 'key.revoke'],
    ]);
  });

  test('of another account are unknown, and stay unchanged', async () => {
    const theirs = await newKey(foreign, 'theirs');
    expect(await own.keys.revoke(theirs.record.id)).toBeNull();
    expect(await own.keys.revoke(apiKeyIdSchema.parse(randomUUID()))).toBeNull();
    expect(await foreign.keys.list()).toEqual([theirs.record]);
    const directory = createDirectory(world.database);
    const found = await directory.findKey(digestApiKey(theirs.key, pepper ?? Buffer.alloc(0)));
    expect(found?.revokedAtMs).toBeNull();
    expect(await auditOf(world.database, theirs.record.id)).toHaveLength(1);
  });
});

const listed = async (of: OwnAccount) => (await of.agents.page({ after: null, limit: 10, maxBytes: 1_000_000 })).agents;

describe('agents', () => {
  test('are listed in pages that are limited by bytes and hold at least one', async () => {
    const { own: writer } = await newOwn();
    const made: string[] = [];
    for (let count = 0; count < 5; count += 1) {
      const lines = Array.from({ length: 20 }, () => 'x'.repeat(1_000));
      made.push((await writer.agents.create({ ...SETTINGS, lines })).id);
    }
    const pageOf = async (limit: number, maxBytes: number) => {
      const sizes: number[] = [];
      const ids: string[] = [];
      let after: AgentCursor | null = null;
      for (;;) {
        const { agents, hasMore }: AgentPage = await writer.agents.page({ after, limit, maxBytes });
        sizes.push(agents.length);
        ids.push(...agents.map(({ id }) => id));
        after = agents.at(-1) ?? null;
        if (!hasMore) break;
      }
      expect(ids).toEqual(made);
      return sizes;
    };
    expect(await pageOf(2, 1_000_000)).toEqual([2, 2, 1]);
    expect(await pageOf(10, 50_000)).toEqual([2, 2, 1]);
    expect(await pageOf(10, 1)).toEqual([1, 1, 1, 1, 1]);
  });

  test('are created and changed, each change as a new version', async () => {
    const agent = await own.agents.create(SETTINGS);
    const changed = await own.agents.update(agent.id, { settings: { ...SETTINGS, name: 'Ben' }, baseVersion: 1 });
    invariant(changed.kind === 'updated', 'the agent is the account’s own');
    expect(changed.agent).toMatchObject({ id: agent.id, version: 2, settings: { settings: { name: 'Ben' } } });
    expect(await own.agents.find(agent.id)).toEqual(changed.agent);
    expect(await listed(own)).toEqual([changed.agent]);
    const audit = await auditOf(world.database, agent.id);
    expect(audit.map(({ actor, action }) => [actor, action])).toEqual([
      ['user-1', 'agent.create'],
      ['user-1', 'agent.update'],
    ]);
  });

  test('that are granted are found and cannot be changed; others are unknown', async () => {
    const granted = await foreign.agents.create(SETTINGS);
    const secret = await foreign.agents.create(SETTINGS);
    await admin.agents.grant({ agentId: granted.id, accountId });
    expect(await listed(own)).toEqual([granted]);
    expect(await own.agents.find(granted.id)).toEqual(granted);
    expect(await own.agents.find(secret.id)).toBeNull();
    for (const { id } of [granted, secret]) {
      expect(await own.agents.update(id, { settings: SETTINGS, baseVersion: 1 })).toEqual({ kind: 'not_found' });
    }
    expect((await listed(foreign)).map(({ version }) => version)).toEqual([1, 1]);
  });
});

describe('numbers', () => {
  test('become the default, and are enabled and disabled', async () => {
    const first = await add(accountId, '+12025550101', true);
    const second = await add(accountId, '+12025550102');
    const chosen = await own.numbers.update(second.id, { isDefault: true, outboundEnabled: false });
    expect(chosen).toEqual({ ...second, isDefault: true, outboundEnabled: false });
    expect(await own.numbers.list()).toEqual([chosen, { ...first, isDefault: false }]);
    expect(await own.numbers.update(second.id, { outboundEnabled: true })).toMatchObject({ isDefault: true });
    const data = { account_id: accountId, outbound_enabled: false, is_default: true };
    expect((await auditOf(world.database, second.id))[0]).toEqual({ actor: 'user-1', action: 'number.update', data });
  });

  test('concurrent changes of the default leave exactly one', async () => {
    const numbers = [];
    for (let count = 0; count < 4; count += 1) numbers.push(await add(accountId, `+1202555020${count}`, count === 0));
    for (let round = 0; round < 5; round += 1) {
      const answers = await Promise.all(numbers.map(({ id }) => own.numbers.update(id, { isDefault: true })));
      expect(answers.map((answer) => answer?.isDefault)).toEqual([true, true, true, true]);
      expect((await own.numbers.list()).filter(({ isDefault }) => isDefault)).toHaveLength(1);
    }
  });

  test('of another account and of the system are unknown, and stay unchanged', async () => {
    const mine = await add(accountId, '+12025550101', true);
    const system = await admin.numbers.add({ accountId: null, e164: phone('+12025550190'), isDefault: true });
    for (const id of [mine.id, system.id, phoneNumberIdSchema.parse(randomUUID())]) {
      expect(await foreign.numbers.update(id, { isDefault: true, outboundEnabled: false })).toBeNull();
    }
    expect([await own.numbers.list(), await admin.numbers.list(null)]).toEqual([[mine], [system]]);
    expect(await auditOf(world.database, mine.id)).toEqual([]);
    await admin.numbers.remove({ accountId: null, e164: system.e164 });
  });
});
