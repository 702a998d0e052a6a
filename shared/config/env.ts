import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { ConfigurationError } from './configuration-error.ts';
import { parseDuration } from './parse-duration.ts';
import { createSettingNotes, type NotedSetting, type SettingNotes } from './shown-settings.ts';

/**
 * Reads one process environment. Every problem is collected and `done` throws them all at once as a
 * ConfigurationError; until then a broken variable reads as an empty value. An empty variable counts as unset.
 */
export interface EnvReader {
  text(name: string, fallback?: string): string;
  optionalText(name: string): string | undefined;
  /** From the variable, or from the file that `<name>_FILE` names. Has no default, and its value is never shown. */
  secret(name: string): string;
  optionalSecret(name: string): string | undefined;
  /** The content of the file that the variable names. */
  optionalFile(name: string): string | undefined;
  int(name: string, range?: Range<number>): number;
  boolean(name: string, fallback?: boolean): boolean;
  /** `5m`, `10s`, `1h`, `0` in milliseconds; the range is written the same way. */
  durationMs(name: string, range?: DurationRange): number;
  choice<Choice extends string>(
    name: string,
    choices: readonly Choice[],
    fallback?: Choice,
  ): Choice;
  /** Separated by commas. */
  list(name: string, fallback?: readonly string[]): readonly string[];
  /** IP addresses and networks (`10.0.0.0/8`), separated by commas; none by default. */
  networks(name: string): readonly string[];
  /** Separated by commas, each entry parsed; none if the variable is unset. */
  listOf<Entry>(name: string, entries: EntryForm<Entry>): readonly Entry[];
  /** Adds a problem that concerns several variables together: a sentence that names them, and shows no secret. */
  problem(sentence: string): void;
  done(): void;
  /** What was read until now; `chosen` are names that `npm start` set by itself. */
  readonly shown: SettingNotes['shown'];
}

interface Range<Bound> {
  readonly fallback?: Bound;
  readonly min?: Bound;
  readonly max?: Bound;
  /** The fallback only stands for what the service works out. */
  readonly isDerived?: boolean;
}

interface DurationRange extends Range<string> {
  /** 0 is allowed too. */
  readonly orZero?: boolean;
}

interface EntryForm<Entry> {
  /** Undefined for a text that is no entry. */
  parse(text: string): Entry | undefined;
  /** What entries look like, for the error message. */
  readonly form: string;
}

type Env = Readonly<Record<string, string | undefined>>;

interface Source {
  readonly problems: string[];
  raw(name: string): string | undefined;
  /** The same, of a setting that is shown. */
  noted(name: string, setting?: Omit<NotedSetting, 'given'>): string | undefined;
  required<Value>(name: string, fallback: Value | undefined, empty: Value): Value;
}

export function readEnv(env: Env): EnvReader {
  const problems: string[] = [];
  const raw = (name: string): string | undefined => env[name]?.trim() || undefined;
  const notes = createSettingNotes();
  const noted: Source['noted'] = (name, setting = {}) => {
    const given = raw(name);
    notes.note(name, { ...setting, given });
    return given;
  };
  const source: Source = {
    problems,
    raw,
    noted,
    required(name, fallback, empty) {
      if (fallback === undefined) problems.push(`${name} is required`);
      return fallback ?? empty;
    },
  };

  return {
    text: (name, fallback) => noted(name, { fallback }) ?? source.required(name, fallback, ''),
    optionalText: (name) => noted(name),
    secret: (name) => readSecret(source, notes, name) ?? source.required(name, undefined, ''),
    optionalSecret: (name) => readSecret(source, notes, name),
    optionalFile(name) {
      noted(name);
      return readNamedFile(source, name);
    },
    int: (name, range = {}) => readInt(source, name, range),
    boolean: (name, fallback) => readBoolean(source, name, fallback),
    durationMs: (name, range = {}) => readDuration(source, name, range),
    choice: (name, choices, fallback) => readChoice(source, name, { choices, fallback }),
    list: (name, fallback) =>
      splitList(noted(name, { fallback })) ?? source.required(name, fallback, []),
    networks(name) {
      const entries = splitList(noted(name)) ?? [];
      for (const entry of entries.filter((one) => !isNetwork(one))) {
        problems.push(`${name} must hold IP addresses or networks, got '${entry}'`);
      }
      return entries;
    },
    listOf: (name, entries) => readEntries(source, name, entries),
    problem: (sentence) => void problems.push(sentence),
    done() {
      if (problems.length > 0) throw new ConfigurationError(problems);
    },
    shown: notes.shown,
  };
}

