type Values = Readonly<Record<string, string | number>>;
export type Translate<Key extends string> = (key: Key, values?: Values) => string;

/**
 * Texts have places such as `{name}`. What depends on a number has two texts with a bar between them, for one and for
 * others; `{count}` is that number, and written as the language writes numbers.
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
    return text.replaceAll(/\{(\w+)\}/g, (place, name) => {
      const value = values[name];
      if (value === undefined) return place;
      return typeof value === 'number' ? numbers.format(value) : value;
    });
  };
}
