import type { EnvSpec, EnvVariable } from '@outdial/kernel';
import type { z } from 'zod';

type JsonSchema = Readonly<Record<string, unknown>>;

/** Their values would be readable in the release. They come from secrets. */
const SECRET_NAME = /_(?:URL|KEY|PEPPER|SECRET|PASSWORD|TOKEN)$/;

/**
 * The schema of `settings`: the variables of a process that the chart neither sets from a value of its own nor leaves out.
 *
 * @param ownNames those that a template sets. @throws Error for a secret that no template takes from a secret.
 */
export function settingsSchema(spec: EnvSpec, ownNames: ReadonlySet<string>): JsonSchema {
  const names = Object.keys(spec).filter((name) => !ownNames.has(name) && spec[name]?.chart !== false);
  const secret = names.find((name) => SECRET_NAME.test(name) && name !== 'OUTDIAL_PUBLIC_URL');
  if (secret !== undefined) throw new Error(`${secret} is a secret: let a template take it from one.`);
  const properties = Object.fromEntries(
    names.toSorted().flatMap((name) => {
      const variable = spec[name];
      return variable === undefined ? [] : [[name, { ...typeOf(variable), description: variable.description }]];
    }),
  );
  return { type: 'object', additionalProperties: false, properties };
}

/** What a person writes in YAML: `true` and not `"true"`. The process itself checks the value. */
function typeOf({ schema }: EnvVariable<z.ZodType>): JsonSchema {
  const accepts = (text: string) => schema.safeParse(text).success;
  if (accepts('true') && !accepts('x')) return { type: 'boolean' };
  if (accepts('1') && !accepts('0.5') && !accepts('x')) return { type: 'integer' };
  return { type: 'string' };
}
