import { parseJson } from '../try-or.ts';

const WARN_LEVEL = 40;
const MAX_LENGTH = 400;

const levelNames: Readonly<Record<number, string>> = { 40: 'warn', 50: 'error', 60: 'fatal' };
const constantFields = new Set(['level', 'time', 'pid', 'hostname', 'name', 'service', 'msg']);

/**
 * Formats a line of a service's log for the terminal: warnings and errors only, with the message first and the fields
 * after it. Returns undefined for all other lines.
 */
export function toTerminalLine(service: string, line: string): string | undefined {
  const entry = parseLogEntry(line);
  if (entry === undefined || Number(entry['level']) < WARN_LEVEL) return undefined;
  const level = levelNames[Number(entry['level'])] ?? 'error';
  const fields = Object.entries(entry)
    .filter(([name]) => !constantFields.has(name))
    .map(([name, value]) => `${name}=${toFieldText(value)}`);
  const text = [`[${service}]`, `${level}:`, `${entry['msg'] ?? ''}`, ...fields].join(' ');
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)} …` : text;
}

/**
 * Returns true if the line helps to explain the exit of a service: an error, or a line that is not a log entry (a stack
 * trace).
 */
export function isErrorLine(line: string): boolean {
  const entry = parseLogEntry(line);
  return entry === undefined ? line.trim() !== '' : Number(entry['level']) > WARN_LEVEL;
}

/** Returns undefined for a line that is not a log entry. */
export function parseLogEntry(line: string): Readonly<Record<string, unknown>> | undefined {
  if (!line.startsWith('{')) return undefined;
  const entry = parseJson(line) as Readonly<Record<string, unknown>> | undefined;
  return entry?.['level'] === undefined ? undefined : entry;
}

/** Formats a value; an error becomes its message and its remedy. */
export function toFieldText(value: unknown): string {
  if (typeof value === 'string') return value;
  const { message, remedy } = (value ?? {}) as Readonly<Record<'message' | 'remedy', unknown>>;
  if (typeof message !== 'string') return JSON.stringify(value);
  return typeof remedy === 'string' ? `${message}: ${remedy}` : message;
}
