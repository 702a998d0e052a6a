import type { MessageKey } from '../messages/en.ts';
import type { PageKey } from '../messages/en-pages.ts';

type Values = Readonly<Record<string, string | number>>;
export type Translate<Key extends string> = (key: Key, values?: Values) => string;
/** Looks up the texts of every page, and the texts that are loaded with some pages. */
export type PageTranslate = Translate<MessageKey | PageKey>;

/**
 * Returns a function that looks up a text by key and fills placeholders such as `{name}`. A text with a plural has two
 * forms, separated by ` | `: singular and plural. `{count}` selects the form. Numbers are formatted in the language.
 */
export function translator<Key extends string>(
  messages: Readonly<Record<Key, string>>,
  language: string,
): Translate<Key> {
  const plurals = new Intl.PluralRules(language);
  const numbers = new Intl.NumberFormat(language);
  return (key, values = {}) => {
    const [one = '', others = one] = messages[key].split(' | ');
    const count = values['count'];
    const isOne = typeof count === 'number' && plurals.select(count) === 'one';
    const text = isOne ? one : others;
    return text.replaceAll(/\{(\w+)\}/g, (placeholder, name) => {
      const value = values[name];
      if (value === undefined) return placeholder;
      return typeof value === 'number' ? numbers.format(value) : value;
    });
  };
}
