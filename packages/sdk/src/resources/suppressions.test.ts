import { expect, it } from 'vitest';
import { json, refusal, sdkWith } from '../../test/sdk-with.ts';

const ENTRY = { id: 's-1', number: '+12025550143', kind: 'manual' };
const REPORT = { lines: 2, added: 2, already_listed: 0, invalid: 0, problems: [] };

it('adds, checks and lists numbers, and repeats what an outage interrupts', async () => {
  let isAway = true;
  const { outdial, requests } = sdkWith((request) => {
    isAway = !isAway;
    if (!isAway) return refusal(503, 'service_unavailable');
    if (request.method === 'GET') return json(200, { suppressions: [ENTRY], has_more: false, next_cursor: null });
    if (request.url.endsWith('/check')) return json(200, { results: [{ number: ENTRY.number, suppressed: true }] });
    return json(201, { added: 1, suppressions: [ENTRY] });
  });
  expect((await outdial.suppressions.add({ numbers: [ENTRY.number], reason: 'x' })).added).toBe(1);
  expect(await outdial.suppressions.check([ENTRY.number])).toMatchObject([{ suppressed: true }]);
  expect((await outdial.suppressions.list({ number: ENTRY.number }).page()).items).toEqual([ENTRY]);
  expect(requests.map(({ url }) => new URL(url).pathname + new URL(url).search)).toEqual([
    ...Array(2).fill('/api/v1/suppressions'),
    ...Array(2).fill('/api/v1/suppressions/check'),
    ...Array(2).fill('/api/v1/suppressions?number=%2B12025550143'),
  ]);
});

it('an opt-out that stands is a conflict', async () => {
  const { outdial, requests } = sdkWith(() => refusal(409, 'opt_out_stands'));
  const removing = outdial.suppressions.remove('s-1', { reason: 'a mistake' });
  await expect(removing).rejects.toMatchObject({ name: 'ConflictError', code: 'opt_out_stands' });
  expect(await requests[0]?.json()).toEqual({ reason: 'a mistake' });
});

it('a file is sent as CSV, a text and a Blob alike, and again after an outage', async () => {
  for (const file of ['+12025550143\n', new Blob(['+12025550143\n'])]) {
    const texts: Promise<string>[] = [];
    const { outdial, requests } = sdkWith((request) => {
      texts.push(request.text());
      return texts.length === 1 ? refusal(503, 'service_unavailable') : json(200, REPORT);
    });
    expect(await outdial.suppressions.import(file, { column: 'phone', reason: 'old CRM' })).toEqual(REPORT);
    expect(await Promise.all(texts)).toEqual(['+12025550143\n', '+12025550143\n']);
    for (const request of requests) {
      expect(request.headers.get('Content-Type')).toBe('text/csv');
      expect(new URL(request.url).search).toBe('?column=phone&reason=old%20CRM');
    }
  }
});

it('a call passes on that its callee opted out', async () => {
  const { outdial, requests } = sdkWith((request) =>
    request.method === 'GET' ? json(200, { call: { id: 'c-1' } }) : json(200, { suppression: ENTRY }),
  );
  const call = await outdial.calls.get('c-1');
  expect(await call.optOut({ reason: 'no more calls' })).toEqual(ENTRY);
  expect(requests[1]?.url).toBe('https://outdial.test/api/v1/outbound/calls/c-1/opt-out');
});
