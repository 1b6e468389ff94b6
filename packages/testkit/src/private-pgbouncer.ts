import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { removeDataFolder, serverAccount } from '@outdial/local-stores';
import { installDebianPackages } from './debian-packages.ts';
import { freePort } from './free-port.ts';
import { privateServer, type PrivateServer } from './private-server.ts';
import { listens } from './telephones/listens.ts';
import { makeTemporaryDir } from './temporary-dir.ts';

/** The example of the guide "Growing": what operators copy is what the tests run. */
const EXAMPLE = new URL('../../../deploy/examples/pgbouncer.ini', import.meta.url);
/** Where Debian installs it, which is not on every user's PATH. */
const PATH = `${process.env['PATH'] ?? ''}:/usr/sbin`;

/** PgBouncer in transaction mode in front of a Postgres, by the example's settings. Installs it on Debian, throws elsewhere. */
export async function privatePgbouncer(databaseUrl: string): Promise<PrivateServer> {
  requirePgbouncer();
  const dir = await makeTemporaryDir();
  const port = await freePort();
  const target = new URL(databaseUrl);
  const account = await serverAccount(announce);
  const paths = { settings: join(dir, 'pgbouncer.ini'), users: join(dir, 'userlist.txt') };
  await writeFile(paths.settings, await settingsFor(target, port, paths.users));
  await writeFile(paths.users, `"${target.username}" "${decodeURIComponent(target.password)}"\n`, { mode: 0o600 });
  await chmod(dir, 0o711);
  if (account) for (const path of Object.values(paths)) await chown(path, account.uid, account.gid);
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${port}`;
  const launch = async () => {
    const child = spawn('pgbouncer', ['--quiet', paths.settings], { env: { PATH }, stdio: 'ignore', ...account });
    const ended = once(child, 'exit');
    await listens(port, 'tcp', () => child.exitCode !== null);
    const end = (signal: NodeJS.Signals) => async () => {
      child.kill(signal);
      await ended;
    };
    return {
      url: url.href,
      stop: end('SIGTERM'),
      kill: end('SIGKILL'),
      pause: async () => void child.kill('SIGSTOP'),
      resume: async () => void child.kill('SIGCONT'),
    };
  };
  return privateServer(launch, () => removeDataFolder(dir));
}

/** The example, with the places of this test. */
async function settingsFor(target: URL, port: number, usersPath: string): Promise<string> {
  const replaced = new Map([
    ['outdial', `host=${target.hostname} port=${target.port} dbname=${target.pathname.slice(1)}`],
    ['listen_addr', '127.0.0.1'],
    ['listen_port', String(port)],
    ['auth_file', usersPath],
  ]);
  const example = await readFile(EXAMPLE, 'utf8');
  return example.replaceAll(/^(\w+) = (.*)$/gm, (line, name: string) => {
    const value = replaced.get(name);
    return value === undefined ? line : `${name} = ${value}`;
  });
}

function requirePgbouncer(): void {
  if (isThere()) return;
  const advice = 'The tests of PgBouncer need it: install it (Debian and Ubuntu: apt-get install pgbouncer).';
  installDebianPackages({ packages: ['pgbouncer'], advice }, announce);
  if (!isThere()) throw new Error(advice);
}

function isThere(): boolean {
  return spawnSync('pgbouncer', ['--version'], { env: { PATH }, stdio: 'ignore' }).status === 0;
}

function announce(text: string): void {
  process.stdout.write(`${text}\n`);
}
