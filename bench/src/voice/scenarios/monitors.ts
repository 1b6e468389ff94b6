import { randomUUID } from 'node:crypto';
import { accountIdSchema, callIdSchema, type CallId } from '@outdial/contracts';
import { connectForCommands, connectForWaiting, createCallSoundSubscriptions } from '@outdial/queue';
import { createMonitorPlaces, type MonitorPlace } from '@outdial/reservations';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Figure } from '../../report.ts';
import { INTERVAL_SECONDS } from '../call-processes.ts';
import { NUMBERS, type VoiceStage } from '../stage.ts';

const MONITORS = 20;
const ROUNDS = 3;
/** The log intervals of a turn. */
const INTERVALS = 2;
const PER_SECOND = 20;
const RENEW_EVERY_MS = 4_000;
const BATCHES_PER_SECOND = 10;

/**
 * How late packets leave while members listen to twenty of the calls, against the same calls without listeners. Both take
 * turns. The monitors hold leases and read Redis as an API process does.
 */
export async function measureMonitors(
  stage: VoiceStage,
  say: (text: string) => void,
  { calls: count }: { readonly calls: number },
): Promise<Figure[]> {
  const calls = await stage.talk({ count, perSecond: PER_SECOND, toNumber: NUMBERS.echo, agent: 'talker' });
  const heard = calls.slice(0, MONITORS).map((id) => callIdSchema.parse(id));
  const without: number[] = [];
  const withMonitors: number[] = [];
  const shares: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    without.push(await latenessOf(stage));
    const monitors = await listenTo(stage.stores.redisUrl, heard);
    withMonitors.push(await latenessOf(stage));
    shares.push(await monitors.stop());
    say(`lateness p99 without ${without.at(-1)}, with ${MONITORS} monitors ${withMonitors.at(-1)} ms`);
  }
  await stage.end(calls);
  const name = `${count} calls, members listen to ${heard.length} of them`;
  const differences = withMonitors.map((ms, round) => ms - (without[round] ?? 0));
  return [
    {
      name: `${name}: sent-packet lateness p99, difference`,
      value: medianOf(differences),
      unit: 'ms',
      goal: { atMost: 0.5 },
      absolute: { 'without ms': medianOf(without), 'with ms': medianOf(withMonitors) },
    },
    {
      name: `${name}: sound that arrived`,
      value: medianOf(shares) * 100,
      unit: '%',
      goal: { atLeast: 95 },
      absolute: {},
    },
  ];
}

/** The worst p99 of some intervals, the first of which begins now. */
async function latenessOf(stage: VoiceStage): Promise<number> {
  await sleep(INTERVAL_SECONDS * 1_000);
  await stage.workerLog.nextSound();
  const lines = await stage.workerLog.sound(INTERVALS);
  return Math.max(...lines.map(({ latenessP99Ms }) => latenessP99Ms));
}

/** `stop` returns the share of the sound that arrived. */
async function listenTo(redisUrl: string, calls: readonly CallId[]) {
  const [commands, sound] = [connectForCommands(redisUrl), connectForWaiting(redisUrl)];
  await Promise.all([once(commands, 'ready'), once(sound, 'ready')]);
  const places = createMonitorPlaces({ redis: commands, places: calls.length });
  const accountId = accountIdSchema.parse(randomUUID());
  const taken: readonly MonitorPlace[] = calls.map((callId) => ({ accountId, callId, monitor: randomUUID() }));
  const subscriptions = createCallSoundSubscriptions({ redis: sound });
  let batches = 0;
  const leave = calls.map((callId) => subscriptions.follow(callId, () => (batches += 1)));
  const take = () => Promise.all(taken.map((place) => places.take(place)));
  await take();
  const startedMs = performance.now();
  const renewal = setInterval(() => void take(), RENEW_EVERY_MS);
  return {
    async stop(): Promise<number> {
      clearInterval(renewal);
      const seconds = (performance.now() - startedMs) / 1_000;
      const share = batches / (seconds * BATCHES_PER_SECOND * calls.length);
      for (const end of leave) end();
      await Promise.all(taken.map((place) => places.leave(place)));
      commands.disconnect();
      sound.disconnect();
      return share;
    },
  };
}

function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
