import { openSecret } from '@outdial/secrets';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createOwnWebhooks, sealing, secretKey, type OwnWebhooks } from '../../test/own-webhooks.ts';
import { attemptOf, claimAll } from '../../test/webhooks.ts';
import { createWorld, type Party, type World } from '../../test/world.ts';

let world: World;
let hooks: OwnWebhooks;
beforeAll(async () => {
  world = await createWorld();
  hooks = createOwnWebhooks(world);
});
beforeEach(async () => {
  await world.database.side.$executeRaw`DELETE FROM webhook_deliveries`;
});
afterAll(() => world.close());

const NOTHING = Buffer.of();

/** The secrets that sign what is sent to the URL of a new call: the present one, and the one before. */
async function signing(party: Party): Promise<readonly (string | undefined)[]> {
  await world.queued(party, { webhookUrl: 'https://customer.example/hook' });
  const [delivery] = await claimAll(hooks.store);
  if (!delivery) throw new Error('one is claimed');
  await hooks.store.finish(attemptOf(delivery));
  const owner = { purpose: 'webhook secret', owner: delivery.endpointId } as const;
  return [delivery.sealedSecret, delivery.previousSealedSecret].map((sealed) =>
    openSecret(secretKey, sealed ?? NOTHING, owner),
  );
}

test('the endpoint of calls’ URLs is made once, also for first calls at once', async () => {
  const { perCall } = hooks.of(await world.party());
  expect(await perCall.find()).toBeNull();
  const made = await Promise.all(Array.from({ length: 6 }, () => perCall.ensure(sealing)));
  expect(made.filter(Boolean)).toHaveLength(1);
  expect(await perCall.find()).toMatchObject({ previousUntilMs: null });
});

const hours = (untilMs: number | null) => ((untilMs ?? 0) - Date.now()) / 3_600_000;

test('its secret is replaced while both sign for a time, and one rotation is over before the next', async () => {
  const party = await world.party();
  const { perCall } = hooks.of(party);
  expect(await perCall.setSecret({ ...sealing, overlapHours: 24 })).toMatchObject({
    kind: 'set',
    endpoint: { previousUntilMs: null },
  });
  expect(await signing(party)).toEqual(['whsec_one', undefined]);
  const rotated = await perCall.setSecret({ secret: 'whsec_two', secretKey, overlapHours: 24 });
  expect(rotated.kind === 'set' && hours(rotated.endpoint.previousUntilMs)).toBeCloseTo(24, 1);
  expect(await signing(party)).toEqual(['whsec_two', 'whsec_one']);
  const third = { secret: 'whsec_three', secretKey, overlapHours: 24 };
  expect(await perCall.setSecret(third)).toEqual({
    kind: 'in_progress',
    previousUntilMs: (await perCall.find())?.previousUntilMs,
  });
  await world.database.side
    .$executeRaw`UPDATE webhook_endpoints SET previous_until = clock_timestamp() WHERE previous_until IS NOT NULL`;
  expect(await signing(party)).toEqual(['whsec_two', undefined]);
  expect(await perCall.setSecret(third)).toMatchObject({ kind: 'set' });
});

test('a secret that leaked ends at once, also while it overlaps', async () => {
  const party = await world.party();
  const { perCall } = hooks.of(party);
  await perCall.setSecret({ ...sealing, overlapHours: 24 });
  await perCall.setSecret({ secret: 'whsec_two', secretKey, overlapHours: 24 });
  await perCall.setSecret({ secret: 'whsec_three', secretKey, overlapHours: 0 });
  expect(await signing(party)).toEqual(['whsec_three', undefined]);
});
