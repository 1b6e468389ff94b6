import { z } from 'zod';

/**
 * Why the agent of a call failed, for calls that end `agent_error`, and what to do about it. Customers see these texts:
 * they quote neither the call's texts nor anything of the platform.
 */
export const CALL_FAILURES = {
  text_unspeakable:
    'This text contains nothing that the agent’s voice can speak. Write it in Latin letters and digits, and check the variables of the call.',
  text_too_long:
    'With the variables of the call, this text is too long to speak at once. Split it, or send shorter variables.',
  speech_failed:
    'The agent’s speech could not be synthesized. Place the call again; if it keeps failing, ask your operator.',
  settings_unusable: 'The agent’s saved settings are no longer valid. Open the agent and save it again.',
  agent_failed: 'The agent failed during the call. Place the call again; if it keeps failing, ask your operator.',
} as const satisfies Record<string, string>;

export type CallFailureCode = keyof typeof CALL_FAILURES;

export interface CallFailure {
  readonly code: CallFailureCode;
  /** The text of the agent's settings that failed, such as `lines.2`. Null: none of them did. */
  readonly field: string | null;
}

export const callFailureCodes: readonly CallFailureCode[] = Object.keys(CALL_FAILURES).filter(isCallFailureCode);

/** False for a code that only a later version knows. */
export function isCallFailureCode(text: string): text is CallFailureCode {
  return Object.hasOwn(CALL_FAILURES, text);
}

export const callFailureSchema = z.strictObject({
  code: z.enum(callFailureCodes).describe('Which failure it was. Stable, for programs.'),
  message: z.string().describe('What happened and what to do about it, for people.'),
  field: z.string().nullable().describe('The text of the agent’s settings that failed, such as `lines.2`.'),
});
