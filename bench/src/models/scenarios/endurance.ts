import { setTimeout as sleep } from 'node:timers/promises';
import type { CallBody } from '@outdial/contracts';
import type { Figure } from '../../report.ts';
import { readWorker, type Reading } from '../../voice/threads.ts';
import { earlyEnds } from '../early-ends.ts';
import type { BilledTotals } from '../providers-process.ts';
import type { ModelsStage } from '../stage.ts';

const CALLS = 10;
/** A leak of this rate would take a day to fill a gigabyte. */
const FLAT_KB_PER_MINUTE = 768;
/** A starting process allocates memory once: growth after this share of the time is a leak. */
const SETTLED_SHARE = 1 / 3;
const MS_PER_MINUTE = 60_000;
const KB_PER_MB = 1_024;
const BYTES_PER_MB = 1_048_576;
const LEAST_SECOND = 0.001;
const MOST_PERCENT_BELOW_BILL = 1;

/** The longest calls, half of them of each kind: growth of the worker's memory, and usage against the providers' bill. */
export async function measureEndurance(
  stage: ModelsStage,
  minutes: number,
  say: (text: string) => void,
): Promise<Figure[]> {
  const { realtime, cascade } = stage.account.agents;
  const agentIds = Array.from({ length: CALLS }, (_, nth) => (nth % 2 === 0 ? realtime : cascade));
  const { placedIds, talkingIds } = await stage.talk({ agentIds, persona: 'friendly' });
  say(`${CALLS} calls talk for ${minutes} minutes`);
  await sleep(minutes * SETTLED_SHARE * MS_PER_MINUTE);
  const before = await readWorker(stage.worker, 'end');
  await sleep(minutes * (1 - SETTLED_SHARE) * MS_PER_MINUTE);
  const after = await readWorker(stage.worker, 'end');
  await stage.end(talkingIds);
  // The providers bill for calls that ended early, too.
  const calls = await Promise.all(placedIds.map((id) => stage.api.ended(id)));
  const used = usedBy(calls);
  const billed = await stage.providers.ledger();
  const name = `${CALLS} calls × ${minutes} minutes`;
  return [
    memoryGrowth(name, before, after),
    belowBill(`${name}: usage below the provider’s bill, ${UNITS.llmTokens}`, used.llmTokens, billed.llmTokens),
    ...(['realtimeTokens', 'sttSeconds', 'ttsCharacters'] as const).map((unit) =>
      difference(`${name}: usage against the provider’s bill, ${UNITS[unit]}`, used[unit], billed[unit]),
    ),
    await earlyEnds(stage, name, placedIds),
  ];
}

/**
 * What its threads hold after a collection. The resident memory says little: it swings by tens of megabytes with what is not
 * collected yet.
 */
function memoryGrowth(name: string, before: Reading, after: Reading): Figure {
  const heapMb = ({ threads }: Reading, of: string) =>
    (threads.find((thread) => thread.name === of)?.heapBytes ?? NaN) / BYTES_PER_MB;
  const names = after.threads.map((thread) => thread.name);
  const grownMb = names.reduce((sum, of) => sum + heapMb(after, of) - heapMb(before, of), 0);
  const heaps = names.flatMap((of) => [
    [`${of} from MB`, heapMb(before, of)] as const,
    [`${of} to MB`, heapMb(after, of)] as const,
  ]);
  return {
    name: `${name}: growth of what the worker’s threads hold`,
    value: (grownMb * KB_PER_MB) / ((after.atMs - before.atMs) / MS_PER_MINUTE),
    unit: 'KB per minute',
    goal: { atMost: FLAT_KB_PER_MINUTE },
    absolute: {
      ...Object.fromEntries(heaps),
      'resident from MB': before.process.rssBytes / BYTES_PER_MB,
      'resident to MB': after.process.rssBytes / BYTES_PER_MB,
    },
  };
}

const UNITS: Readonly<Record<keyof BilledTotals, string>> = {
  realtimeTokens: 'tokens of realtime models',
  llmTokens: 'tokens of language models',
  sttSeconds: 'seconds of speech to text',
  ttsCharacters: 'characters of text to speech',
};

/** A language model bills an answer that is cut, and reports nothing of it. The worker counts its words: never too many. */
function belowBill(name: string, used: number, billed: number): Figure {
  return {
    name,
    value: used > billed ? Infinity : ((billed - used) / billed) * 100,
    unit: '%',
    goal: { atMost: MOST_PERCENT_BELOW_BILL },
    absolute: { used, billed },
  };
}

function difference(name: string, used: number, billed: number): Figure {
  return {
    name,
    value: Math.abs(used - billed),
    unit: 'difference',
    // Seconds are sums of fractions.
    goal: { atMost: LEAST_SECOND },
    absolute: { used, billed },
  };
}

/** What the product counted in all calls, as the API shows it. */
function usedBy(calls: readonly CallBody[]): BilledTotals {
  const totals = { realtimeTokens: 0, llmTokens: 0, sttSeconds: 0, ttsCharacters: 0 };
  for (const { component, provider, unit, quantity } of calls.flatMap(({ usage }) => usage)) {
    if (component === 'llm') totals.llmTokens += quantity;
    else if (component === 'tts') totals.ttsCharacters += quantity;
    else if (component === 'stt' && provider === 'deepgram') totals.sttSeconds += quantity;
    // The transcription of a realtime model is billed in tokens, by the same provider.
    else if (unit.endsWith('_token')) totals.realtimeTokens += quantity;
  }
  return totals;
}
