export {
  createSimulatedCarrier,
  type Dialled,
  type SimulatedCarrier,
  type SimulatedCarrierOptions,
  type SimulatedMedia,
} from './carrier/simulated-carrier.ts';
export { createMutedConversations, type MutedConversationsOptions } from './muted-conversations.ts';
export { Callee, type CalleeOptions } from './personas/callee.ts';
export { echo, hangsUpAfter } from './personas/load.ts';
export { interjects } from './personas/people.ts';
export type { CalleeSignal, Cue, Persona, Script, Step, StepEnd, TimedStep } from './personas/persona.ts';
export { createSoundBank, type Samples, type SoundBank, type SoundBankOptions } from './personas/sound-bank.ts';
export type { Sound, ToneSegment } from './personas/sounds.ts';
export { CALLEE_VOICE, createVoiceClips, VoiceClipError, VOICES_FOLDER } from './voices/voice-clips.ts';
export { ACCEPTS, TransferredCall } from './personas/transfer.ts';
export { personaAt, TEST_NUMBERS, type NumberTable } from './personas/test-numbers.ts';
