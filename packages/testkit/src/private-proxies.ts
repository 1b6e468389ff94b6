import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { removeDataFolder } from '@outdial/local-stores';
import { installDebianPackages } from './debian-packages.ts';
import { freePort } from './free-port.ts';
import { listens } from './telephones/listens.ts';
import { makeTemporaryDir } from './temporary-dir.ts';

/** A proxy on a port of 127.0.0.1, by the example that operators copy. */
export interface PrivateProxy {
  readonly port: number;
  close(): Promise<void>;
}

const EXAMPLES = new URL('../../../deploy/examples/', import.meta.url);
/** Where Debian installs them, which is not on every user's PATH. */
const PATH = `${process.env['PATH'] ?? ''}:/usr/sbin`;

/** nginx in front of APIs, by `deploy/examples/nginx.conf`. Installs it on Debian, throws elsewhere. @param upstreams `host:port` */
export async function privateNginx(upstreams: readonly string[]): Promise<PrivateProxy> {
  requireProgram('nginx', 'nginx-light', ['-v']);
  const example = await readFile(new URL('nginx.conf', EXAMPLES), 'utf8');
  return startProxy((dir, port) => {
    const site = withServers(example, upstreams).replace(/^( *listen ).*;$/m, `$1127.0.0.1:${port};`);
    const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (kind) => `${kind}_temp_path ${dir}/${kind};`,
    );
    const text = [
      'daemon off;',
      // Its own account could not enter the folder.
      ...(process.getuid?.() === 0 ? ['user root;'] : []),
      `pid ${dir}/nginx.pid;`,
      'events {}',
      `http {\naccess_log off;\n${paths.join('\n')}\n${site}}`,
      '',
    ].join('\n');
    const settings = join(dir, 'nginx.conf');
    return { command: 'nginx', args: ['-p', dir, '-e', `${dir}/error.log`, '-c', settings], settings, text };
  });
}

/** HAProxy in front of APIs, by `deploy/examples/haproxy.cfg`. */
export function privateHaproxy(upstreams: readonly string[]): Promise<PrivateProxy> {
  return startHaproxy(['frontend api', 'backend apis'], upstreams);
}

/** HAProxy that leads to the one of these Redis servers which is a primary. */
export function privateHaproxyOfRedis(upstreams: readonly string[], password: string): Promise<PrivateProxy> {
  return startHaproxy(['listen redis'], upstreams, password);
}

async function startHaproxy(
  names: readonly string[],
  upstreams: readonly string[],
  password = '',
): Promise<PrivateProxy> {
  requireProgram('haproxy', 'haproxy', ['-v']);
  const example = await readFile(new URL('haproxy.cfg', EXAMPLES), 'utf8');
  const sections = example.split(/^(?=(?:global|defaults|frontend|backend|listen)\b)/m);
  const own = sections.filter((section) =>
    ['global', 'defaults', ...names].some((name) => section.startsWith(`${name}\n`)),
  );
  return startProxy((dir, port) => {
    const text = withServers(own.join('\n'), upstreams)
      .replace(/^( *bind ).*$/m, `$1127.0.0.1:${port}`)
      .replace('PASSWORD', password);
    const settings = join(dir, 'haproxy.cfg');
    return { command: 'haproxy', args: ['-q', '-db', '-f', settings], settings, text };
  });
}

/** The example's lines of servers, with other addresses. */
function withServers(example: string, upstreams: readonly string[]): string {
  const left = [...upstreams];
  return example.replaceAll(/^( *server (?:[\w-]+ )?)[\w.-]+:\d+(.*)\n/gm, (_line, before: string, after: string) => {
    const upstream = left.shift();
    return upstream === undefined ? '' : `${before}${upstream}${after}\n`;
  });
}

interface ProxyPlan {
  readonly command: string;
  readonly args: readonly string[];
  readonly settings: string;
  readonly text: string;
}

async function startProxy(plan: (dir: string, port: number) => ProxyPlan): Promise<PrivateProxy> {
  const dir = await makeTemporaryDir();
  const port = await freePort();
  const { command, args, settings, text } = plan(dir, port);
  await writeFile(settings, text, { mode: 0o600 });
  const child = spawn(command, args, { env: { PATH }, stdio: ['ignore', 'ignore', 'inherit'] });
  const ended = once(child, 'exit');
  await listens(port, 'tcp', () => child.exitCode !== null);
  return {
    port,
    async close() {
      child.kill('SIGTERM');
      await ended;
      await removeDataFolder(dir);
    },
  };
}

function requireProgram(command: string, packageName: string, args: readonly string[]): void {
  const isThere = () => spawnSync(command, args, { env: { PATH }, stdio: 'ignore' }).status === 0;
  if (isThere()) return;
  const advice = `This needs ${command}: install it (Debian and Ubuntu: apt-get install ${packageName}).`;
  installDebianPackages({ packages: [packageName], advice }, (line) => void process.stdout.write(`${line}\n`));
  if (!isThere()) throw new Error(advice);
}
