import { pino, stdSerializers, type DestinationStream, type Logger, type LoggerOptions as PinoOptions } from 'pino';
import { invariant } from './invariant.ts';
import { maskPhoneNumber, redactText } from './mask.ts';

export type { Logger } from 'pino';

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export interface LoggerOptions {
  /** The process's role: `api`, `worker`, `cli`. */
  readonly name: string;
  readonly level: LogLevel;
  readonly destination?: DestinationStream;
}

const SECRET_PATHS = [
  'apiKey',
  'api_key',
  'password',
  'authorization',
  'headers.authorization',
  'headers["x-api-key"]',
];
const maskIfText = (value: unknown): unknown => (typeof value === 'string' ? maskPhoneNumber(value) : value);

/**
 * Errors of databases and of SIP quote their input: a raw message would put a number or key into the log. What else they
 * carry (the whole row that was refused, the arguments of a command) is left out, whatever its name.
 */
function serializeError(error: unknown): unknown {
  if (!(error instanceof Error)) return typeof error === 'string' ? redactText(error) : error;
  const { type, message, stack } = stdSerializers.err(error);
  return {
    type,
    message: redactText(message),
    stack: redactText(stack),
    code: 'code' in error ? error.code : undefined,
    aggregateErrors: error instanceof AggregateError ? error.errors.map(serializeError) : undefined,
  };
}

/** Whether an error needs no line of its own. */
type IsTold = (error: unknown) => boolean;
const asideOf = new WeakMap<Logger, { isTold: IsTold }>();

/** From now on `logger` and its children write lines about errors that are told already at debug level alone. */
export function demoteReportedErrors(logger: Logger, isTold: IsTold): void {
  const aside = asideOf.get(logger);
  invariant(aside, 'the logger is one of createLogger, and not a child');
  aside.isTold = isTold;
}

const WARN = pino.levels.values['warn'] ?? 40;

function hooksOf(aside: { readonly isTold: IsTold }): NonNullable<PinoOptions['hooks']> {
  return {
    logMethod(line, write, level) {
      const [facts]: readonly unknown[] = line;
      const speaksOfError = typeof facts === 'object' && facts !== null && 'err' in facts;
      if (level >= WARN && speaksOfError && aside.isTold(facts.err)) this.debug(...line);
      else write.apply(this, line);
    },
  };
}

/**
 * JSON lines on standard output. Numbers given as `callerNumber`, `calleeNumber`, `fromNumber`, `toNumber` or
 * `e164` are masked; secrets are removed; an error's text is searched for both, and of an error nothing else is told but
 * its code.
 */
export function createLogger(options: LoggerOptions): Logger {
  const aside = { isTold: () => false };
  const settings: PinoOptions = {
    name: options.name,
    hooks: hooksOf(aside),
    level: options.level,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: { paths: [...SECRET_PATHS, ...SECRET_PATHS.map((path) => `*.${path}`)], censor: '[redacted]' },
    serializers: {
      err: serializeError,
      callerNumber: maskIfText,
      calleeNumber: maskIfText,
      fromNumber: maskIfText,
      toNumber: maskIfText,
      e164: maskIfText,
    },
  };
  const logger = options.destination ? pino(settings, options.destination) : pino(settings);
  asideOf.set(logger, aside);
  return logger;
}
