import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { freePort } from '@outdial/testkit';
import { z } from 'zod';

const ADVICE =
  'The far end needs Linux, a C compiler and SIPp (Debian and Ubuntu: apt-get install build-essential sip-tester).';
/** SIPp judges each call by itself; no call of a benchmark may end SIPp. */
const WITHOUT_WATCHDOG = ['-watchdog_minor_threshold', '3600000', '-watchdog_major_threshold', '3600000'];

const reportSchema = z.object({
  calls: z.number(),
  packets: z.number(),
  lost: z.number(),
  latenessP50Ms: z.number(),
  latenessP99Ms: z.number(),
  latenessMostMs: z.number(),
});
/** What arrived since the report before; `calls`: so far. A packet is late against the one of its call that came soonest. */
export type FarEndReport = z.output<typeof reportSchema>;

/** Callees that answer at once and send the sound back: SIPp for the signaling, a C program for the sound. */
export interface FarEnd {
  readonly sipPort: number;
  /** Ends an interval. */
  report(): Promise<FarEndReport>;
  stop(): Promise<void>;
}

/** @throws Error that names what to install. */
export async function startFarEnd(folder: string): Promise<FarEnd> {
  const program = join(folder, 'echo');
  await promisify(execFile)('cc', ['-O2', '-o', program, here('echo.c')]).catch((cause: unknown) => {
    throw new Error(ADVICE, { cause });
  });
  const echo = spawn(program, { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: echo.stdout })[Symbol.asyncIterator]();
  const nextLine = async (): Promise<string> => {
    const { value, done } = await lines.next();
    if (done) throw new Error('the echo has ended');
    return value;
  };
  const echoPort = Number(await nextLine());
  const sipPort = await freePort();
  const sipp = await startSignaling({ folder, sipPort, echoPort }).catch(async (error: unknown) => {
    await ended(echo);
    throw error;
  });
  return {
    sipPort,
    async report() {
      echo.stdin.write('\n');
      return reportSchema.parse(JSON.parse(await nextLine()));
    },
    async stop() {
      await Promise.all([ended(sipp), ended(echo)]);
    },
  };
}

async function startSignaling(given: {
  readonly folder: string;
  readonly sipPort: number;
  readonly echoPort: number;
}): Promise<ChildProcess> {
  const { folder, sipPort, echoPort } = given;
  const scenario = ['-sf', here('answers.xml'), '-key', 'echo_port', String(echoPort), '-aa'];
  const local = ['-i', '127.0.0.1', '-p', String(sipPort), '-t', 'u1', '-nostdin'];
  const sipp = spawn('sipp', [...scenario, ...local, ...WITHOUT_WATCHDOG], {
    cwd: folder,
    stdio: 'ignore',
    env: { ...process.env, TERM: 'dumb' },
  });
  await once(sipp, 'spawn').catch((cause: unknown) => {
    throw new Error(ADVICE, { cause });
  });
  return sipp;
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
