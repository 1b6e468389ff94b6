export type { ProviderAccess } from './cascade/connection.ts';
export { aiSdkModel, type AiSdkInput, type AiSdkSettings } from './cascade/llm/ai-sdk/ai-sdk-model.ts';
export type { LanguageModel } from './cascade/llm/language-model.ts';
export { SharedChecks } from './cascade/llm/shared-checks.ts';
export {
  openAiCompatibleModel,
  type OpenAiCompatibleInput,
  type OpenAiCompatibleSettings,
} from './cascade/llm/openai-compatible/openai-compatible.ts';
export { openCascadeMind, type CascadeMindInput } from './cascade/open-cascade-mind.ts';
export { deepgramFlux, type DeepgramFluxSettings } from './cascade/stt/deepgram/deepgram-flux.ts';
export { localEars, type LocalEarsSettings } from './cascade/stt/local/local-ears.ts';
export { localVoice, type LocalVoiceSettings } from './cascade/tts/local/local-voice.ts';
export type { LocalAccess } from './cascade/local/local-server.ts';
export { deepgramNova, type DeepgramNovaSettings } from './cascade/stt/deepgram/deepgram-nova.ts';
export type { OpenSpeechToText } from './cascade/stt/speech-to-text.ts';
export { cartesia, type CartesiaSettings } from './cascade/tts/cartesia/cartesia.ts';
export { deepgramSpeech, type DeepgramSpeechSettings } from './cascade/tts/deepgram/deepgram-speech.ts';
export { elevenLabs, type ElevenLabsSettings } from './cascade/tts/elevenlabs/elevenlabs.ts';
export type { OpenTextToSpeech, TextToSpeech } from './cascade/tts/text-to-speech.ts';
export type {
  HistoryItem,
  Mind,
  MindComponent,
  MindEvent,
  ProviderFailure,
  ProviderFailureKind,
  UsageEntry,
  UsageUnit,
} from './mind.ts';
export { openGeminiMind, type GeminiMindInput } from './realtime/gemini/gemini-mind.ts';
export type { GeminiLiveSettings, GeminiTurnDetection } from './realtime/gemini/settings.ts';
export { azureDialect } from './realtime/openai/dialects/azure.ts';
export type { RealtimeDialect } from './realtime/openai/dialects/dialect.ts';
export { openAiDialect } from './realtime/openai/dialects/openai.ts';
export { xaiDialect } from './realtime/openai/dialects/xai.ts';
export { openOpenAiLiveMind, type OpenAiLiveMindInput } from './realtime/openai-live/openai-live-mind.ts';
export type { OpenAiLiveSettings } from './realtime/openai-live/settings.ts';
export { openOpenAiMind, type OpenAiMindInput } from './realtime/openai/openai-mind.ts';
export type { OpenAiRealtimeSettings, OpenAiTurnDetection } from './realtime/openai/settings.ts';
export { CallReadyLimit, WHILE_RINGING_MS } from './ready-limit.ts';
export { openReconnectingMind, type ReconnectingMindInput } from './reconnecting-mind.ts';
export type { OpenConnection } from './connections.ts';
export { createSockets, type OpenSocket, type SocketOptions } from './sockets.ts';
export { openGeminiTextMind, type GeminiTextMindInput } from './text/gemini-text-mind.ts';
export { openLlmTextMind, type LlmTextMindInput } from './text/llm-text-mind.ts';
export { openOpenAiLiveTextMind, type OpenAiLiveTextMindInput } from './text/openai-live-text-mind.ts';
export { openRealtimeTextMind, type RealtimeTextMindInput } from './text/realtime-text-mind.ts';
export type { TextMind, TextMindEvent } from './text/text-mind.ts';
export type { Tool } from './tool.ts';
export { parseArguments, type ToolArguments } from './tools/arguments.ts';
export { createAccountBoundRunner } from './tools/account-bound-runner.ts';
export { createHttpToolRunner } from './tools/http-tool-runner.ts';
export { createMcpToolRunner } from './tools/mcp-tool-runner.ts';
export { createRunnerByType } from './tools/run-by-type.ts';
export type { McpTool, OutsideTool, ToolOutcome, ToolRun, ToolRunner } from './tools/tool-runner.ts';
