import type { EntityModel } from '../model/entity-model.ts';
import { english } from './english.ts';
import { german } from './german.ts';

/** The languages in which Annals ships labels. */
export const labelLanguages = { en: english, de: german } as const;
export type LabelLanguage = keyof typeof labelLanguages;

/** Returns the language of a name such as `de_DE` or `de-AT`; undefined if Annals does not have labels in it. */
export function toLabelLanguage(name: string): LabelLanguage | undefined {
  const [language = ''] = name.toLowerCase().split(/[-_]/);
  return isLabelLanguage(language) ? language : undefined;
}

function isLabelLanguage(language: string): language is LabelLanguage {
  return Object.hasOwn(labelLanguages, language);
}

/** Returns the singular and the plural of an entity type. Administrators' labels apply in every language. */
export function labelsOfType(
  { name, definition }: EntityModel,
  language: LabelLanguage,
): readonly [one: string, many: string] {
  const shipped =
    definition.isCustom === true ? undefined : own(labelLanguages[language].types, name);
  const [one, many] = shipped ?? [toWords(name), toPlural(toWords(name))];
  const { label = one, labelPlural = label === one ? many : toPlural(label) } = definition;
  return [label, labelPlural];
}

/** Returns the label of a shipped field or link. */
export function labelOfName(name: string, entityType: string, language: LabelLanguage): string {
  const { names, namesByType } = labelLanguages[language];
  return own(namesByType[entityType] ?? {}, name) ?? own(names, name) ?? toWords(name);
}

/** Returns the label of an option of a shipped field. Options that administrators added serve as their own labels. */
export function labelOfOption(
  option: string,
  { entityType, field }: { readonly entityType: string; readonly field: string },
  language: LabelLanguage,
): string {
  const { options, optionsByField, names } = labelLanguages[language];
  const known = own(optionsByField[`${entityType}.${field}`] ?? {}, option) ?? own(options, option);
  // Options can be names of fields, as in `LeadCapture.fieldList`.
  return known ?? (/^[a-z]/.test(option) ? (own(names, option) ?? toWords(option)) : option);
}

function own<Value>(texts: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(texts, name) ? texts[name] : undefined;
}

/** Converts `billingAddress` to `Billing address`. */
export function toWords(name: string): string {
  const words = name.replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function toPlural(words: string): string {
  if (/[^aeiou]y$/.test(words)) return `${words.slice(0, -1)}ies`;
  return /(?:s|x|ch)$/.test(words) ? `${words}es` : `${words}s`;
}
