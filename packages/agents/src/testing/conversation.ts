import {
  FRAME_MS,
  FRAME_SAMPLES,
  type AgentHangUp,
  type Frame,
  type VoiceAgent,
  type VoiceAgentEvent,
} from '@outdial/calls';
import type { CallFailure } from '@outdial/contracts';
import { concat, silence } from './sounds.ts';

/** One call from the callee's side: the test supplies the sound, and records what the agent does. */
export interface TestCall {
  readonly events: readonly VoiceAgentEvent[];
  /** Everything that the agent played so far, including silence. */
  readonly played: () => Int16Array;
  nowMs(): number;
  /** The agent played sound in the last frame. */
  agentSpeaks(): boolean;
  /** The callee speaks; the agent may talk at the same time. */
  say(sound: Int16Array): void;
  /** The callee is silent until the condition holds. Throws after `withinMs`. */
  waitUntil(condition: () => boolean, withinMs?: number): void;
  /** Silent until the agent has spoken and then been silent for `gapMs`. */
  hearOut(gapMs?: number): void;
  hungUp(): AgentHangUp | undefined;
  /** The failure that the agent reported when it hung up. */
  failure(): CallFailure | undefined;
  answeredBy(): readonly string[];
}

export function startCall(agent: VoiceAgent): TestCall {
  const events: VoiceAgentEvent[] = [];
  const played: Int16Array[] = [];
  let last: Frame | undefined;
  agent.listen((event) => events.push(event));

  function tick(heard: Frame): void {
    agent.hear(heard);
    last = agent.speak();
    played.push(last ?? silence(FRAME_MS));
  }

  const call: TestCall = {
    events,
    played: () => concat(...played),
    nowMs: () => played.length * FRAME_MS,
    agentSpeaks: () => last !== undefined,
    say(sound) {
      for (let at = 0; at < sound.length; at += FRAME_SAMPLES) {
        tick(concat(sound.subarray(at, at + FRAME_SAMPLES), silence(FRAME_MS)).subarray(0, FRAME_SAMPLES));
      }
    },
    waitUntil(condition, withinMs = 60_000) {
      for (let waitedMs = 0; !condition(); waitedMs += FRAME_MS) {
        if (waitedMs >= withinMs) throw new Error(`did not happen within ${withinMs} ms`);
        tick(silence(FRAME_MS));
      }
    },
    hearOut(gapMs = 400) {
      call.waitUntil(() => last !== undefined);
      let silentMs = 0;
      call.waitUntil(() => {
        silentMs = last === undefined ? silentMs + FRAME_MS : 0;
        return silentMs >= gapMs;
      });
    },
    hungUp: () => events.find((event) => event.kind === 'hang_up')?.reason,
    failure: () => events.find((event) => event.kind === 'hang_up')?.failure,
    answeredBy: () => events.flatMap((event) => (event.kind === 'answered_by' ? [event.answeredBy] : [])),
  };
  return call;
}
