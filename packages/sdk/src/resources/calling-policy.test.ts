import { expect, it } from 'vitest';
import { json, refusal, sdkWith } from '../../test/sdk-with.ts';

const POLICY = { version: 2, windows: {}, closed_days: [], caps: [], trust_given_zone: false, pack: null };
const PATH = '/api/v1/account/calling-policy';

it('reads, replaces and asks the policy, and repeats what an outage interrupts', async () => {
  let isAway = true;
  const { outdial, requests } = sdkWith((request) => {
    isAway = !isAway;
    if (!isAway) return refusal(503, 'service_unavailable');
    if (request.url.includes('/versions')) return json(200, { versions: [POLICY], has_more: false, next_cursor: null });
    if (request.url.endsWith('/check')) return json(200, { verdict: 'allowed' });
    return json(200, { calling_policy: POLICY, floor: null });
  });
  const { callingPolicy } = outdial.account;
  expect((await callingPolicy.get()).calling_policy.version).toBe(2);
  expect((await callingPolicy.update({ caps: [{ hours: 24, max: 3 }] })).floor).toBeNull();
  expect((await callingPolicy.versions({ limit: 1 }).page()).items).toEqual([POLICY]);
  expect((await callingPolicy.check({ number: '+12025550143', callee_time_zone: 'America/Denver' })).verdict).toBe(
    'allowed',
  );
  const sent = requests.map(({ method, url }) => `${method} ${new URL(url).pathname}${new URL(url).search}`);
  expect(sent).toEqual(
    [`GET ${PATH}`, `PUT ${PATH}`, `GET ${PATH}/versions?limit=1`, `POST ${PATH}/check`].flatMap((one) => [one, one]),
  );
});

it('a call outside the calling hours is not permitted, and the error says when they open', async () => {
  const details = { opens_at: '2026-12-01T13:00:00.000Z', zones: ['America/New_York'] };
  const error = { code: 'outside_calling_window', message: 'closed', param: 'to_number', details, request_id: 'r' };
  const { outdial, requests } = sdkWith(() => json(403, { error }));
  const body = {
    to_number: '+12025550143',
    agent_id: 'a',
    on_closed: 'reject',
    callee_time_zone: 'US/Eastern',
  } as const;
  await expect(outdial.calls.create(body)).rejects.toMatchObject({
    name: 'PermissionError',
    code: error.code,
    details,
  });
  expect(await requests[0]?.json()).toEqual(body);
});
