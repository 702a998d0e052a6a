import { type Directory, settingType } from './directory.ts';

export const customPrefixes = ['taken', 'always', 'never'] as const;

/**
 * Determines when names of custom entity types and fields get a prefix. `taken` adds it only to entity types whose name
 * Annals itself uses.
 */
export type CustomPrefix = (typeof customPrefixes)[number];

/** The id of the setting in the directory log. */
export const customPrefixId = 'customPrefix';

/** Returns the choice stored in the log; undefined if the log has none. */
export function storedCustomPrefix(directory: Pick<Directory, 'record'>): CustomPrefix | undefined {
  const stored = directory.record(settingType, customPrefixId)?.values['choice'];
  return customPrefixes.find((choice) => choice === stored);
}

/** Returns the effective choice. Logs without a choice were written by a version that prefixed only taken names. */
export function customPrefixOf(directory: Pick<Directory, 'record'>): CustomPrefix {
  return storedCustomPrefix(directory) ?? 'taken';
}
