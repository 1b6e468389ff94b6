import { expect, it } from 'vitest';
import { json, refusal, sdkWith } from '../../test/sdk-with.ts';

const UPLOAD = { number: 1, state: 'ready', rows: 2, accepted: 1, duplicates: 0, invalid: 1, errors: [] };
const campaign = (state: string) => json(200, { campaign: { id: 'k-1', state } });
const ONE = 'https://outdial.test/api/v1/campaigns/k-1';

it('steers a campaign, and repeats what an outage interrupts', async () => {
  let isAway = true;
  const { outdial, requests } = sdkWith(() => {
    isAway = !isAway;
    return isAway ? campaign('running') : refusal(503, 'service_unavailable');
  });
  const { campaigns } = outdial;
  expect((await campaigns.get('k-1')).state).toBe('running');
  await campaigns.update('k-1', { calls_per_second: 5 });
  await campaigns.start('k-1');
  await campaigns.pause('k-1');
  await campaigns.resume('k-1');
  await campaigns.cancel('k-1', { hang_up: true });
  expect(requests.map(({ method, url }) => `${method} ${url}`)).toEqual(
    [`GET ${ONE}`, `PATCH ${ONE}`, ...['start', 'pause', 'resume', 'cancel'].map((verb) => `POST ${ONE}/${verb}`)]
      // Each is sent again.
      .flatMap((request) => [request, request]),
  );
  expect(await requests.at(-1)?.json()).toEqual({ hang_up: true });
});

it('does not repeat a creation whose answer is lost, because it would give a second draft', async () => {
  const { outdial, requests } = sdkWith(() => refusal(503, 'service_unavailable'));
  const creating = outdial.campaigns.create({ name: 'Reminders', agent_id: 'a-1' });
  await expect(creating).rejects.toMatchObject({ code: 'service_unavailable' });
  expect(requests).toHaveLength(1);
});

it('reads campaigns and contacts over all pages', async () => {
  const { outdial } = sdkWith(({ url }) => {
    const isSecond = url.includes('cursor=2');
    const end = { has_more: !isSecond, next_cursor: isSecond ? null : '2' };
    const items = [{ id: isSecond ? 'k-2' : 'k-1', line: isSecond ? 2 : 1 }];
    return json(200, { ...end, ...(url.includes('/contacts') ? { contacts: items } : { campaigns: items }) });
  });
  const [ids, lines]: [string[], number[]] = [[], []];
  for await (const { id } of outdial.campaigns.list({ limit: 1 })) ids.push(id);
  for await (const { line } of outdial.campaigns.contacts.list('k-1', { limit: 1 })) lines.push(line);
  expect([ids, lines]).toEqual([
    ['k-1', 'k-2'],
    [1, 2],
  ]);
});

it('adds contacts as JSON again after an outage: what was added is a duplicate then', async () => {
  const { outdial, requests } = sdkWith((_, attempt) =>
    attempt === 1 ? refusal(502, 'bad_gateway') : json(201, { upload: UPLOAD }),
  );
  const contacts = [{ to_number: '+12025550143', variables: { name: 'Ada' } }];
  expect(await outdial.campaigns.contacts.add('k-1', contacts)).toEqual(UPLOAD);
  expect(await requests[1]?.json()).toEqual({ contacts });
});

it('deletes a campaign, and takes a repeated deletion that finds none for done', async () => {
  const { outdial, requests } = sdkWith(() =>
    requests.length === 1 ? refusal(503, 'service_unavailable') : refusal(404, 'campaign_not_found'),
  );
  await outdial.campaigns.delete('k-1');
  const asked = requests.map(({ method, url }) => `${method} ${url}`);
  expect(asked).toEqual(Array(2).fill(`DELETE ${ONE}`));
});

it('sends a file as CSV, a text and a Blob alike, and again after an outage', async () => {
  for (const file of ['phone\n+12025550143\n', new Blob(['phone\n+12025550143\n'])]) {
    const texts: Promise<string>[] = [];
    const { outdial, requests } = sdkWith((request) => {
      texts.push(request.text());
      return texts.length === 1 ? refusal(503, 'service_unavailable') : json(201, { upload: UPLOAD });
    });
    const options = { fileName: 'people.csv', onInvalid: 'refuse' } as const;
    expect(await outdial.campaigns.uploadContacts('k-1', file, options)).toEqual(UPLOAD);
    expect(await Promise.all(texts)).toEqual(Array(2).fill('phone\n+12025550143\n'));
    for (const { headers, url } of requests) {
      expect(headers.get('Content-Type')).toBe('text/csv');
      expect(url).toBe(`${ONE}/contacts?file_name=people.csv&on_invalid=refuse`);
    }
  }
});

it('reads a stream no further than it is sent, and sends it once', async () => {
  let pulled = 0;
  const file = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        pulled += 1;
        controller.enqueue(new TextEncoder().encode('+12025550143\n'));
      },
    },
    { highWaterMark: 0 },
  );
  const { outdial, requests } = sdkWith(async ({ body }) => {
    const reader = body?.getReader();
    for (let chunk = 0; chunk < 3; chunk += 1) await reader?.read();
    expect(pulled).toBeLessThan(6);
    return refusal(503, 'service_unavailable');
  });
  await expect(outdial.campaigns.uploadContacts('k-1', file)).rejects.toMatchObject({ code: 'service_unavailable' });
  expect(requests).toHaveLength(1);
});

it('reports how much of a file has been sent', async () => {
  const { outdial } = sdkWith(async (request) => json(201, { upload: UPLOAD, text: await request.text() }));
  const sent: number[] = [];
  await outdial.campaigns.uploadContacts('k-1', new Blob(['phone\n', '+12025550143\n']), {
    onProgress: (bytes) => sent.push(bytes),
  });
  expect(sent.at(-1)).toBe(19);
});

it('gives results and errors of an upload as they arrive', async () => {
  const { outdial, requests } = sdkWith(({ url }) =>
    url.endsWith('.csv') ? new Response('line\n1\n') : json(200, { upload: UPLOAD }),
  );
  const { results, uploads } = { results: await outdial.campaigns.results('k-1'), uploads: outdial.campaigns.uploads };
  expect(await new Response(results).text()).toBe('line\n1\n');
  expect(await new Response(await uploads.errors('k-1', 1)).text()).toBe('line\n1\n');
  expect(await uploads.get('k-1', 1)).toEqual(UPLOAD);
  expect(requests.map(({ url }) => url)).toEqual([
    `${ONE}/results.csv`,
    `${ONE}/uploads/1/errors.csv`,
    `${ONE}/uploads/1`,
  ]);
});

it('follows a campaign to its end through an outage, and waits for it', async () => {
  const { outdial } = sdkWith((_, attempt) => {
    if (attempt > 1 && attempt <= 5) return refusal(503, 'service_unavailable');
    return campaign(attempt === 1 ? 'running' : attempt === 6 ? 'cancelling' : 'cancelled');
  });
  const seen: string[] = [];
  for await (const { state } of outdial.campaigns.follow('k-1')) seen.push(state);
  expect(seen).toEqual(['running', 'cancelling', 'cancelled']);
  expect((await outdial.campaigns.wait('k-1')).state).toBe('cancelled');
});

it('following ends with what does not pass', async () => {
  const { outdial } = sdkWith(() => refusal(404, 'campaign_not_found'));
  await expect(outdial.campaigns.wait('k-1')).rejects.toMatchObject({ code: 'campaign_not_found' });
});
