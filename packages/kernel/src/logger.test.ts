import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { correlateWithTraces, createLogger } from './logger.ts';

function captured() {
  let output = '';
  const destination = new Writable({
    write(chunk: Buffer, _encoding, done) {
      output += chunk.toString();
      done();
    },
  });
  return { logger: createLogger({ name: 'test', level: 'info', destination }), output: () => output };
}

describe('the log', () => {
  it('masks telephone numbers', () => {
    const { logger, output } = captured();
    logger.info({ calleeNumber: '+12025550143', callerNumber: '+442071838750' }, 'call accepted');
    expect(output()).toContain('+120•••43');
    expect(output()).not.toMatch(/12025550143|442071838750/);
  });

  it('never contains a key, wherever it appears', () => {
    const { logger, output } = captured();
    logger.info({ apiKey: 'od_live_secret', request: { authorization: 'Bearer od_live_secret' } }, 'request');
    logger.error({ err: new Error('no such key od_live_secret for +12025550143') }, 'failed');
    expect(output()).not.toMatch(/od_live_secret|12025550143/);
  });

  it('never contains a provider’s key, in a header or in a URL', () => {
    const { logger, output } = captured();
    for (const name of ['authorization', 'api-key', 'x-api-key', 'xi-api-key', 'x-goog-api-key']) {
      logger.info({ headers: { [name]: 'canary' }, request: { headers: { [name]: 'canary' } } }, 'request');
    }
    logger.error({ err: new Error('GET https://models.example.com/v1?alt=sse&key=canary&x=1 failed') }, 'failed');
    expect(output()).not.toContain('canary');
    expect(output()).toContain('alt=sse&key=•••&x=1');
  });

  it('contains the code and the text of an error, and none of its other properties', () => {
    const { logger, output } = captured();
    const refused = Object.assign(new Error('rejected by a column check'), {
      code: '23514',
      detail: 'Failing row contains (+12025550143, od_live_secret, {"patient": "Ann"}).',
      meta: { cause: { originalMessage: 'Key (e164)=(+442071838750) already exists.' } },
    });
    const several = new AggregateError([refused, new Error('no answer from +12025550143')], 'neither write succeeded', {
      cause: refused,
    });
    logger.error({ err: refused }, 'write failed');
    logger.error({ err: several }, 'write failed');
    logger.error({ err: 'no such key od_live_secret' }, 'write failed');
    expect(output()).not.toMatch(/12025550143|442071838750|od_live_secret|Ann/);
    const [first, second] = output().trim().split('\n');
    expect(first).toContain('"code":"23514"');
    expect(second).toContain('rejected by a column check');
    expect(second).toContain('no answer from +120•••43');
  });

  it('has the trace of the call that a line or its logger names, and of no other', () => {
    const { logger, output } = captured();
    logger.info({ callId: 'a' }, 'before');
    correlateWithTraces(logger, (callId) => (callId === 'a' ? 'trace-of-a' : undefined));
    const ofCall = logger.child({ callId: 'a' });
    ofCall.info('a line of a child');
    ofCall.child({ legId: 'b' }).info({ event: 'call.ended' }, 'a line of a grandchild');
    logger.info({ callId: 'a' }, 'a line that names the call');
    logger.info({ callId: 'b' }, 'another call');
    logger.info('no call');
    const lines: readonly unknown[] = output()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.map((line) => Object(line).trace_id)).toEqual([
      undefined,
      'trace-of-a',
      'trace-of-a',
      'trace-of-a',
      undefined,
      undefined,
    ]);
    expect(lines[2]).toMatchObject({ event: 'call.ended', callId: 'a', legId: 'b' });
  });

  it('contains the time in UTC, the level and the process', () => {
    const { logger, output } = captured();
    logger.info('started');
    const line: unknown = JSON.parse(output());
    expect(line).toMatchObject({ level: 'info', name: 'test', msg: 'started', time: expect.stringMatching(/Z$/) });
  });
});