function isNetwork(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/');
  const version = isIP(address);
  if (version === 0 || more.length > 0) return false;
  return bits === undefined || (/^\d+$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}

function readSecret(source: Source, notes: SettingNotes, name: string): string | undefined {
  const value = source.raw(name);
  const isFromFile = value === undefined && source.raw(`${name}_FILE`) !== undefined;
  notes.note(name, { given: value, isSecret: true, isFromFile });
  if (value === undefined) return readNamedFile(source, `${name}_FILE`);
  if (source.raw(`${name}_FILE`) !== undefined) {
    source.problems.push(`${name} and ${name}_FILE are both set, set one of them`);
  }
  return value;
}

function readNamedFile({ raw, problems }: Source, name: string): string | undefined {
  const path = raw(name);
  if (path === undefined) return undefined;
  try {
    const content = readFileSync(path, 'utf8').trim();
    if (content === '') problems.push(`${name} names an empty file, ${path}`);
    return content;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : 'unknown error';
    problems.push(`${name} names ${path}, which cannot be read (${code})`);
    return '';
  }
}

function readInt(source: Source, name: string, range: Range<number>): number {
  const { fallback, min, max, isDerived = false } = range;
  const value = source.noted(name, { fallback, isDerived });
  if (value === undefined) return source.required(name, fallback, 0);
  const lowest = min ?? Number.MIN_SAFE_INTEGER;
  const highest = max ?? Number.MAX_SAFE_INTEGER;
  const number = /^[+-]?\d+$/.test(value) ? Number(value) : Number.NaN;
  if (number >= lowest && number <= highest) return number;
  source.problems.push(`${name} must be an integer${describeRange(min, max)}, got '${value}'`);
  return 0;
}

function readDuration(source: Source, name: string, range: DurationRange): number {
  const { fallback, min, max, orZero = false } = range;
  const value = source.noted(name, { fallback }) ?? source.required(name, fallback, '0');
  const ms = parseDuration(value) ?? Number.NaN;
  const lowest = parseDuration(min ?? '0') ?? 0;
  const highest = parseDuration(max ?? '') ?? Number.MAX_SAFE_INTEGER;
  if ((ms >= lowest && ms <= highest) || (orZero && ms === 0)) return ms;
  source.problems.push(
    `${name} must be ${orZero ? '0 or ' : ''}a duration such as 5m, 10s or 1h${describeRange(min, max)}, got '${value}'`,
  );
  return 0;
}

function readBoolean({ noted, required, problems }: Source, name: string, fallback?: boolean) {
  const value = noted(name, { fallback });
  if (value === undefined) return required(name, fallback, false);
  if (value !== 'true' && value !== 'false') {
    problems.push(`${name} must be true or false, got '${value}'`);
  }
  return value === 'true';
}

const splitList = (text: string | undefined): readonly string[] | undefined =>
  text
    ?.split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');

function readEntries<Entry>(
  { noted, problems }: Source,
  name: string,
  { parse, form }: EntryForm<Entry>,
): readonly Entry[] {
  return (splitList(noted(name)) ?? []).flatMap((text) => {
    const entry = parse(text);
    if (entry === undefined) problems.push(`${name} must list ${form}, got '${text}'`);
    return entry === undefined ? [] : [entry];
  });
}

function readChoice<Choice extends string>(
  { noted, required, problems }: Source,
  name: string,
  options: { readonly choices: readonly Choice[]; readonly fallback: Choice | undefined },
): Choice {
  const value = noted(name, { fallback: options.fallback });
  // The empty value of a choice is never seen: a problem is noted beside it, so `done` throws.
  const empty = '' as Choice;
  if (value === undefined) return required(name, options.fallback, empty);
  const choice = options.choices.find((candidate) => candidate === value);
  if (choice === undefined) {
    problems.push(`${name} must be one of ${options.choices.join(', ')}, got '${value}'`);
  }
  return choice ?? empty;
}

function describeRange(min: number | string | undefined, max: number | string | undefined): string {
  if (min !== undefined && max !== undefined) return ` from ${min} to ${max}`;
  if (min !== undefined) return ` of at least ${min}`;
  return max === undefined ? '' : ` of at most ${max}`;
}
