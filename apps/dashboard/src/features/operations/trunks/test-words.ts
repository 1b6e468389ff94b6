import type { OperatedTrunkBody } from '@outdial/contracts';
import type { Tone } from '../../../shared/words/tone.ts';
import { isUnderTest } from './queries.ts';

export interface TestLine {
  readonly key: string;
  readonly tone: Tone;
  readonly words: string;
}

/** The results of a trunk's latest test, one line per worker. */
export function testLines(trunk: OperatedTrunkBody): readonly TestLine[] {
  const { test } = trunk;
  if (test === null) return [];
  if (test.results.length === 0) {
    const words = isUnderTest(trunk) ? 'Waiting for a worker…' : 'No SIP worker ran the test.';
    return [{ key: 'none', tone: isUnderTest(trunk) ? 'active' : 'warning', words }];
  }
  return test.results.map(({ worker_id: key, state, detail, took_ms: tookMs }) => {
    switch (state) {
      case 'asking':
        return { key, tone: 'active', words: 'Waiting for a response (up to 32 s)…' };
      case 'answered':
        return { key, tone: 'good', words: `Answered in ${tookMs ?? 0} ms (${detail ?? 'OPTIONS'})` };
      case 'silent':
        return { key, tone: 'bad', words: 'No response to OPTIONS' };
      case 'unsent':
        return { key, tone: 'bad', words: `Not sent: ${detail ?? 'no address'}` };
      default:
        return state satisfies never;
    }
  });
}
