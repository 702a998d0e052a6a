/**
 * The source of a setting's value: the environment, a file named by the environment, `npm start`, or the code's
 * default. The service itself computes `derived` values; `unset` settings have no value.
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

/** A setting in effect, in a form that may be shown to operators. */
export interface ShownSetting {
  /** The name of the environment variable. */
  readonly name: string;
  /** As written in the environment. Null for secrets and for settings without a value. */
  readonly value: string | null;
  readonly isSecret: boolean;
  readonly source: SettingSource;
}

export interface ReadSetting {
  /** Undefined if the environment has no value. */
  readonly given: string | undefined;
  readonly fallback?: unknown;
  readonly isSecret?: boolean;
  /** True if the secret comes from a file. */
  readonly isFromFile?: boolean;
  /** The fallback is a placeholder for a value that the service computes. */
  readonly isDerived?: boolean;
}

/** Keeps only whether a secret is set, not its value. */
export function toShownSetting(name: string, setting: ReadSetting): ShownSetting {
  const { isSecret = false } = setting;
  const source = sourceOf(setting);
  return { name, value: isSecret ? null : toValue(source, setting), isSecret, source };
}

/** Sorts by name; `chosen` lists the settings that `npm start` set instead of an operator. */
export function showSettings(
  settings: readonly ShownSetting[],
  chosen: readonly string[],
): readonly ShownSetting[] {
  return settings
    .map((one) => (isGiven(one) && chosen.includes(one.name) ? ofStart(one) : one))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

const isGiven = ({ source }: ShownSetting): boolean => source === 'environment';
const ofStart = (setting: ShownSetting): ShownSetting => ({ ...setting, source: 'start' });

function sourceOf({ given, fallback, isFromFile, isDerived }: ReadSetting): SettingSource {
  if (isFromFile === true) return 'file';
  if (given !== undefined) return 'environment';
  if (isDerived === true) return 'derived';
  return toText(fallback) === '' ? 'unset' : 'default';
}

function toValue(source: SettingSource, { given, fallback }: ReadSetting): string | null {
  if (source === 'environment' || source === 'file') return maskPasswords(given ?? '');
  return source === 'default' ? toText(fallback) : null;
}

const toText = (value: unknown): string => (value === undefined ? '' : String(value));

/** Masks credentials in addresses anywhere in the text, and URL parameters whose names suggest a secret. */
export function maskPasswords(text: string): string {
  return text
    .replaceAll(/(?<=:\/\/)[^\s/]*@/g, '***@')
    .replaceAll(/([?&;][^=&\s]*(?:password|secret|token|key)[^=&\s]*=)[^&\s]*/gi, '$1***');
}
