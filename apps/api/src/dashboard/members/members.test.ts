import { randomUUID } from 'node:crypto';
import { memberEnvelopeSchema, memberListSchema, type Role } from '@outdial/contracts';
import { createUserAdministration } from '@outdial/identity/users';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from '../../../test/client.ts';
import { openApi, type TestApi } from '../../../test/open-api.ts';
import type { TestAccount } from '../../../test/seeds.ts';
import type { SignedIn } from '../../../test/sign-in.ts';

let api: TestApi;
beforeAll(async () => {
  api = await openApi();
});
afterAll(() => api.close());

const codeOf = (answer: Answer) => `${answer.status} ${answer.error().code}`;

interface Team {
  readonly account: TestAccount;
  readonly people: readonly SignedIn[];
  as(index: number): (method: string, path: string, json?: unknown) => Promise<Answer>;
}

async function team(...roles: readonly Role[]): Promise<Team> {
  const account = await api.account();
  const people: SignedIn[] = [];
  for (const role of roles) people.push(await api.signIn({ memberships: [{ accountId: account.id, role }] }));
  return {
    account,
    people,
    as: (index) => (method, path, json) =>
      api.request(method, `//api/dashboard/accounts/${account.id}/${path}`, {
        headers: people[index]?.headers ?? {},
        json,
      }),
  };
}

const idOf = ({ people }: Team, index: number) => people[index]?.userId ?? '';
const rolesIn = (answer: Answer) => memberListSchema.parse(answer.json).members.map(({ role }) => role);

describe('the members of an account', () => {
  it('200: are listed for each member, in the order in which they joined', async () => {
    const of = await team('owner', 'member');
    const answer = await of.as(1)('GET', 'members');
    const { members, invitations } = memberListSchema.parse(answer.json);
    expect(members.map(({ user_id: id, role, name }) => ({ id, role, name }))).toEqual([
      { id: idOf(of, 0), role: 'owner', name: 'Sam' },
      { id: idOf(of, 1), role: 'member', name: 'Sam' },
    ]);
    expect(invitations).toEqual([]);
  });

  it('200: become owners and members again', async () => {
    const of = await team('owner', 'member');
    const path = `members/${idOf(of, 1)}`;
    const raised = await of.as(0)('PATCH', path, { role: 'owner' });
    expect(memberEnvelopeSchema.parse(raised.json).member).toMatchObject({ user_id: idOf(of, 1), role: 'owner' });
    expect((await of.as(0)('PATCH', path, { role: 'member' })).status).toBe(200);
  });

  it('204: lose access to the account on every process within a second of their removal', async () => {
    const another = await api.startAnother();
    const of = await team('owner', 'member');
    const path = `//api/dashboard/accounts/${of.account.id}/account`;
    const headers = of.people[1]?.headers ?? {};
    const statuses = () =>
      Promise.all([api, another].map(async (process) => (await process.request('GET', path, { headers })).status));
    expect(await statuses()).toEqual([200, 200]);
    expect((await of.as(0)('DELETE', `members/${idOf(of, 1)}`)).status).toBe(204);
    const removedMs = performance.now();
    while (performance.now() - removedMs < 1_000) await statuses();
    expect(await statuses()).toEqual([404, 404]);
  });

  it('403 owner_only: a member changes no member', async () => {
    const of = await team('owner', 'member');
    for (const index of [0, 1]) {
      const path = `members/${idOf(of, index)}`;
      expect(codeOf(await of.as(1)('PATCH', path, { role: 'owner' }))).toBe('403 owner_only');
      expect(codeOf(await of.as(1)('DELETE', path))).toBe('403 owner_only');
    }
  });

  it('404 member_not_found for a member of another account, who stays unchanged', async () => {
    const [of, other] = [await team('owner'), await team('owner', 'member')];
    for (const userId of [idOf(other, 1), randomUUID()]) {
      expect(codeOf(await of.as(0)('PATCH', `members/${userId}`, { role: 'owner' }))).toBe('404 member_not_found');
      expect(codeOf(await of.as(0)('DELETE', `members/${userId}`))).toBe('404 member_not_found');
    }
    expect(rolesIn(await other.as(0)('GET', 'members'))).toEqual(['owner', 'member']);
  });

  it('400 invalid_request for a malformed id and an unknown role', async () => {
    const of = await team('owner');
    expect(codeOf(await of.as(0)('DELETE', 'members/x'))).toBe('400 invalid_request');
    expect(codeOf(await of.as(0)('PATCH', `members/${idOf(of, 0)}`, { role: 'operator' }))).toBe('400 invalid_request');
  });
});

describe('an account always has an owner:', () => {
  it('409 last_owner: the last owner cannot leave or step down', async () => {
    const of = await team('owner', 'member');
    const path = `members/${idOf(of, 0)}`;
    expect(codeOf(await of.as(0)('PATCH', path, { role: 'member' }))).toBe('409 last_owner');
    expect(codeOf(await of.as(0)('DELETE', path))).toBe('409 last_owner');
    expect((await of.as(0)('PATCH', path, { role: 'owner' })).status).toBe(200);
  });

  it('of several owners who leave at the same moment, one stays', async () => {
    for (let round = 0; round < 10; round += 1) {
      const of = await team('owner', 'owner', 'owner');
      const statuses = await Promise.all(
        [0, 1, 2].map(async (index) => {
          const path = `members/${idOf(of, index)}`;
          const leaves = (index + round) % 2 === 0;
          const answer = leaves
            ? await of.as(index)('DELETE', path)
            : await of.as(index)('PATCH', path, { role: 'member' });
          return answer.status;
        }),
      );
      expect(statuses.filter((status) => status === 409)).toHaveLength(1);
      const [{ owners } = { owners: 0 }] = await api.database.side.$queryRaw<{ owners: number }[]>`
        SELECT count(*)::int AS owners FROM memberships WHERE account_id = ${of.account.id}::uuid AND role = 'owner'`;
      expect(owners).toBe(1);
    }
  });
});

it('every change of members is audited with the user who made it', async () => {
  const of = await team('owner', 'member');
  await of.as(0)('PATCH', `members/${idOf(of, 1)}`, { role: 'owner' });
  await of.as(0)('DELETE', `members/${idOf(of, 1)}`);
  const entries = await api.database.side.$queryRaw<{ actor: string; action: string }[]>`
    SELECT actor, action FROM audit_entries WHERE subject_id = ${idOf(of, 1)} AND action LIKE 'member.%' ORDER BY id`;
  const actor = `user:${idOf(of, 0)}`;
  expect(entries).toEqual([
    { actor, action: 'member.set_role' },
    { actor, action: 'member.remove' },
  ]);
});

it('only the command line creates the first operator, who has the role within a second', async () => {
  const user = await api.signIn();
  const isOperator = async () =>
    (await api.request('GET', '//api/dashboard/session', { headers: user.headers })).text.includes(
      '"is_operator":true',
    );
  expect(await isOperator()).toBe(false);
  await createUserAdministration(api.database, { actor: 'test' }).setOperator(user, true);
  await expect.poll(isOperator).toBe(true);
});
