import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { freePort } from '../free-port.ts';
import { openBaresipControl } from './baresip-control.ts';
import { fromWav, toWav } from './sound-file.ts';
import { LOCALHOST_IDENTITY } from './tls-identity.ts';

/** A telephone that answers every call at once and plays a sound, then silence, for two minutes. */
export interface Baresip {
  /** `sip:localhost:5062`: its certificate is for that name, signed by the authority of `LOCALHOST_IDENTITY`. */
  readonly uri: string;
  /** Resolves once a call is connected. */
  talks(): Promise<void>;
  /** Resolves with the first key that the far end presses. */
  hearsKey(): Promise<string>;
  /** Presses a key in its call. */
  press(key: string): Promise<void>;
  hangUp(): Promise<void>;
  /**
   * Ends it, and returns the sound that it received in its only call: 8 kHz, without the silence before the first
   * packet.
   */
  heard(): Promise<Int16Array>;
  stop(): Promise<void>;
}

export interface BaresipOptions {
  /** The number that it answers for. Calls to other numbers get 404. */
  readonly number: string;
  readonly transport: 'udp' | 'tcp' | 'tls';
  /** 8 kHz. */
  readonly plays: Int16Array;
}

const LASTS_SAMPLES = 120 * 8_000;
const MODULES = '/usr/lib/baresip/modules';

/** Resolves once it answers calls. */
export async function startBaresip({ number, transport, plays }: BaresipOptions): Promise<Baresip> {
  const [port, controlPort] = [await freePort(), await freePort()];
  const folder = await mkdtemp(join(tmpdir(), 'outdial-baresip-'));
  const files = {
    identity: join(folder, 'identity.pem'),
    sound: join(folder, 'sound.wav'),
    dumps: join(folder, 'dumps'),
  };
  await mkdir(files.dumps);
  await writeFile(files.identity, `${LOCALHOST_IDENTITY.key}${LOCALHOST_IDENTITY.certificate}`);
  // At the end of its file it would stop sending, and the far end would consider the call dead.
  const sound = new Int16Array(Math.max(LASTS_SAMPLES, plays.length));
  sound.set(plays);
  await writeFile(files.sound, toWav(sound));
  await writeFile(join(folder, 'config'), configOf({ port, controlPort, ...files }));
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
  // Drains stderr: a full pipe would block it.
  child.stderr.resume();
  await ready;
  const control = await openBaresipControl(controlPort);
  return {
    uri: `sip:localhost:${transport === 'tls' ? port + 1 : port}`,
    async talks() {
      await control.until(({ type }) => type === 'CALL_ESTABLISHED');
    },
    hearsKey: async () => (await control.until(({ type }) => type === 'CALL_DTMF_START')).param,
    press: (key) => control.tell('sndcode', key),
    hangUp: () => control.tell('hangup'),
    async heard() {
      // Its files are complete once it has exited.
      child.kill('SIGTERM');
      await exited;
      const dumps = (await readdir(files.dumps)).filter((name) => name.endsWith('-dec.wav'));
      if (dumps.length !== 1) throw new Error(`baresip had ${dumps.length} calls with sound instead of one`);
      return fromWav(await readFile(join(files.dumps, dumps.join())));
    },
    async stop() {
      child.kill('SIGKILL');
      await exited;
      control.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

interface Config {
  readonly port: number;
  readonly controlPort: number;
  readonly identity: string;
  readonly sound: string;
  readonly dumps: string;
}

/** For TLS it listens on the configured port plus one. */
function configOf({ port, controlPort, identity, sound, dumps }: Config): string {
  return [
    `sip_listen 127.0.0.1:${port}`,
    `sip_certificate ${identity}`,
    'call_local_timeout 120',
    'call_max_calls 4',
    `audio_source aufile,${sound}`,
    'net_interface 127.0.0.1',
    'audio_player aubridge,nobody',
    'audio_alert aubridge,nobody',
    // Without its jitter buffer it records every received packet, even on a machine that stalls.
    'jitter_buffer_delay 0-0',
    'rtp_ports 27000-27099',
    `ctrl_tcp_listen 127.0.0.1:${controlPort}`,
    `snd_path ${dumps}`,
    `module_path ${MODULES}`,
    ...['g711.so', 'aufile.so', 'aubridge.so', 'sndfile.so'].map((name) => `module ${name}`),
    'module_tmp account.so',
    ...['menu.so', 'ctrl_tcp.so'].map((name) => `module_app ${name}`),
    '',
  ].join('\n');
}
