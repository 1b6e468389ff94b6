import type { Io } from '../io.ts';

/** What a command prints: text for people, or one line of JSON for programs. */
export interface Report {
  readonly json: unknown;
  readonly text: string;
}

export function print({ stdout }: Pick<Io, 'stdout'>, isJson: boolean, { json, text }: Report): void {
  stdout.write(isJson ? `${JSON.stringify(json)}\n` : text);
}
