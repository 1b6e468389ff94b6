import type { SpeechSynthesizer } from '@outdial/calls';
import { scriptedSettingsSchema, type ScriptedSettings } from '@outdial/contracts';
import { createTurnDetector } from '../hearing/turn-detector.ts';
import { loadVoiceDetectors } from '../hearing/voice-detector.ts';
import { createScript, firstLines } from '../scripted/script.ts';
import { ScriptedAgent } from '../scripted/scripted-agent.ts';
import { startCall, type TestCall } from './conversation.ts';

/** Default script; tests change the parts that they are about. */
const REMINDER = {
  name: 'Reminder',
  first_message: 'Hello {{name}}, this is the clinic about your appointment on Monday.',
  lines: ['Please bring your documents, and come ten minutes early.'],
  menu: { '1': 'We will see you then.', '2': 'Please call our office to choose another day.' },
  closing: 'Goodbye.',
  voicemail_message: 'This is the clinic. Please call us back.',
  screening_reply: 'This is the clinic, calling about an appointment.',
};
export const VARIABLES = { name: 'Anna' };
export const FIRST_MESSAGE = 'Hello Anna, this is the clinic about your appointment on Monday.';

export type Changes = Partial<Record<keyof ScriptedSettings, unknown>>;

export const reminderWith = (changes: Changes = {}): ScriptedSettings =>
  scriptedSettingsSchema.parse({ ...REMINDER, ...changes });

/** Answered calls with all lines synthesized, so that a test depends on frames only. */
export async function scriptedCalls(speech: SpeechSynthesizer) {
  const createDetector = await loadVoiceDetectors();
  return async (changes: Changes = {}): Promise<{ readonly agent: ScriptedAgent; readonly callee: TestCall }> => {
    const script = createScript(reminderWith(changes), VARIABLES, speech);
    await Promise.all([...firstLines(script), ...script.steps].map((line) => line.prepare()));
    const agent = new ScriptedAgent({
      script,
      detector: createTurnDetector(createDetector()),
      onError: (error) => {
        throw error;
      },
      onFinished: () => {},
    });
    return { agent, callee: startCall(agent) };
  };
}
