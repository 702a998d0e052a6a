import type { Directory } from './directory.ts';
import { settingType } from './setting-type.ts';

export const customPrefixes = ['taken', 'always', 'never'] as const;

/**
 * Which names of custom entity types and fields get a prefix. `taken`: entity types under a name that Annals itself
 * uses.
 */
export type CustomPrefix = (typeof customPrefixes)[number];

/** The id of the setting in the directory log. */
export const customPrefixId = 'customPrefix';

/** The choice in the log; undefined in a log that has none. */
export function storedCustomPrefix(directory: Pick<Directory, 'record'>): CustomPrefix | undefined {
  const stored = directory.record(settingType, customPrefixId)?.values['choice'];
  return customPrefixes.find((choice) => choice === stored);
}

/** The choice of this installation: a log without one is of a version that only prefixed taken names. */
export function customPrefixOf(directory: Pick<Directory, 'record'>): CustomPrefix {
  return storedCustomPrefix(directory) ?? 'taken';
}
