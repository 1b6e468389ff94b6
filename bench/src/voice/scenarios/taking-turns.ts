import { percentile, type Figure } from '../../report.ts';
import { parseRecording, type Recording } from '../recording.ts';
import { NUMBERS, type VoiceStage } from '../stage.ts';
import { bargeInTimesMs, replyTimesMs } from '../turn-times.ts';

const ROUNDS = 4;
/** All at once, half of them with a callee who interrupts. */
const CALLS = 20;
const PER_SECOND = 5;

/** Both figures are read from the API's recordings, sample by sample. */
export async function measureTakingTurns(stage: VoiceStage, say: (text: string) => void): Promise<Figure[]> {
  const replies: number[] = [];
  const bargeIns: number[] = [];
  for (let round = 1; round <= ROUNDS; round += 1) {
    const [polite, breakingIn] = await Promise.all([
      converse(stage, { toNumber: NUMBERS.friendly, agent: 'listener' }),
      converse(stage, { toNumber: NUMBERS.talks_over, agent: 'interrupted' }),
    ]);
    for (const recording of polite) replies.push(...replyTimesMs(recording));
    for (const recording of breakingIn) bargeIns.push(...bargeInTimesMs(recording));
    say(`round ${round}: ${replies.length} replies, ${bargeIns.length} interruptions`);
  }
  return [
    figure('barge-in: callee’s speech starts → last agent sample, p95', bargeIns, 300),
    figure('callee’s turn ends → agent’s first voiced sample, p95', replies, 900),
  ];
}

function figure(name: string, times: readonly number[], goalMs: number): Figure {
  const absolute = { times: times.length, 'p50 ms': percentile(times, 0.5), 'most ms': Math.max(...times) };
  return { name, value: percentile(times, 0.95), unit: 'ms', goal: { atMost: goalMs }, absolute };
}

async function converse(
  { api, agents }: VoiceStage,
  { toNumber, agent }: { readonly toNumber: string; readonly agent: 'listener' | 'interrupted' },
): Promise<readonly Recording[]> {
  const callIds: string[] = [];
  for (let call = 0; call < CALLS / 2; call += 1) {
    callIds.push(await api.place({ toNumber, agentId: agents[agent] }));
    await new Promise((resolve) => setTimeout(resolve, 1_000 / PER_SECOND));
  }
  const recordings: Recording[] = [];
  for (const callId of callIds) {
    const { ended_reason: reason } = await api.ended(callId);
    if (reason !== 'agent_hangup') throw new Error(`a conversation ended ${reason ?? 'without a reason'}`);
    recordings.push(parseRecording(await api.recording(callId)));
  }
  return recordings;
}
