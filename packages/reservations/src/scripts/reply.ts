import type { GateToken } from '@outdial/calls';
import { micros, type Micros } from '@outdial/contracts';
import { InvariantError } from '@outdial/kernel';
import { parseToken } from '../token.ts';

/** A script's reply: the kind of its outcome, then the fields that its header declares. All of it is text. */
export interface Reply {
  readonly kind: string;
  text(field: number): string;
  integer(field: number): number;
  micros(field: number): Micros;
  token(field: number): GateToken;
  /** Every field from this one on. */
  rest(field: number): readonly string[];
  /** The kind, for an outcome without fields. */
  oneOf<Kind extends string>(...kinds: readonly Kind[]): Kind;
  /** For an outcome that the script's header does not declare. */
  unexpected(): never;
}

/** @param script names the script in the error if the reply has another form. */
export function readReply(script: string, raw: unknown): Reply {
  if (!isTexts(raw)) throw new InvariantError(`${script} answered ${JSON.stringify(raw)}`);
  const unexpected = (): never => {
    throw new InvariantError(`${script} answered ${JSON.stringify(raw.slice(0, 8))}`);
  };
  const text = (field: number): string => raw[field + 1] ?? unexpected();
  return {
    kind: raw[0] ?? unexpected(),
    text,
    integer(field) {
      const value = Number(text(field));
      return Number.isSafeInteger(value) ? value : unexpected();
    },
    micros: (field) => micros(BigInt(text(field))),
    token: (field) => parseToken(text(field)),
    rest: (field) => raw.slice(field + 1),
    oneOf: (...kinds) => kinds.find((kind) => kind === raw[0]) ?? unexpected(),
    unexpected,
  };
}

/** Like `readReply`, for a script that answers several inputs, in their order. */
export function readReplies(script: string, raw: unknown, count: number): readonly Reply[] {
  if (!Array.isArray(raw) || raw.length !== count)
    throw new InvariantError(`${script} answered ${JSON.stringify(raw)}`);
  return raw.map((one: unknown) => readReply(script, one));
}

function isTexts(raw: unknown): raw is readonly string[] {
  return Array.isArray(raw) && raw.length > 0 && raw.every((item) => typeof item === 'string');
}

/** Redis answered with an error. Any other error of the client means that there was no answer. */
export function isRefusal(error: unknown): error is Error {
  return error instanceof Error && error.name === 'ReplyError';
}
