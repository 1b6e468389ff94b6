export { dialRequest, settings } from './dial-request.ts';
export { MemoryRecordings } from './memory-recordings.ts';
export { frameAt, isLoud, loudStretches, tone, toneShare, toneSpeech } from './sounds.ts';
