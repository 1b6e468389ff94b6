import { request } from 'node:http';
import { invariant } from '@outdial/kernel';

export interface HeldRequest {
  /** Sends the rest of the body, and returns the status of the answer. */
  finish(): Promise<number>;
}

/** Sends a request without the end of its body. Resolves once the server has started to process it. */
export function holdRequest(
  url: string,
  { path, headers, json }: { path: string; headers: Readonly<Record<string, string>>; json: unknown },
): Promise<HeldRequest> {
  const body = JSON.stringify(json);
  const sent = request(`${url}${path}`, {
    method: 'POST',
    headers: {
      ...headers,
      'Content-Type': 'application/json',
      'Content-Length': String(Buffer.byteLength(body)),
      Expect: '100-continue',
    },
  });
  const answered = new Promise<number>((resolve, reject) => {
    sent.once('error', reject);
    sent.once('response', (response) => {
      response.resume();
      invariant(response.statusCode !== undefined, 'an answer has a status');
      resolve(response.statusCode);
    });
  });
  return new Promise((resolve, reject) => {
    answered.catch(reject);
    sent.once('continue', () => {
      sent.write(body.slice(0, 1));
      resolve({
        finish() {
          sent.end(body.slice(1));
          return answered;
        },
      });
    });
    sent.flushHeaders();
  });
}
