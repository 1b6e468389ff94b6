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
export { openOpenAiMind, type OpenAiMindInput } from './realtime/openai/openai-mind.ts';
export type { OpenAiRealtimeSettings, OpenAiTurnDetection } from './realtime/openai/settings.ts';
export { openReconnectingMind, type ReconnectingMindInput } from './reconnecting-mind.ts';
export { createSockets, type OpenSocket, type SocketOptions } from './sockets.ts';
export type { Tool } from './tool.ts';
