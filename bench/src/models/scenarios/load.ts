import { setTimeout as sleep } from 'node:timers/promises';
import type { CallBody } from '@outdial/contracts';
import { percentile, type Figure } from '../../report.ts';
import { INTERVAL_SECONDS } from '../../voice/call-processes.ts';
import { parseRecording, SAMPLES_PER_MS, type Recording } from '../../voice/recording.ts';
import { bargeInTimesMs, replyTimesMs } from '../../voice/turn-times.ts';
import { usageOf } from '../../voice/worker-watch.ts';
import type { AgentName } from '../agents.ts';
import { earlyEnds } from '../early-ends.ts';
import type { ModelsOptions } from '../options.ts';
import type { CallsToPlace, ModelsStage } from '../stage.ts';
import { readWorker } from '../../voice/threads.ts';
import { figuresOf, rowOf, type Measured } from './load-figures.ts';

/** One callee in so many talks over the agent. */
const ONE_TALKS_OVER = 10;
/**
 * The same calls twice in one worker: with scripted agents, then with agents that models conduct. The first shows what
 * telephony costs by itself, and takes the memory that every call needs.
 */
export async function measureLoad(
  driver: 'realtime' | 'cascade',
  stage: ModelsStage,
  options: ModelsOptions,
  say: (text: string) => void,
): Promise<Figure[]> {
  await stage.warmUp(driver);
  const scripted = await measureCalls(stage, 'scripted', options);
  say(`scripted: ${rowOf(scripted.measured)}`);
  await stage.end(scripted.talkingIds);
  say(`scripted: ended by themselves ${JSON.stringify(await stage.earlyEnds(scripted.placedIds))}`);
  const conducted = await measureCalls(stage, driver, options);
  say(`${driver}: ${rowOf(conducted.measured)}`);
  const replies: number[] = [];
  const bargeIns: number[] = [];
  const talked = await stage.end(conducted.talkingIds);
  for (const call of talked) {
    const recording = parseRecording(await stage.api.recording(call.id));
    // They break into the opening, and are the last to be placed: all others talk by then.
    if (conducted.talkingOverIds.includes(call.id)) bargeIns.push(...bargeInTimesMs(recording));
    else replies.push(...replyTimesMs(measuredPart(call, recording, conducted.measured)));
  }
  const name = `${driver}, ${options.calls} calls`;
  return [
    ...figuresOf({ driver, name, calls: options.calls, scripted: scripted.measured, conducted: conducted.measured }),
    timesFigure(`${name}: callee’s turn ends → agent’s first voiced sample, p95`, replies, 900),
    timesFigure(`${name}: barge-in: callee’s speech starts → last agent sample, p95`, bargeIns, 250),
    await earlyEnds(stage, name, conducted.placedIds),
  ];
}

function timesFigure(name: string, times: readonly number[], goalMs: number): Figure {
  const absolute = { times: times.length, 'p50 ms': percentile(times, 0.5), 'most ms': Math.max(...times) };
  return { name, value: percentile(times, 0.95), unit: 'ms', goal: { atMost: goalMs }, absolute };
}

async function measureCalls(stage: ModelsStage, agent: AgentName, { calls, seconds, profilesDir }: ModelsOptions) {
  const agentId = stage.account.agents[agent];
  const place = (count: number, persona: CallsToPlace['persona']) =>
    stage.talk({ agentIds: Array.from({ length: count }, () => agentId), persona });
  const overCount = agent === 'scripted' ? 0 : Math.ceil(calls / ONE_TALKS_OVER);
  const friendly = await place(calls - overCount, 'friendly');
  // Last, so that they interrupt while all others talk.
  const talkingOver = await place(overCount, 'talks_over');
  const isProfiled = profilesDir !== null && agent !== 'scripted';
  if (isProfiled) stage.worker.send('profile');
  const measured = await measure(stage, seconds);
  if (isProfiled) stage.worker.send('stop');
  return {
    placedIds: [...friendly.placedIds, ...talkingOver.placedIds],
    talkingIds: [...friendly.talkingIds, ...talkingOver.talkingIds],
    talkingOverIds: talkingOver.talkingIds,
    measured,
  };
}

async function measure({ worker, workerLog, callee, providers }: ModelsStage, seconds: number): Promise<Measured> {
  // Waits for the end of the burst of answers and of the interval that it fell into.
  await sleep(INTERVAL_SECONDS * 1_000);
  const first = await workerLog.nextSound();
  const others = () => Promise.all([usageOf(callee), usageOf(providers.process)]);
  const [calleeBefore, providersBefore] = await others();
  const before = await readWorker(worker, 'begin');
  const lines = await workerLog.sound(Math.max(1, Math.round(seconds / INTERVAL_SECONDS)));
  const after = await readWorker(worker, 'end');
  const [calleeAfter, providersAfter] = await others();
  const share = (micros: number) => micros / (after.atMs - before.atMs) / 10;
  return {
    before,
    after,
    latenessP99Ms: Math.max(...lines.map((line) => line.latenessP99Ms)),
    lost: (lines.at(-1) ?? first).lostPackets - first.lostPackets,
    calleeCore: share(calleeAfter.cpuMicros - calleeBefore.cpuMicros),
    providersCore: share(providersAfter.cpuMicros - providersBefore.cpuMicros),
  };
}

/** While all calls talked: neither while others were set up, nor while they ended. */
function measuredPart(
  { answered_at: answeredAt }: CallBody,
  { callee, agent }: Recording,
  { before, after }: Measured,
) {
  if (answeredAt === null) throw new Error('a call talked that was not answered');
  const sampleAt = (atMs: number) =>
    Math.max(0, Math.round(performance.timeOrigin + atMs - Date.parse(answeredAt))) * SAMPLES_PER_MS;
  const [from, until] = [sampleAt(before.atMs), sampleAt(after.atMs)];
  return { callee: callee.subarray(from, until), agent: agent.subarray(from, until) };
}
