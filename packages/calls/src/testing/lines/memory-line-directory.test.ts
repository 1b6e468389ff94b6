import { newCallId } from '../ids.ts';
import { describeLineDirectory } from './describe-line-directory.ts';
import { lineOf } from './lines.ts';
import { MemoryLineDirectory } from './memory-line-directory.ts';

describeLineDirectory('in memory', async () => {
  const directory = new MemoryLineDirectory();
  const [a, b] = [lineOf('a', 1), lineOf('b', 2)];
  return {
    directory,
    async conducted() {
      const callId = newCallId();
      directory.lines.set(callId, [a, b]);
      const fallback = { model: { component: 'llm', credentialId: 'spare', model: 'gpt' }, line: b } as const;
      directory.fallbacks.set(callId, fallback);
      return { callId, lines: [a, b], fallback };
    },
    async sharing() {
      const callId = newCallId();
      directory.lines.set(callId, [a, a]);
      return { callId, line: a };
    },
    goAway: async () => void (directory.away = true),
    close: async () => undefined,
  };
});
