import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import {
  type ReadSetting,
  type ShownSetting,
  showSettings,
  toShownSetting,
} from './shown-settings.ts';

interface Range<Bound> {
  readonly fallback?: Bound;
  readonly min?: Bound;
  readonly max?: Bound;
  /** The fallback is a placeholder for a value that the service computes. */
  readonly isDerived?: boolean;
}

interface DurationRange extends Range<string> {
  /** Also allows 0. */
  readonly orZero?: boolean;
}

interface EntryForm<Entry> {
  /** Returns undefined for invalid text. */
  parse(text: string): Entry | undefined;
  /** The expected form of entries, for the error message. */
  readonly form: string;
}

type Env = Readonly<Record<string, string | undefined>>;

export function readEnv(env: Env): EnvReader {
  return new EnvReader(env);
}

/**
 * Reads one process environment. Collects every problem; `done` throws them together as a ConfigurationError. Until then
 * an invalid variable reads as an empty value. An empty variable counts as unset.
 */
export class EnvReader {
  readonly #env: Env;
  readonly #problems: string[] = [];
  readonly #settings = new Map<string, ShownSetting>();

  constructor(env: Env) {
    this.#env = env;
  }

  text(name: string, fallback?: string): string {
    return this.#given(name, { fallback }) ?? this.#required(name, fallback, '');
  }

  optionalText(name: string): string | undefined {
    return this.#given(name);
  }

  /** Reads the variable, or the file named by `<name>_FILE`. Never uses a default, and never shows the value. */
  secret(name: string): string {
    return this.optionalSecret(name) ?? this.#required(name, undefined, '');
  }

  optionalSecret(name: string): string | undefined {
    const value = this.#raw(name);
    const hasFile = this.#raw(`${name}_FILE`) !== undefined;
    const isFromFile = value === undefined && hasFile;
    this.#record(name, { given: value, isSecret: true, isFromFile });
    if (value === undefined) return this.#readNamedFile(`${name}_FILE`);
    if (hasFile) this.problem(`${name} and ${name}_FILE are both set; set only one of them`);
    return value;
  }

  /** Reads the content of the file named by the variable. */
  optionalFile(name: string): string | undefined {
    this.#given(name);
    return this.#readNamedFile(name);
  }

  int(name: string, range: Range<number> = {}): number {
    const { fallback, min, max, isDerived = false } = range;
    const value = this.#given(name, { fallback, isDerived });
    if (value === undefined) return this.#required(name, fallback, 0);
    const lowest = min ?? Number.MIN_SAFE_INTEGER;
    const highest = max ?? Number.MAX_SAFE_INTEGER;
    const number = /^[+-]?\d+$/.test(value) ? Number(value) : Number.NaN;
    if (number >= lowest && number <= highest) return number;
    this.problem(`${name} must be an integer${describeRange(min, max)}, got '${value}'`);
    return 0;
  }

  boolean(name: string, fallback?: boolean): boolean {
    const value = this.#given(name, { fallback });
    if (value === undefined) return this.#required(name, fallback, false);
    if (value !== 'true' && value !== 'false') {
      this.problem(`${name} must be true or false, got '${value}'`);
    }
    return value === 'true';
  }

  /** Reads `5m`, `10s`, `1h` or `0` as milliseconds. The range uses the same notation. */
  durationMs(name: string, range: DurationRange = {}): number {
    const { fallback, min, max, orZero = false } = range;
    const value = this.#given(name, { fallback }) ?? this.#required(name, fallback, '0');
    const ms = parseDuration(value) ?? Number.NaN;
    const lowest = parseDuration(min ?? '0') ?? 0;
    const highest = parseDuration(max ?? '') ?? Number.MAX_SAFE_INTEGER;
    if ((ms >= lowest && ms <= highest) || (orZero && ms === 0)) return ms;
    this.problem(
      `${name} must be ${orZero ? '0 or ' : ''}a duration such as 5m, 10s or 1h${describeRange(min, max)}, got '${value}'`,
    );
    return 0;
  }

  choice<Choice extends string>(
    name: string,
    choices: readonly Choice[],
    fallback?: Choice,
  ): Choice {
    const value = this.#given(name, { fallback });
    // This value is never used, because `done` throws if a problem was reported.
    const empty = '' as Choice;
    if (value === undefined) return this.#required(name, fallback, empty);
    const choice = choices.find((candidate) => candidate === value);
    if (choice === undefined) {
      this.problem(`${name} must be one of ${choices.join(', ')}, got '${value}'`);
    }
    return choice ?? empty;
  }

