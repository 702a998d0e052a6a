import { type LabelLanguage, toLabelLanguage } from '../domain/entity/labels/labels.ts';

/** Returns the first known language of an Accept-Language header; undefined if it has none. */
export function acceptedLanguage(header = ''): LabelLanguage | undefined {
  return namesIn(header).flatMap((name) => toLabelLanguage(name) ?? [])[0];
}

const MAX_HEADER_LENGTH = 1000;

/** Returns the names in an Accept-Language header (RFC 9110), the preferred one first. Ignores names with weight 0. */
function namesIn(header: string): readonly string[] {
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
