export { createAgentsByDriver } from './agents-by-driver.ts';
export { holdsPhrase } from './model/barge-in.ts';
export { conductedTextsOf, HINTS } from './model/conducted-texts.ts';
export type { Act, FromMind, FromModelThread, MindLink, ToMind, ToModelThread } from './model/bridge.ts';
export { createMindLink, type PortMindLink } from './model/mind-link.ts';
export { createModelAgents, type ModelAgentsOptions } from './model/model-agents.ts';
export { createScriptedAgents, type ScriptedAgents, type ScriptedAgentsOptions } from './scripted/scripted-agents.ts';
export { SpeechError, type SpeechErrorCode } from './speech/speech-error.ts';
export { createSpeechSynthesizer, type FliteSynthesizer, type SpeechSynthesizerOptions } from './speech/synthesizer.ts';
