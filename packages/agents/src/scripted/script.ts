import type { SpeechSynthesizer } from '@outdial/calls';
import { fillTemplate, type ScriptedSettings } from '@outdial/contracts';
import { createScriptLine, type ScriptLine, type LinePurpose } from './script-line.ts';

/** An agent's settings for one call, with all variables filled in. */
export interface Script {
  /** The first message, then the lines, in order. */
  readonly steps: readonly [ScriptLine, ...ScriptLine[]];
  readonly closing: ScriptLine;
  readonly noInput: ScriptLine;
  readonly noInputAfterMs: number;
  readonly noInputTimes: number;
  /** Lines by key, in the order of the settings. */
  readonly menu: ReadonlyMap<string, ScriptLine>;
  /** The key with which the callee opts out, and what the agent says then. */
  readonly optOut: { readonly key: string; readonly confirmation: ScriptLine } | undefined;
  readonly voicemail: ScriptLine | undefined;
  readonly screening: ScriptLine | undefined;
  readonly bargeIn: boolean;
}

export function createScript(
  settings: ScriptedSettings,
  variables: Readonly<Record<string, string>>,
  synthesizer: SpeechSynthesizer,
): Script {
  const line = (purpose: LinePurpose, path: string, text: string): ScriptLine =>
    createScriptLine({ purpose, path, text: fillTemplate(text, variables), voice: settings.voice, synthesizer });
  const optional = (purpose: LinePurpose, path: string, text: string | undefined) =>
    text === undefined ? undefined : line(purpose, path, text);

  return {
    steps: [
      line('script', 'first_message', settings.first_message),
      ...settings.lines.map((text, index) => line('script', `lines.${index}`, text)),
    ],
    closing: line('closing', 'closing', settings.closing),
    noInput: line('no_input', 'no_input.prompt', settings.no_input.prompt),
    noInputAfterMs: settings.no_input.after_ms,
    noInputTimes: settings.no_input.times,
    menu: new Map(Object.entries(settings.menu ?? {}).map(([key, text]) => [key, line('menu', `menu.${key}`, text)])),
    optOut: settings.opt_out && {
      key: settings.opt_out.key,
      confirmation: line('opt_out', 'opt_out.confirmation', settings.opt_out.confirmation),
    },
    voicemail: optional('voicemail', 'voicemail_message', settings.voicemail_message),
    screening: optional('screening', 'screening_reply', settings.screening_reply),
    bargeIn: settings.barge_in,
  };
}

/** The lines that may be needed at any time and the first steps, in the order of urgency. */
export function firstLines(script: Script): readonly ScriptLine[] {
  const [first, ...rest] = script.steps;
  const optional = [script.screening, script.voicemail, script.optOut?.confirmation].filter((line) => line !== undefined);
  return [first, ...optional, ...rest.slice(0, 1), script.noInput, ...script.menu.values(), script.closing];
}
