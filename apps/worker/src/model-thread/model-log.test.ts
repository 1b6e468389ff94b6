import { createLogger } from '@outdial/kernel';
import type { OpenSocket } from '@outdial/minds';
import { expect, test } from 'vitest';
import { loggedSockets, shapeOf } from './model-log.ts';

const KEY = 'sk-canary-4f2a9c7d1e';
const NUMBER = '+12025550143';
const ADDRESS = {
  url: `wss://api.example.com/${KEY}/v1?key=${KEY}&to=${NUMBER}`,
  headers: { authorization: KEY, [KEY]: 'x' },
};

function conversation(isOn: boolean) {
  const lines: string[] = [];
  const logger = createLogger({ name: 'test', level: 'info', destination: { write: (line) => void lines.push(line) } });
  const [sent, heard]: [unknown[], string[]] = [[], []];
  let listener: Parameters<OpenSocket>[1] | undefined;
  const open: OpenSocket = (_, given) => {
    listener = given;
    return { send: (data) => void sent.push(data), close: () => undefined };
  };
  const socket = loggedSockets(isOn ? logger : null, open)(ADDRESS, {
    opened: () => undefined,
    received: (text) => void heard.push(text),
    ended: () => undefined,
  });
  const texts = [
    JSON.stringify({
      type: 'session.update',
      session: { instructions: `Call ${NUMBER} with ${KEY}.`, [KEY]: 1, [NUMBER]: [NUMBER] },
    }),
    JSON.stringify({ type: KEY, [NUMBER]: Number(NUMBER) }),
    JSON.stringify({ type: NUMBER, deep: { a: { b: { c: { d: { e: KEY } } } } } }),
    JSON.stringify({ type: 'input_audio_buffer.append', audio: KEY }),
    `${KEY} ${NUMBER}`,
  ];
  for (const text of texts) {
    socket.send(text);
    listener?.received(text);
  }
  socket.send(Buffer.from(KEY));
  listener?.ended({ kind: 'refused', status: 401, retryAfter: null, body: `Incorrect API key provided: ${KEY}` });
  listener?.ended({ kind: 'closed', code: 1_008, reason: `${KEY} ${NUMBER}` });
  return { lines, sent, heard, texts };
}

test('no key, no number and no text of a conversation is in the log of its messages', () => {
  const { lines, texts, sent, heard } = conversation(true);
  const log = lines.join('');
  for (const secret of [KEY, 'canary', NUMBER, '12025550143', 'Call', 'Incorrect']) expect(log).not.toContain(secret);
  expect(log).toContain('"session.update"');
  // Sound is not logged: of five messages in each direction four are, and two ends.
  expect(lines).toHaveLength(4 + 4 + 2);
  expect([sent.length, heard]).toEqual([texts.length + 1, texts]);
});

test('without the log nothing is written, and everything is sent', () => {
  const { lines, texts, sent, heard } = conversation(false);
  expect(lines).toEqual([]);
  expect([sent.length, heard]).toEqual([texts.length + 1, texts]);
});

test('a shape has the names of events and fields, and the lengths of texts', () => {
  expect(shapeOf({ type: 'response.done', response: { id: 'resp_1', type: 'text', output: [1, true, null] } })).toEqual(
    {
      type: 'response.done',
      response: { id: 'text of 6', type: 'text of 4', output: ['number', 'boolean', 'null'] },
    },
  );
});
