import { createLogger } from '@outdial/kernel';
import { fakeClock } from '@outdial/testkit';
import { expect, test } from 'vitest';
import { createRecordingAlarm } from './alarm.ts';

interface Line {
  readonly level: string;
  readonly msg: string;
  readonly recording: string;
  readonly othersSinceLast: number;
}

function openAlarm() {
  const clock = fakeClock();
  const lines: Line[] = [];
  const destination = { write: (line: string) => void lines.push(JSON.parse(line)) };
  const logger = createLogger({ name: 'test', level: 'info', destination });
  return { clock, lines, alarm: createRecordingAlarm({ logger, clock }) };
}

const full = () => Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });

test('a full disk is logged once, however many calls lose their recording', () => {
  const { lines, alarm } = openAlarm();
  for (let call = 0; call < 200; call += 1) alarm(full(), `ab/${call}.wav`);
  expect(lines).toEqual([expect.objectContaining({ level: 'error', recording: 'ab/0.wav', othersSinceLast: 0 })]);
  expect(lines[0]?.msg).toContain('the disk of the recordings is full');
});

test('it is logged again after a minute, with the number of failures in between', async () => {
  const { clock, lines, alarm } = openAlarm();
  for (let call = 0; call < 5; call += 1) alarm(full(), `ab/${call}.wav`);
  await clock.advance(60_000);
  alarm(full(), 'ab/later.wav');
  expect(lines.map(({ othersSinceLast }) => othersSinceLast)).toEqual([0, 4]);
});

test('another cause is logged at once', () => {
  const { lines, alarm } = openAlarm();
  alarm(full(), 'ab/1.wav');
  alarm(Object.assign(new Error('no'), { code: 'EACCES' }), 'ab/2.wav');
  alarm(new Error('the disk is too slow for the recording'), 'ab/3.wav');
  expect(lines.map(({ recording }) => recording)).toEqual(['ab/1.wav', 'ab/2.wav', 'ab/3.wav']);
});
