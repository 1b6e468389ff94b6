import { z } from 'zod';
import { nameText } from '../name.ts';
import { cascadeSchema } from './cascade.ts';
import type { TextRules } from './conducted.ts';
import { realtimeSchema } from './realtime.ts';
import { checkOptOutKey, scriptedSchema } from './scripted.ts';
import { newSpokenText, newText, savedText } from './template-text.ts';

export type { AnalysisDataSchema } from './analysis-data.ts';
export type { AnalysisSettings } from './analysis.ts';
export type { CascadeSettings, SttChoice, TtsChoice } from './cascade.ts';
export { LLM_PROVIDERS, type LlmChoice } from './llm.ts';
export { COMPONENTS, COMPONENTS_OF, modelNeeds, type Component, type ModelNeed } from './model-needs.ts';
export { MCP_LIMITS, type ListedTool, type McpSource } from './mcp-source.ts';
export { OPT_OUT_CONFIRMATION } from './opt-out.ts';
export {
  GOOGLE_VOICES,
  NOISE_REDUCTIONS,
  OPENAI_LIVE_VOICES,
  OPENAI_VOICES,
  XAI_VOICES,
  type RealtimeModel,
  type RealtimeSettings,
} from './realtime.ts';
export { CALL_VARIABLES, conductedTexts, requiredVariables } from './required-variables.ts';
export { spokenTexts, VOICES, type ScriptedSettings, type SettingsText, type Voice } from './scripted.ts';
export type { AgentSettings, ConductedSettings } from './settings.ts';
export { parametersProblems, settingsProblems, UNSAFE_KEYWORDS } from './settings-problems.ts';
export { fillTemplate } from './template-text.ts';
export {
  secretNamesOf,
  secretUsesOf,
  OPT_OUT_TOOL,
  OWN_TOOL_NAMES,
  type HttpToolSettings,
  type ToolSettings,
  type TransferToolSettings,
} from './tools.ts';
export { TRANSFER_LIMITS, transferTargetOf, type TransferTarget } from './transfer-tool.ts';
export { parametersSchema } from './tool-parts.ts';

/** What conducts a call: a script, a speech-to-speech model, or a chain of three models. */
export const DRIVERS = ['scripted', 'realtime', 'cascade'] as const;
export type Driver = (typeof DRIVERS)[number];

const NEW_TEXTS: TextRules = { text: newText, spokenText: newSpokenText };
const SAVED_TEXTS: TextRules = { text: savedText, spokenText: savedText };

/** Settings from before there were drivers have none. */
function withDriver(settings: unknown): unknown {
  const isObject = typeof settings === 'object' && settings !== null && !Array.isArray(settings);
  return isObject && !('driver' in settings) ? { driver: 'scripted', ...settings } : settings;
}

/** The settings of a scripted agent, validated when they are saved. */
export const scriptedSettingsSchema = scriptedSchema(NEW_TEXTS.spokenText, nameText(100)).superRefine(checkOptOutKey);

/** The same of an agent that a speech-to-speech model conducts. */
export const realtimeSettingsSchema = realtimeSchema(NEW_TEXTS, nameText(100));
/** The same of an agent of three models. */
export const cascadeSettingsSchema = cascadeSchema(NEW_TEXTS, nameText(100));

/** An agent's settings, validated when they are saved. `{{name}}` stands for the call's variable `name`. */
export const agentSettingsSchema = z.preprocess(
  withDriver,
  z.discriminatedUnion('driver', [scriptedSettingsSchema, realtimeSettingsSchema, cascadeSettingsSchema]),
);

/**
 * For an agent that is already stored: a name or text that was valid when it was saved must not fail its calls. Drops
 * fields that only a later version has: during an upgrade, workers of both versions drive calls.
 */
export const storedAgentSettingsSchema = z.preprocess(
  withDriver,
  z.discriminatedUnion('driver', [
    scriptedSchema(SAVED_TEXTS.spokenText, z.string()).strip(),
    realtimeSchema(SAVED_TEXTS, z.string()).strip(),
    cascadeSchema(SAVED_TEXTS, z.string()).strip(),
  ]),
);
