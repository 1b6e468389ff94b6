export { speakWithEspeak, INDEPENDENT_VOICES, type IndependentVoice } from './espeak.ts';
export { concat, silence } from './sounds.ts';
