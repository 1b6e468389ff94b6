import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { accountIdSchema } from '@outdial/contracts';
import { createUserAdministration } from '@outdial/identity/users';
import { createDatabase } from '@outdial/persistence';
import { startSubprocess, type Subprocess } from '../processes.ts';
import { apiEnvironment, untilReady } from '../scenarios/creates.ts';
import { workerEnvironment } from '../scenarios/ended-calls.ts';
import { seedHistory } from '../seed-history.ts';
import { seedAccount, type BenchAccount } from '../seed.ts';
import { openStage } from '../stage.ts';

const PORT = 21_340;
const BUILD = fileURLToPath(new URL('../../../apps/dashboard/build.mjs', import.meta.url));

/** The product as the dashboard needs it: an account with stored calls, a signed-in user, an API and a worker. */
export interface DashboardStage {
  readonly url: string;
  readonly account: BenchAccount;
  readonly person: { readonly email: string; readonly password: string };
  /** The headers of a signed-in browser. */
  readonly headers: Readonly<Record<string, string>>;
  readonly api: Subprocess;
  close(): Promise<void>;
}

export async function openDashboardStage(calls: number, say: (text: string) => void): Promise<DashboardStage> {
  const { status } = spawnSync(process.execPath, [BUILD], { stdio: 'inherit' });
  if (status !== 0) throw new Error('the dashboard could not be built: see above');
  const stage = await openStage(say);
  const running: Subprocess[] = [];
  const close = async () => {
    for (const process of running.toReversed()) await process.stop();
    await stage.close();
  };
  try {
    const account = await seedAccount(stage);
    say(`storing ${calls} calls`);
    await seedHistory(stage.subject.databaseUrl, account, calls);
    const person = await seedPerson(stage.subject.databaseUrl, account);
    const api = await startSubprocess({
      entry: 'apps/api/src/main.ts',
      env: apiEnvironment(stage.subject, PORT),
      ready: () => untilReady(PORT),
    });
    running.push(api);
    // At real speed: calls ring, talk and end one after another, and not all at once.
    const env = workerEnvironment(stage.subject, 500, 1);
    running.push(await startSubprocess({ entry: 'apps/worker/src/main.ts', env, ready: async () => {} }));
    const url = `http://127.0.0.1:${PORT}`;
    return { url, account, person, headers: await signIn(url, person), api, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function seedPerson(databaseUrl: string, { accountId }: BenchAccount): Promise<DashboardStage['person']> {
  const person = { name: 'Bench', email: `${randomUUID()}@example.com`, password: randomUUID() };
  const database = createDatabase({ url: databaseUrl, queryTimeoutMs: 60_000, connectTimeoutMs: 60_000 });
  try {
    const users = createUserAdministration(database, { actor: 'bench' });
    await users.create(person);
    await users.addToAccount(person, { accountId: accountIdSchema.parse(accountId), role: 'owner' });
  } finally {
    await database.close();
  }
  return person;
}

async function signIn(url: string, { email, password }: DashboardStage['person']): Promise<Record<string, string>> {
  const response = await fetch(`${url}/api/dashboard/session`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Sec-Fetch-Site': 'same-origin' },
    body: JSON.stringify({ email, password }),
  });
  const [cookie = ''] = (response.headers.getSetCookie()[0] ?? '').split(';');
  if (!response.ok) throw new Error(`signing in was answered with ${response.status}`);
  return { Cookie: cookie, 'Sec-Fetch-Site': 'same-origin' };
}
