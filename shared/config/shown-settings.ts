/**
 * Where the value of a setting comes from: the environment, a file that the environment names, `npm start`, the code; `derived`
 * is worked out by the service itself, `unset` means that there is none.
 */
export const settingSources = [
  'environment',
  'file',
  'start',
  'default',
  'derived',
  'unset',
] as const;
type SettingSource = (typeof settingSources)[number];

/** A setting in force, as it may be shown. */
export interface ShownSetting {
  /** Of the environment variable. */
  readonly name: string;
  /** As it is written in the environment. Null for a secret, and for one without a value. */
  readonly value: string | null;
  readonly isSecret: boolean;
  readonly source: SettingSource;
}

export interface NotedSetting {
  /** Undefined where the environment has none. */
  readonly given: string | undefined;
  readonly fallback?: unknown;
  readonly isSecret?: boolean;
  /** The secret comes from a file. */
  readonly isFromFile?: boolean;
  /** The fallback only stands for what the service works out. */
  readonly isDerived?: boolean;
}

/** A secret is not kept: only whether there is one. */
export function toShownSetting(name: string, setting: NotedSetting): ShownSetting {
  const { isSecret = false } = setting;
  const source = sourceOf(setting);
  return { name, value: isSecret ? null : toValue(source, setting), isSecret, source };
}

/** By name; `chosen` are those that `npm start` set, and no operator. */
export function showSettings(
  noted: readonly ShownSetting[],
  chosen: readonly string[],
): readonly ShownSetting[] {
  return noted
    .map((one) => (isGiven(one) && chosen.includes(one.name) ? ofStart(one) : one))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

const isGiven = ({ source }: ShownSetting): boolean => source === 'environment';
const ofStart = (setting: ShownSetting): ShownSetting => ({ ...setting, source: 'start' });

function sourceOf({ given, fallback, isFromFile, isDerived }: NotedSetting): SettingSource {
  if (isFromFile === true) return 'file';
  if (given !== undefined) return 'environment';
  if (isDerived === true) return 'derived';
  return toText(fallback) === '' ? 'unset' : 'default';
}

function toValue(source: SettingSource, { given, fallback }: NotedSetting): string | null {
  if (source === 'environment' || source === 'file') return maskPasswords(given ?? '');
  return source === 'default' ? toText(fallback) : null;
}

const toText = (value: unknown): string => (value === undefined ? '' : String(value));

/** Credentials of addresses, wherever in a text they stand, and parameters that are named like secrets. */
export function maskPasswords(text: string): string {
  return text
    .replaceAll(/(?<=:\/\/)[^\s/]*@/g, '***@')
    .replaceAll(/([?&;][^=&\s]*(?:password|secret|token|key)[^=&\s]*=)[^&\s]*/gi, '$1***');
}
