import { z } from 'zod';

/** A setting read from the environment: how it is parsed, and its description in the configuration table. */
export interface EnvVariable<Schema extends z.ZodType> {
  /** Its messages say what is allowed and follow the name: `must be a whole number from 1 to 65535`. */
  readonly schema: Schema;
  readonly description: string;
  /** The Helm chart in `deploy` does not set it: it is for tests and for development. */
  readonly chart?: false;
}

export type EnvSpec = Readonly<Record<string, EnvVariable<z.ZodType>>>;
export type Env<Spec extends EnvSpec> = { readonly [Name in keyof Spec]: z.output<Spec[Name]['schema']> };

/** A setting is invalid. `message` has one sentence per setting, with its name, its value and what is allowed. */
export class EnvError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'EnvError';
  }
}

/** Parses once, at startup. An empty value counts as not set, because shells and compose files pass those. */
export function parseEnv<Spec extends EnvSpec>(spec: Spec, source: NodeJS.ProcessEnv): Env<Spec> {
  const shape = Object.fromEntries(Object.entries(spec).map(([name, variable]) => [name, variable.schema]));
  const given = Object.fromEntries(
    Object.keys(spec).map((name) => [name, source[name] === '' ? undefined : source[name]]),
  );
  const result = z.object(shape).safeParse(given);
  // The shape is built from this spec; the compiler cannot infer a mapped type over a generic record.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  if (result.success) return result.data as Env<Spec>;
  const messages = new Map<string, string>();
  for (const issue of result.error.issues) {
    const name = String(issue.path[0]);
    // One sentence per setting: the first problem of a value usually causes the others.
    if (!messages.has(name)) messages.set(name, issue.message);
  }
  const sentences = [...messages].map(([name, message]) =>
    given[name] === undefined
      ? `${name} is not set. ${spec[name]?.description ?? ''}`
      : `${shownSetting(name, given[name])} cannot be used: ${message.startsWith('must') ? `it ${message}` : message}.`,
  );
  throw new EnvError(sentences.join('\n'));
}

/** URLs carry passwords. The values of settings whose names end like this never reach a screen or a log. */
const SECRET_NAME = /_(?:URL|KEY|PEPPER|SECRET|PASSWORD|TOKEN)$/;
const SHOWN_LENGTH = 80;

function shownSetting(name: string, value: string): string {
  if (SECRET_NAME.test(name)) return name;
  const isPlain = /^[\x21-\x7e]*$/.test(value) && value.length <= SHOWN_LENGTH;
  // Quoting makes a blank or an escape sequence visible and harmless to the terminal.
  return `${name}=${isPlain ? value : JSON.stringify(value.slice(0, SHOWN_LENGTH))}`;
}
