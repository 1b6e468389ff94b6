import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { claimRtpPorts, serviceArgs } from '@outdial/testkit';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** The far end of the calls, in its own process, with its own RTP ports. */
export interface ChildCallee {
  /** As a trunk names it, over UDP and TCP. */
  readonly uri: string;
  /** 0 without TLS. */
  readonly tlsPort: number;
  close(): Promise<void>;
}

/** @throws if it exits before it answers calls. */
export async function startChildCallee(environment: Readonly<Record<string, string>>): Promise<ChildCallee> {
  const rtpPorts = await claimRtpPorts();
  const child = spawn(process.execPath, serviceArgs('apps/callee/src/main.ts'), {
    cwd: ROOT,
    env: {
      PATH: process.env['PATH'],
      OUTDIAL_CALLEE_SIP_PORT: '0',
      OUTDIAL_CALLEE_RTP_PORTS: rtpPorts.range,
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<void>((resolve) => void child.once('close', () => resolve()));
  const ports = await new Promise<{ readonly sip: number; readonly tls: number }>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (text) => {
      const line: { readonly msg?: unknown; readonly sipPort?: unknown; readonly sipTlsPort?: unknown } =
        JSON.parse(text);
      if (line.msg === 'answering calls') resolve({ sip: Number(line.sipPort), tls: Number(line.sipTlsPort) });
    });
    void ended.then(() => reject(new Error('the callee ended before it answered calls')));
  });
  return {
    uri: `sip:127.0.0.1:${ports.sip}`,
    tlsPort: ports.tls,
    async close() {
      child.kill('SIGTERM');
      await ended;
      await rtpPorts.release();
    },
  };
}
