import type { CascadeSettings } from './cascade.ts';
import type { RealtimeSettings } from './realtime.ts';
import type { ScriptedSettings } from './scripted.ts';

export type AgentSettings = ScriptedSettings | RealtimeSettings | CascadeSettings;
/** The settings of an agent that models conduct. */
export type ConductedSettings = RealtimeSettings | CascadeSettings;
