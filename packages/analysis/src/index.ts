export { analyzeNext } from './analyze-next.ts';
export { createChatCompletions } from './chat-completions.ts';
export { judge, type JudgeInput, type JudgeOutcome } from './judge.ts';
export {
  ANALYSIS_OUTCOMES,
  ANALYSIS_TIMINGS,
  type AnalysisDeps,
  type AnalysisTimings,
  type AnalysisTryOutcome,
  type ChosenCredential,
  type CredentialChooser,
  type CurrentPrices,
  type ProviderAccess,
} from './ports.ts';
export { requeueAnalyses, type RequeueAnalysesDeps } from './requeue-analyses.ts';
export { createShares, type Shares } from './shares.ts';
export { TextModelError, type OpenTextModel, type TextModel } from './text-model.ts';
