import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { freePort } from '../free-port.ts';
import { toneWav } from './tone-wav.ts';
import { LOCALHOST_IDENTITY } from './tls-identity.ts';

/** A telephone that answers every call at once and plays a tone, for a minute. */
export interface Baresip {
  /** `sip:localhost:5062`: its certificate is for that name, by the authority of `LOCALHOST_IDENTITY`. */
  readonly uri: string;
  stop(): Promise<void>;
}

export interface BaresipOptions {
  /** Whom it answers for. Everybody else is not found. */
  readonly number: string;
  readonly transport: 'udp' | 'tcp' | 'tls';
  readonly toneHz: number;
}

const TONE_SECONDS = 60;
const MODULES = '/usr/lib/baresip/modules';

/** Answers when this resolves. */
export async function startBaresip({ number, transport, toneHz }: BaresipOptions): Promise<Baresip> {
  const port = await freePort();
  const folder = await mkdtemp(join(tmpdir(), 'outdial-baresip-'));
  const identity = join(folder, 'identity.pem');
  await writeFile(identity, `${LOCALHOST_IDENTITY.key}${LOCALHOST_IDENTITY.certificate}`);
  const sound = join(folder, 'tone.wav');
  await writeFile(sound, toneWav(toneHz, TONE_SECONDS));
  await writeFile(join(folder, 'config'), configOf({ port, sound, identity }));
  await writeFile(
    join(folder, 'accounts'),
    `<sip:${number}@127.0.0.1;transport=${transport}>;regint=0;answermode=auto;audio_codecs=PCMU\n`,
  );
  const child = spawn('baresip', ['-f', folder], { stdio: ['ignore', 'pipe', 'pipe'] });
  const exited = once(child, 'exit');
  const ready = new Promise<void>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (line.includes('baresip is ready')) resolve();
    });
    void exited.then(() => reject(new Error('baresip ended before it was ready')));
  });
  // What it complains of is read away: a full pipe would stop it.
  child.stderr.resume();
  await ready;
  return {
    uri: `sip:localhost:${transport === 'tls' ? port + 1 : port}`,
    async stop() {
      child.kill('SIGKILL');
      await exited;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

interface Config {
  readonly sound: string;
  readonly port: number;
  readonly identity: string;
}

/** For TLS it takes the port after the one that it is told. */
function configOf({ port, sound, identity }: Config): string {
  return [
    `sip_listen 127.0.0.1:${port}`,
    `sip_certificate ${identity}`,
    'call_local_timeout 120',
    'call_max_calls 4',
    `audio_source aufile,${sound}`,
    'net_interface 127.0.0.1',
    'audio_player aubridge,nobody',
    'audio_alert aubridge,nobody',
    'rtp_ports 27000-27099',
    `module_path ${MODULES}`,
    ...['g711.so', 'aufile.so', 'aubridge.so'].map((name) => `module ${name}`),
    'module_tmp account.so',
    '',
  ].join('\n');
}
