import { styleText } from 'node:util';

/** Colors by purpose. Each function returns the text unchanged when color is off. */
export interface Paint {
  strong(text: string): string;
  quiet(text: string): string;
  good(text: string): string;
  bad(text: string): string;
  warning(text: string): string;
  accent(text: string): string;
}

export function createPaint(enabled: boolean): Paint {
  type Format = Parameters<typeof styleText>[0];
  const painter = (format: Format) => (text: string) =>
    enabled && text !== '' ? styleText(format, text, { validateStream: false }) : text;
  return {
    strong: painter('bold'),
    quiet: painter('dim'),
    good: painter('green'),
    bad: painter('red'),
    warning: painter('yellow'),
    accent: painter('cyan'),
  };
}

/** Color only on a terminal, unless FORCE_COLOR is set; NO_COLOR (no-color.org) turns it off everywhere. */
export function wantsColour(isTerminal: boolean, env: NodeJS.ProcessEnv): boolean {
  if (env['NO_COLOR'] !== undefined && env['NO_COLOR'] !== '') return false;
  const forced = env['FORCE_COLOR'];
  if (forced !== undefined && forced !== '') return forced !== '0' && forced !== 'false';
  return isTerminal && env['TERM'] !== 'dumb';
}
