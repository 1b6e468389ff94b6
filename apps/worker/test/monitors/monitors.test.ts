import { once } from 'node:events';
import { randomUUID } from 'node:crypto';
import { parseLiveSound, type CallId, type LiveSound } from '@outdial/contracts';
import { connectForWaiting, createCallSoundSubscriptions } from '@outdial/queue';
import { createMonitorPlaces } from '@outdial/reservations';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { AT_REST, audit } from '../audit.ts';
import { openStage, type Stage } from '../stage.ts';

/** Talks back. */
const ANSWERS = '+12025550100';
const DIGITAL_SILENCE = 0xff;

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterEach(() => stage.stopWorkers());
afterAll(() => stage.close());

function listenTo(callId: CallId) {
  const redis = connectForWaiting(stage.redisUrl);
  const heard: LiveSound[] = [];
  createCallSoundSubscriptions({ redis }).follow(callId, (message) => {
    const sound = parseLiveSound(message);
    if (sound !== null) heard.push(sound);
    redis.emit('heard');
  });
  return {
    heard,
    async until(isEnough: () => boolean) {
      while (!isEnough()) await once(redis, 'heard');
    },
    close: () => redis.disconnect(),
  };
}

/** Whether a side (0: the callee) says something in it. */
const isHeard = (sound: LiveSound, side: 0 | 1) =>
  sound.kind === 'sound' && sound.ulaw.some((code, at) => at % 2 === side && code !== DIGITAL_SILENCE);

test('a member hears both sides of a live call, in order and in step, and that it is over; the call notices nothing', async () => {
  await stage.startWorker({ OUTDIAL_SIMULATED_SPEED: '4' });
  const places = createMonitorPlaces({ redis: stage.redis, places: 5 });
  const callId = await stage.place(ANSWERS, { patient: true });
  const monitor = listenTo(callId);
  await stage.until(callId, 'in_progress');
  const place = { accountId: stage.accountId, callId, monitor: randomUUID() };
  expect(await places.take(place)).toBe('taken');
  const { heard } = monitor;
  await monitor.until(() => [0, 1].every((side) => heard.some((sound) => isHeard(sound, side === 0 ? 0 : 1))));
  await stage.end(callId);
  await monitor.until(() => heard.at(-1)?.kind === 'over');
  const frames = heard.flatMap((sound) => (sound.kind === 'sound' ? [sound.firstFrame] : []));
  expect(frames.toSorted((one, other) => one - other)).toEqual(frames);
  expect(frames.every((frame, nth) => nth === 0 || (frame - (frames[0] ?? 0)) % 5 === 0)).toBe(true);
  expect((await stage.untilEnded(callId)).endedReason).toBe('hung_up_by_api');
  await expect.poll(() => audit(stage)).toEqual(AT_REST);
  monitor.close();
});

test('no sound of a call without a listening member leaves its worker', async () => {
  await stage.startWorker({ OUTDIAL_SIMULATED_SPEED: '20' });
  const callId = await stage.place(ANSWERS);
  const monitor = listenTo(callId);
  await stage.untilEnded(callId);
  expect(monitor.heard).toEqual([]);
  monitor.close();
});
