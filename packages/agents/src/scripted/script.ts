import type { SpeechSynthesizer } from '@outdial/calls';
import { fillTemplate, type AgentSettings } from '@outdial/contracts';
import { createLine, type Line, type LinePurpose } from './line.ts';

/** An agent's settings for one call: every text filled in. */
export interface Script {
  /** The first message, then the lines, in order. */
  readonly steps: readonly [Line, ...Line[]];
  readonly closing: Line;
  readonly noInput: Line;
  readonly noInputAfterMs: number;
  readonly noInputTimes: number;
  /** By the key that asks for it, in the order of the settings. */
  readonly menu: ReadonlyMap<string, Line>;
  readonly voicemail: Line | undefined;
  readonly screening: Line | undefined;
  readonly bargeIn: boolean;
}

export function createScript(
  settings: AgentSettings,
  variables: Readonly<Record<string, string>>,
  synthesizer: SpeechSynthesizer,
): Script {
  const line = (purpose: LinePurpose, path: string, text: string): Line =>
    createLine({ purpose, path, text: fillTemplate(text, variables), voice: settings.voice, synthesizer });
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
    voicemail: optional('voicemail', 'voicemail_message', settings.voicemail_message),
    screening: optional('screening', 'screening_reply', settings.screening_reply),
    bargeIn: settings.barge_in,
  };
}

/** The lines that may be due at any time, and the steps that come first; those first that may be due first. */
export function firstLines(script: Script): readonly Line[] {
  const [first, ...rest] = script.steps;
  const optional = [script.screening, script.voicemail].filter((line) => line !== undefined);
  return [first, ...optional, ...rest.slice(0, 1), script.noInput, ...script.menu.values(), script.closing];
}
