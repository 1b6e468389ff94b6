export type { RequestEndpoint, ServedEndpoints } from './http/endpoints.ts';
export { createProviderLedger, type LedgerEntry, type ProviderLedger } from './ledger.ts';
export {
  createSimulatedProviders,
  type ProviderTimings,
  type SimulatedProviders,
  type SimulatedProvidersInput,
} from './simulated-providers.ts';
export { createEars, UNRECOGNISED, type Ears, type KnownSentence } from './speech/ears.ts';
export { decodeUlaw, encodeUlaw } from './speech/ulaw.ts';
export type { RealtimeServerInput, RealtimeTimings } from './realtime-input.ts';
export { serveRealtime } from './serve-realtime.ts';
export type { Prompt, Reply, Role, Rule, Script } from './script.ts';
export type { SpeakText } from './voice.ts';
