import { request, type RequestOptions } from 'node:http';
import { homedir } from 'node:os';
import { join } from 'node:path';

const ANSWER_LIMIT_MS = 2_000;

/** Whether a Docker engine answers a ping. The client library takes half a minute to fail without one. */
export async function dockerEngineAnswers(): Promise<boolean> {
  for (const engine of engineAddresses()) if (await answersPing(engine)) return true;
  return false;
}

function engineAddresses(): readonly RequestOptions[] {
  const host = process.env['DOCKER_HOST'];
  if (host === undefined || host === '') {
    return ['/var/run/docker.sock', join(homedir(), '.docker/run/docker.sock')].map((socketPath) => ({ socketPath }));
  }
  const url = URL.canParse(host) ? new URL(host) : undefined;
  if (url?.protocol === 'unix:') return [{ socketPath: url.pathname }];
  return url?.protocol === 'tcp:' ? [{ hostname: url.hostname, port: url.port }] : [];
}

function answersPing(engine: RequestOptions): Promise<boolean> {
  return new Promise((resolve) => {
    const ping = request({ ...engine, path: '/_ping', timeout: ANSWER_LIMIT_MS }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    ping.on('timeout', () => ping.destroy());
    ping.on('close', () => resolve(false));
    ping.on('error', () => resolve(false));
    ping.end();
  });
}