  optionalChoice<Choice extends string>(
    name: string,
    choices: readonly Choice[],
  ): Choice | undefined {
    const value = this.#given(name);
    return value === undefined ? undefined : this.choice(name, choices);
  }

  /** Reads a comma-separated list. */
  list(name: string, fallback?: readonly string[]): readonly string[] {
    return splitList(this.#given(name, { fallback })) ?? this.#required(name, fallback, []);
  }

  /** Reads comma-separated IP addresses and networks (`10.0.0.0/8`); empty by default. */
  networks(name: string): readonly string[] {
    const entries = splitList(this.#given(name)) ?? [];
    for (const entry of entries.filter((one) => !isNetwork(one))) {
      this.problem(`${name} must contain IP addresses or networks, got '${entry}'`);
    }
    return entries;
  }

  /** Reads a comma-separated list and parses each entry; empty if the variable is unset. */
  listOf<Entry>(name: string, { parse, form }: EntryForm<Entry>): readonly Entry[] {
    return (splitList(this.#given(name)) ?? []).flatMap((text) => {
      const entry = parse(text);
      if (entry === undefined) this.problem(`${name} must list ${form}, got '${text}'`);
      return entry === undefined ? [] : [entry];
    });
  }

  /** Adds a problem that concerns several variables. The sentence must name them and must not reveal secrets. */
  problem(sentence: string): void {
    this.#problems.push(sentence);
  }

  /** The problems found so far. */
  get problems(): readonly string[] {
    return this.#problems;
  }

  done(): void {
    if (this.#problems.length > 0) throw new ConfigurationError(this.#problems);
  }

  /**
   * Returns the settings read so far, by name; `chosen` lists the settings that `npm start` set instead of an operator.
   */
  shown(chosen: readonly string[]): readonly ShownSetting[] {
    return showSettings([...this.#settings.values()], chosen);
  }

  #raw(name: string): string | undefined {
    return this.#env[name]?.trim() || undefined;
  }

  /** Returns the value of a setting that may be shown. */
  #given(name: string, setting: Omit<ReadSetting, 'given'> = {}): string | undefined {
    const given = this.#raw(name);
    this.#record(name, { ...setting, given });
    return given;
  }

  #record(name: string, setting: ReadSetting): void {
    this.#settings.set(name, toShownSetting(name, setting));
  }

  #required<Value>(name: string, fallback: Value | undefined, empty: Value): Value {
    if (fallback === undefined) this.problem(`${name} is required`);
    return fallback ?? empty;
  }

  #readNamedFile(name: string): string | undefined {
    const path = this.#raw(name);
    if (path === undefined) return undefined;
    try {
      const content = readFileSync(path, 'utf8').trim();
      if (content === '') this.problem(`${name} names an empty file, ${path}`);
      return content;
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : 'unknown error';
      this.problem(`${name} names ${path}, which cannot be read (${code})`);
      return '';
    }
  }
}

function isNetwork(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/');
  const version = isIP(address);
  if (version === 0 || more.length > 0) return false;
  return bits === undefined || (/^\d+$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}

const splitList = (text: string | undefined): readonly string[] | undefined =>
  text
    ?.split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');

function describeRange(min: number | string | undefined, max: number | string | undefined): string {
  if (min !== undefined && max !== undefined) return ` from ${min} to ${max}`;
  if (min !== undefined) return ` of at least ${min}`;
  return max === undefined ? '' : ` of at most ${max}`;
}

/** Invalid settings. Lists all problems, so that an operator can fix them together. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`invalid configuration:\n  ${problems.join('\n  ')}`);
    this.problems = problems;
  }
}

const units = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const form = /^(\d{1,9})(ms|s|m|h|d)$/;

/**
 * Parses `5m`, `10s`, `1h`, `500ms`, `2d` or `0` into milliseconds. Returns undefined for other text, such as numbers
 * without a unit.
 */
export function parseDuration(text: string): number | undefined {
  if (text === '0') return 0;
  const [, count, unit] = form.exec(text) ?? [];
  return unit === undefined ? undefined : Number(count) * units[unit as keyof typeof units];
}
