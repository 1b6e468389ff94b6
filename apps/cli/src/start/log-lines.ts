import { prettyFactory } from 'pino-pretty';

/** Turns a line from a service into one for a person. */
export type FormatLogLine = (line: string) => string;

/**
 * Log lines are JSON. Other lines (a crash before the logger exists, a warning from Node) are shown unchanged, below
 * the service's name.
 */
export function logLineFormatter(service: string, hasColor: boolean): FormatLogLine {
  const pretty = prettyFactory({
    colorize: hasColor,
    singleLine: true,
    translateTime: 'SYS:HH:MM:ss',
    ignore: 'pid,hostname',
  });
  return (line) => (isLogLine(line) ? pretty(line).trimEnd() : `${service}: ${line}`);
}

function isLogLine(line: string): boolean {
  if (!line.startsWith('{')) return false;
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && 'level' in value;
  } catch {
    return false;
  }
}
