import { randomUUID } from 'node:crypto';
import { createUserAdministration } from '@outdial/identity/users';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openStage, type Stage } from '../stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(async () => {
  await stage.stopWorkers();
  await stage.close();
});

test('a worker deletes expired sessions and keeps valid ones', async () => {
  const { side } = stage.database;
  const users = createUserAdministration(stage.database, { actor: 'test' });
  const { id } = await users.create({ name: 'Sam', email: 'sam@example.com', password: randomUUID() });
  const begin = async (token: string, seconds: number) =>
    void (await side.$executeRaw`
      INSERT INTO sessions (id, user_id, token, expires_at) VALUES (${randomUUID()}::uuid, ${id}::uuid, ${token},
        timezone('utc', now()) + make_interval(secs => ${seconds}))`);
  const [over, current] = ['o'.repeat(43), 'c'.repeat(43)];
  await begin(over, -1);
  await begin(current, 3_600);
  await stage.startWorker();
  const tokens = async () =>
    (await side.$queryRaw<{ token: string }[]>`SELECT token FROM sessions`).map((row) => row.token);
  await expect.poll(tokens).toEqual([current]);
});
