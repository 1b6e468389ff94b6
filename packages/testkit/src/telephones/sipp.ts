import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../free-port.ts';
import { listens } from './listens.ts';

const SCENARIOS = new URL('../../sipp/', import.meta.url);

export interface SippOptions {
  /** A file of `sipp/`, without its extension. */
  readonly scenario: string;
  readonly transport: 'udp' | 'tcp';
  /** The status line that the refusing scenarios send. */
  readonly status?: string;
  readonly calls?: number;
  /** Values for `[name]` in the scenario. */
  readonly keys?: Readonly<Record<string, string>>;
  /** The port to call, on this machine; without it SIPp is the callee. */
  readonly calleePort?: number;
  /** After this time SIPp gives up. 60 s by default. */
  readonly patienceSeconds?: number;
  /** How long the callee of `hangs_up` talks. 200 ms by default. */
  readonly talkMs?: number;
  /** Datagrams are lost on the way. SIPp then runs until it is stopped. */
  readonly underLoss?: boolean;
}

export interface Sipp {
  readonly port: number;
  /** Resolves with 0 when every call followed the scenario; otherwise with SIPp's errors. */
  finished(): Promise<{ readonly code: number | null; readonly complaints: string }>;
  stop(): Promise<void>;
}

const PCMU = { format: '0', encoding: 'PCMU', dtmf: '101', note: 'Server: callee' };

/** Starts SIPp for the given number of calls. As the callee it listens once this resolves. */
export async function startSipp({
  scenario,
  transport,
  status = '486 Busy Here',
  calls = 1,
  keys = {},
  calleePort,
  underLoss = false,
  patienceSeconds = 60,
  talkMs = 200,
}: SippOptions): Promise<Sipp> {
  const port = await freePort();
  const folder = await mkdtemp(join(tmpdir(), 'outdial-sipp-'));
  const errors = join(folder, 'errors.log');
  const file = join(folder, 'scenario.xml');
  const written = await readFile(new URL(`${scenario}.xml`, SCENARIOS), 'utf8');
  // Lost messages are retransmitted: a callee that forgets a call at once would reject those as unexpected.
  const lingerMs = underLoss ? 32_000 : 300;
  // Without loss, a far end that is slow answers each retransmission later, when SIPp no longer expects that answer.
  const retransmitMs = underLoss ? 500 : 8_000;
  // SIPp reads these only from its scenario.
  const values = { status, linger: String(lingerMs), retransmit: String(retransmitMs), talk: String(talkMs) };
  await writeFile(
    file,
    written.replace(/@(status|linger|retransmit|talk)@/g, (_, name: keyof typeof values) => values[name]),
  );
  const local = ['-i', '127.0.0.1', '-p', String(port), '-mi', '127.0.0.1', '-t', transport === 'udp' ? 'u1' : 't1'];
  const limits = ['-nostdin', '-timeout', `${patienceSeconds}s`, '-timeout_error'];
  // A slow machine is not an error of a call.
  limits.push('-watchdog_minor_threshold', '3600000', '-watchdog_major_threshold', '3600000');
  // Without loss SIPp ends after so many calls; with loss, messages of a counted call may still be retransmitted.
  if (!underLoss) limits.push('-m', String(calls));
  const args = ['-sf', file, ...local, ...limits, '-trace_err', '-error_file', errors];
  for (const [name, value] of Object.entries({ ...PCMU, ...keys })) args.push('-key', name, value);
  if (calleePort !== undefined) args.push('-l', '50', '-r', '50', `127.0.0.1:${calleePort}`);
  const child = spawn('sipp', args, { cwd: folder, stdio: 'ignore', env: { ...process.env, TERM: 'dumb' } });
  const exited = once(child, 'exit');
  if (calleePort === undefined) await listens(port, transport, () => child.exitCode !== null);
  const cleanUp = () => rm(folder, { recursive: true, force: true });
  return {
    port,
    finished: async () => {
      await exited;
      const complaints = await readFile(errors, 'utf8').catch(() => '');
      await cleanUp();
      return { code: child.exitCode, complaints };
    },
    stop: async () => {
      child.kill('SIGKILL');
      await exited;
      await cleanUp();
    },
  };
}
