import type { Directory } from '../../../shared/domain/directory/directory.ts';
import {
  type LabelLanguage,
  toLabelLanguage,
} from '../../../shared/domain/entity/labels/labels.ts';
import { preferenceOf, preferencesType } from '../../../shared/domain/preferences/preferences.ts';
import { acceptedLanguage } from '../../../shared/http/accepted-language.ts';

/**
 * Returns the language for the labels of a request: the first known language of `Accept-Language`, else the user's
 * preference, else the language in the settings.
 */
export function readLanguage(
  acceptLanguage: string | undefined,
  { directory, userId }: { readonly directory: Directory; readonly userId: string | undefined },
): LabelLanguage {
  const stored = userId === undefined ? undefined : directory.record(preferencesType, userId);
  const accepted = acceptedLanguage(acceptLanguage);
  return accepted ?? toLabelLanguage(String(preferenceOf(stored, 'language'))) ?? 'en';
}
