import { pino, stdSerializers, type DestinationStream, type Logger, type LoggerOptions as PinoOptions } from 'pino';
import { invariant } from './invariant.ts';
import { maskPhoneNumber, redactText } from './mask.ts';

export type { Logger } from 'pino';

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export interface LoggerOptions {
  /** The role of the process: `api`, `worker`, `cli`. */
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
  'headers["api-key"]',
  'headers["xi-api-key"]',
  'headers["x-goog-api-key"]',
];
const maskIfText = (value: unknown): unknown => (typeof value === 'string' ? maskPhoneNumber(value) : value);

/**
 * Database and SIP errors quote their input: a raw message would put a number or key into the log. Their other
 * properties (the whole rejected row, the arguments of a command) are left out, whatever their names.
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

/** Whether an error has been reported already. */
type IsReported = (error: unknown) => boolean;
const demotionOf = new WeakMap<Logger, { isReported: IsReported }>();

/** From now on, `logger` and its children log errors that have been reported already at debug level. */
export function demoteReportedErrors(logger: Logger, isReported: IsReported): void {
  const demotion = demotionOf.get(logger);
  invariant(demotion, 'the logger comes from createLogger and is not a child');
  demotion.isReported = isReported;
}

/** The trace of a call, or undefined. */
type TraceIdOf = (callId: string) => string | undefined;
const correlationOf = new WeakMap<Logger, { traceIdOf: TraceIdOf | null }>();

/** From now on, lines of `logger` and its children that name a call of a trace have its `trace_id`. */
export function correlateWithTraces(logger: Logger, traceIdOf: TraceIdOf): void {
  const correlation = correlationOf.get(logger);
  invariant(correlation, 'the logger comes from createLogger and is not a child');
  correlation.traceIdOf = traceIdOf;
}

const NO_TRACE = {};
/** Reading the bindings of a child parses them: once is enough. */
const callOfChild = new WeakMap<object, { readonly callId: unknown }>();

function callOf(line: object, logger: Logger): unknown {
  if ('callId' in line) return line.callId;
  const known = callOfChild.get(logger);
  if (known) return known.callId;
  const { callId }: { readonly callId?: unknown } = logger.bindings();
  callOfChild.set(logger, { callId });
  return callId;
}

const WARN = pino.levels.values['warn'] ?? 40;

function hooksOf(demotion: { readonly isReported: IsReported }): NonNullable<PinoOptions['hooks']> {
  return {
    logMethod(line, write, level) {
      const [fields]: readonly unknown[] = line;
      const isAboutError = typeof fields === 'object' && fields !== null && 'err' in fields;
      if (level >= WARN && isAboutError && demotion.isReported(fields.err)) this.debug(...line);
      else write.apply(this, line);
    },
  };
}

/**
 * JSON lines on standard output. Numbers given as `callerNumber`, `calleeNumber`, `fromNumber`, `toNumber` or `e164` are
 * masked and secrets are removed. An error's text is searched for both; beside its text and stack, only its code is
 * logged.
 */
export function createLogger(options: LoggerOptions): Logger {
  const demotion = { isReported: () => false };
  const correlation: { traceIdOf: TraceIdOf | null } = { traceIdOf: null };
  const settings: PinoOptions = {
    name: options.name,
    hooks: hooksOf(demotion),
    level: options.level,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    mixin(line, _level, of) {
      if (correlation.traceIdOf === null) return NO_TRACE;
      const callId = callOf(line, of);
      const traceId = typeof callId === 'string' ? correlation.traceIdOf(callId) : undefined;
      return traceId === undefined ? NO_TRACE : { trace_id: traceId };
    },
    mixinMergeStrategy: (line, traced) => (traced === NO_TRACE ? line : { ...line, ...traced }),
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
  demotionOf.set(logger, demotion);
  correlationOf.set(logger, correlation);
  return logger;
}
