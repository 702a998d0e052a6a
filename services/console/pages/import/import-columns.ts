import type { Entity, Field } from '../../api/metadata.ts';
import { usePreference } from '../../api/preferences.ts';

/** The attribute of each column, by the column's name in the header. */
type ColumnMapping = Readonly<Record<string, string>>;

/** An attribute that a column can fill. */
export interface ImportTarget {
  readonly value: string;
  readonly label: string;
}

const addressParts = ['Street', 'City', 'State', 'PostalCode', 'Country'];
const withoutColumn: ReadonlySet<string> = new Set([
  'attachmentMultiple',
  'autoincrement',
  'barcode',
  'file',
  'foreign',
  'image',
  'linkMultiple',
  'linkOne',
  'linkParent',
  'map',
  'number',
  'password',
]);

/** Returns the attributes that a file can fill, sorted by label. */
export function targetsOf(entity: Entity): readonly ImportTarget[] {
  return Object.entries(entity.fields)
    .flatMap(([name, field]) => attributesOf(name, field))
    .map((value) => ({ value, label: labelOf(entity, value) }))
    .toSorted((one, other) => one.label.localeCompare(other.label));
}

function attributesOf(name: string, { type, readOnly }: Field): readonly string[] {
  if (readOnly === true || withoutColumn.has(type)) return [];
  const suffix = name.charAt(0).toUpperCase() + name.slice(1);
  switch (type) {
    case 'link':
      return [`${name}Name`];
    case 'personName':
      return [name, `first${suffix}`, `last${suffix}`];
    case 'address':
      return addressParts.map((part) => name + part);
    case 'currency':
      return [name, `${name}Currency`];
    default:
      return [name];
  }
}

/** A link is filled with the name of the linked record. */
function labelOf(entity: Entity, attribute: string): string {
  const link = attribute.replace(/Name$/, '');
  return entity.labelOf(link !== attribute && link in entity.fields ? link : attribute);
}

/**
 * Returns the attribute of each column: as mapped the last time, otherwise the attribute with the same name or label,
 * otherwise one whose name or label begins with that of the column (`Email` → `emailAddress`).
 */
export function mapColumns(
  header: readonly string[],
  targets: readonly ImportTarget[],
  known: ColumnMapping,
): readonly (string | null)[] {
  const taken = new Set<string>();
  const take = (found: ImportTarget | undefined): string | null => {
    if (found === undefined || taken.has(found.value)) return null;
    taken.add(found.value);
    return found.value;
  };
  const exact = header.map((column) =>
    take(
      targets.find(({ value }) => value === known[column]) ??
        targets.find(({ value, label }) => [value, label].some((one) => isSame(one, column))),
    ),
  );
  return header.map((column, index) => exact[index] ?? take(findLonger(column, targets)));
}

/** Shorter column names, such as `No.`, say too little. */
const MIN_BEGINNING = 4;

/** Returns the attribute whose name or label begins with a column's name, the shortest one of several. */
function findLonger(column: string, targets: readonly ImportTarget[]): ImportTarget | undefined {
  const beginning = plain(column);
  if (beginning.length < MIN_BEGINNING) return undefined;
  return targets
    .filter(({ value, label }) => [value, label].some((one) => plain(one).startsWith(beginning)))
    .toSorted((one, other) => one.value.length - other.value.length)[0];
}

function isSame(one: string, other: string): boolean {
  return plain(one) === plain(other);
}

function plain(text: string): string {
  return text.toLowerCase().replaceAll(/[\s_.-]/g, '');
}

/**
 * Returns the columns of an entity type that the user mapped the last time, and a function that remembers others. A
 * mapping that cannot be stored must not keep the user from importing.
 */
export function useColumnMapping(
  entity: string,
): readonly [ColumnMapping, (mapping: ColumnMapping) => void] {
  const [stored, store] = usePreference(`annals-import-${entity}`, () => undefined);
  return [Object(stored), store];
}
