import { setTimeout as sleep } from 'node:timers/promises';
import type { Figure } from '../../report.ts';
import { readJournal } from '../journal.ts';
import { INTERVAL_SECONDS, MOST_CALLS } from '../call-processes.ts';
import { NUMBERS, type VoiceStage } from '../stage.ts';
import { readWorker, rowOfWaits, waitsOf, type Reading } from '../threads.ts';
import type { SoundLine } from '../worker-watch.ts';

const STEP = 100;
const PER_SECOND = 20;
/** The log intervals that a figure covers. */
const INTERVALS = 6;
const LATEST_P99_MS = 10;

interface Measured {
  readonly calls: number;
  /** Of the worst interval. */
  readonly p99Ms: number;
  readonly p50Ms: number;
  readonly mostMs: number;
  readonly lost: number;
  readonly late: number;
  /** The worker's processor time per sent or received packet. */
  readonly microsPerPacket: number;
  readonly before: Reading;
  readonly after: Reading;
}

/**
 * Calls that talk without a pause, each echoed: both directions carry speech all the time, and both are recorded. The
 * worker's own histogram shows how late packets left; each side counts gaps in the other's packet numbers.
 */
export async function measureSimultaneous(
  stage: VoiceStage,
  say: (text: string) => void,
  { calls: count }: { readonly calls: number },
): Promise<Figure[]> {
  const calls = await talk(stage, count);
  const quiet = await measure(stage, count);
  say(rowOf(quiet));
  stage.worker.send('block');
  const blocked = await measure(stage, count);
  stage.worker.send('unblock');
  say(`with the main thread blocked: ${rowOf(blocked)}`);
  await stage.end(calls);
  const lost = await lostPackets(stage);
  const most = quiet.p99Ms <= LATEST_P99_MS && quiet.lost === 0 ? await ramp(stage, count, say) : 0;
  const name = `${count} simultaneous calls in one worker, both directions recorded`;
  const atMost = { atMost: LATEST_P99_MS };
  return [
    { name: `${name}: lost packets`, value: lost.all, unit: '', goal: { atMost: 0 }, absolute: lost.of },
    {
      name: `${name}: sent-packet lateness p99`,
      value: quiet.p99Ms,
      unit: 'ms',
      goal: atMost,
      absolute: partsOf(quiet),
    },
    {
      name: 'the same, main thread blocked 40 of every 200 ms: lateness p99',
      value: blocked.p99Ms,
      unit: 'ms',
      goal: atMost,
      absolute: partsOf(blocked),
    },
    {
      name: 'most calls at once within these bounds',
      value: most,
      unit: 'calls',
      goal: { atLeast: count },
      absolute: {},
    },
  ];
}

/** Adds calls until packets are lost or late, and returns the last good number. */
async function ramp(stage: VoiceStage, count: number, say: (text: string) => void): Promise<number> {
  const calls = await talk(stage, count);
  let most = count;
  try {
    while (calls.length < MOST_CALLS) {
      calls.push(...(await talk(stage, STEP)));
      const measured = await measure(stage, calls.length);
      say(rowOf(measured));
      if (measured.p99Ms > LATEST_P99_MS || measured.lost > 0 || measured.late > 0) break;
      most = calls.length;
    }
  } catch (error) {
    say(`${calls.length + STEP} calls could not be set up: ${error instanceof Error ? error.message : String(error)}`);
  }
  await stage.end(calls);
  return most;
}

const talk = (stage: VoiceStage, count: number): Promise<string[]> =>
  stage.talk({ count, perSecond: PER_SECOND, toNumber: NUMBERS.echo, agent: 'talker' });

async function measure(stage: VoiceStage, calls: number): Promise<Measured> {
  // Waits for the end of the burst of answers and of the interval that it fell into.
  await sleep(INTERVAL_SECONDS * 1_000);
  const first = await stage.workerLog.nextSound();
  const before = await readWorker(stage.worker, 'begin');
  const lines = await stage.workerLog.sound(INTERVALS);
  const after = await readWorker(stage.worker, 'end');
  const usedMicros = after.process.cpuMicros - before.process.cpuMicros;
  const last = lines.at(-1) ?? first;
  const worst = (of: (line: SoundLine) => number) => Math.max(...lines.map(of));
  const since = (of: (line: SoundLine) => number) => of(last) - of(first);
  const packets = since((line) => line.sentPackets + line.receivedPackets);
  return {
    calls,
    p99Ms: worst((line) => line.latenessP99Ms),
    p50Ms: worst((line) => line.latenessP50Ms),
    mostMs: worst((line) => line.latenessMostMs),
    lost: since((line) => line.lostPackets),
    late: since((line) => line.latePackets),
    microsPerPacket: usedMicros / packets,
    before,
    after,
  };
}

/** Of all calls so far, from their first packet to their last, by the far end's count. */
async function lostPackets(stage: VoiceStage) {
  const of = { packets: 0, 'to the callee': 0, 'from the callee': 0, 'late at the callee': 0 };
  for (const { rtp } of await readJournal(stage.journalPath)) {
    if (!rtp) continue;
    of.packets += rtp.sent + rtp.received;
    of['to the callee'] += rtp.lost;
    of['from the callee'] += rtp.lost_there ?? 0;
    of['late at the callee'] += rtp.late;
  }
  return { all: of['to the callee'] + of['from the callee'], of };
}

const partsOf = ({ p50Ms, mostMs, late, microsPerPacket, before, after }: Measured): Record<string, number> => ({
  'p50 ms': p50Ms,
  'most ms': mostMs,
  'late at the worker': late,
  'processor µs per packet': microsPerPacket,
  ...waitsOf(before, after),
});

const rowOf = (measured: Measured): string => {
  const { calls, p99Ms, p50Ms, mostMs, lost, late, microsPerPacket } = measured;
  const lateness = `lateness p50 ${p50Ms.toFixed(1)}, p99 ${p99Ms.toFixed(1)}, most ${mostMs.toFixed(1)} ms`;
  const cost = `${microsPerPacket.toFixed(1)} µs per packet; ${rowOfWaits(measured.before, measured.after)}`;
  return `${calls} calls: ${lateness}; lost ${lost}, late ${late}; ${cost}`;
};
