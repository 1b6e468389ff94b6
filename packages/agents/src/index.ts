export { Playout, type PlayedItem } from './model/playout.ts';
export { createScriptedAgents, type ScriptedAgentsOptions } from './scripted/scripted-agents.ts';
export { SpeechError, type SpeechErrorCode } from './speech/speech-error.ts';
export { createSpeechSynthesizer, type FliteSynthesizer, type SpeechSynthesizerOptions } from './speech/synthesizer.ts';
