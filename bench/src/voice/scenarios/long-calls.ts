import { percentile, type Figure } from '../../report.ts';
import { echoDelayMs } from '../echo-delay.ts';
import { parseRecording, SAMPLES_PER_MS, type Recording } from '../recording.ts';
import { NUMBERS, type VoiceStage } from '../stage.ts';
import { sampleMemory, settledPart, slopeOf } from '../memory-growth.ts';

const CALLS = 10;
const PER_SECOND = 5;
/** A leak of this rate would take a day to fill a gigabyte. */
const FLAT_KB_PER_MINUTE = 750;
const DRIFT_WINDOWS = 30;

/** The longest calls: growth of the worker's memory, and drift between the two sides of a recording. */
export async function measureLongCalls(
  stage: VoiceStage,
  say: (text: string) => void,
  { minutes }: { readonly minutes: number },
): Promise<Figure[]> {
  const callIds = await stage.talk({ count: CALLS, perSecond: PER_SECOND, toNumber: NUMBERS.echo, agent: 'talker' });
  say(`${CALLS} calls talk for ${minutes} minutes`);
  const samples = await sampleMemory(stage.worker, minutes * 60_000);
  await stage.end(callIds);
  const drifts: number[] = [];
  let checked = 0;
  for (const callId of callIds) {
    await stage.api.ended(callId);
    const recording = parseRecording(await stage.api.recording(callId));
    const delays = echoDelaysMs(recording);
    checked += delays.length;
    drifts.push(driftMs(delays));
  }
  const settled = settledPart(samples);
  const [first, last] = [settled[0]?.rssKb ?? NaN, settled.at(-1)?.rssKb ?? NaN];
  const name = `${CALLS} calls × ${minutes} minutes`;
  return [
    {
      name: `${name}: growth of the worker’s memory`,
      value: slopeOf(settled),
      unit: 'KB per minute',
      goal: { atMost: FLAT_KB_PER_MINUTE },
      absolute: { 'from MB': first / 1_024, 'to MB': last / 1_024, samples: settled.length },
    },
    {
      name: `${name}: drift between the two sides, worst call`,
      value: Math.max(...drifts),
      unit: 'ms',
      goal: { atMost: 20 },
      absolute: { 'median ms': percentile(drifts, 0.5), 'echoes found': checked },
    },
  ];
}

/** The echo's delays, from the beginning of the call to its end. */
function echoDelaysMs(recording: Recording): readonly number[] {
  const lengthMs = recording.agent.length / SAMPLES_PER_MS;
  return Array.from({ length: DRIFT_WINDOWS }, (_, nth) => ((nth + 0.5) * lengthMs) / DRIFT_WINDOWS).flatMap((atMs) => {
    const delayMs = echoDelayMs(recording, atMs);
    return delayMs === null ? [] : [delayMs];
  });
}

/**
 * The smallest echo delay in the last third of the call minus that in the first. After a stall the jitter buffers of
 * both ends delay sound for some seconds and then recover, which shows how busy the machine was. Sides that drift
 * apart never recover.
 */
function driftMs(delaysMs: readonly number[]): number {
  const third = Math.floor(delaysMs.length / 3);
  if (third === 0) throw new Error('a recording contains no echo');
  return Math.abs(Math.min(...delaysMs.slice(-third)) - Math.min(...delaysMs.slice(0, third)));
}
