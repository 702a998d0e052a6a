import type { Directory } from '../../../shared/domain/directory/directory.ts';
import {
  type LabelLanguage,
  toLabelLanguage,
} from '../../../shared/domain/entity/labels/labels.ts';
import { preferenceOf, preferencesType } from '../../../shared/domain/preferences/preferences.ts';

/**
 * Returns the language for the labels of a request: the first known language of `Accept-Language`, else the user's
 * preference, else the language in the settings.
 */
export function readLanguage(
  acceptLanguage: string | undefined,
  { directory, userId }: { readonly directory: Directory; readonly userId: string | undefined },
): LabelLanguage {
  const accepted = acceptedLanguages(acceptLanguage ?? '').flatMap(
    (name) => toLabelLanguage(name) ?? [],
  );
  const stored = userId === undefined ? undefined : directory.record(preferencesType, userId);
  return accepted[0] ?? toLabelLanguage(String(preferenceOf(stored, 'language'))) ?? 'en';
}

/** Returns the names in an Accept-Language header (RFC 9110), the preferred one first. Ignores names with weight 0. */
function acceptedLanguages(header: string): readonly string[] {
  return header
    .slice(0, MAX_HEADER_LENGTH)
    .split(',')
    .map((item) => {
      const [name = '', weight] = item.split(';').map((part) => part.trim());
      return { name, weight: weight === undefined ? 1 : Number(/^q=([\d.]+)$/.exec(weight)?.[1]) };
    })
    .filter(({ weight }) => weight > 0)
    .toSorted((left, right) => right.weight - left.weight)
    .map(({ name }) => name);
}

const MAX_HEADER_LENGTH = 1000;
