import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../free-port.ts';
import { listens } from './listens.ts';

export interface KamailioOptions {
  /** The target of every call: `host:port`, over UDP. */
  readonly callee: string;
}

export interface Kamailio {
  /** For UDP and TCP. */
  readonly port: number;
  stop(): Promise<void>;
}

/**
 * Starts Kamailio as a carrier's edge proxy: it adds itself to the route of every call (Record-Route), relays in both
 * directions, and answers OPTIONS itself. Resolves once it listens.
 */
export async function startKamailio({ callee }: KamailioOptions): Promise<Kamailio> {
  const port = await freePort();
  const folder = await mkdtemp(join(tmpdir(), 'outdial-kamailio-'));
  const file = join(folder, 'kamailio.cfg');
  await writeFile(file, configOf(port, callee));
  // In the foreground, with little memory, and with all its files in its own folder.
  const args = ['-f', file, '-DD', '-E', '-m', '32', '-M', '4', '-w', folder, '-Y', folder];
  const child = spawn('kamailio', args, { cwd: folder, stdio: 'ignore' });
  const exited = once(child, 'exit');
  await listens(port, 'tcp', () => child.exitCode !== null);
  return {
    port,
    stop: async () => {
      child.kill('SIGTERM');
      await exited;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function configOf(port: number, callee: string): string {
  return `#!KAMAILIO
debug=0
log_stderror=yes
children=1
tcp_children=1
auto_aliases=no
listen=udp:127.0.0.1:${port}
listen=tcp:127.0.0.1:${port}

loadmodule "tm.so"
loadmodule "sl.so"
loadmodule "rr.so"
loadmodule "pv.so"
loadmodule "maxfwd.so"
loadmodule "textops.so"
loadmodule "siputils.so"

request_route {
  if (!mf_process_maxfwd_header("10")) {
    sl_send_reply("483", "Too Many Hops");
    exit;
  }
  if (is_method("OPTIONS") && uri==myself && $rU==$null) {
    sl_send_reply("200", "Alive");
    exit;
  }
  if (is_method("CANCEL")) {
    if (t_check_trans()) t_relay();
    exit;
  }
  if (has_totag()) {
    if (loose_route()) {
      t_relay();
      exit;
    }
    if (is_method("ACK")) {
      if (t_check_trans()) t_relay();
      exit;
    }
    sl_send_reply("404", "Not here");
    exit;
  }
  t_check_trans();
  record_route();
  $du = "sip:${callee};transport=udp";
  t_relay();
}
`;
}
