import type { ExpectedPart } from './read-stock-types.ts';

/** An entity type in the response of `GET Metadata`. */
interface Described {
  readonly fields: Parts;
  readonly links: Parts;
}

type Parts = Readonly<Record<string, Readonly<Record<string, unknown>>>>;
export type EntityDefs = Readonly<Record<string, Described>>;

/** An expectation of EspoCRM clients that the metadata does not meet. */
export interface Difference {
  /** `Account.industry options`, or `Account.industry` if the field is missing. */
  readonly name: string;
  readonly expected: string;
  readonly found: string;
}

/**
 * Compares entity types of the metadata with what clients expect of them. Types that the metadata does not
 * contain are skipped.
 */
export function compareStockTypes(
  entityDefs: EntityDefs,
  expected: readonly ExpectedPart[],
): readonly Difference[] {
  return expected.flatMap((part) => {
    const described = entityDefs[part.entityType];
    if (described === undefined) return [];
    const name = `${part.entityType}.${part.name}`;
    const found = described[part.kind === 'field' ? 'fields' : 'links'][part.name];
    if (found === undefined) {
      return [{ name, expected: `a ${part.kind} ${part.type}`, found: 'nothing' }];
    }
    const compared =
      part.kind === 'field' ? fieldRows(part, found, described.links) : linkRows(part, found);
    return compared
      .filter(([, wanted, given]) => wanted !== undefined && wanted !== given)
      .map(([aspect, wanted, given]) => ({
        name: `${name} ${aspect}`,
        expected: String(wanted),
        found: given ?? 'nothing',
      }));
  });
}

/** An aspect with its expected value (undefined: not specified) and its actual value. */
type Row = readonly [aspect: string, wanted: string | undefined, given: string | undefined];

function fieldRows(part: ExpectedPart, found: Parts[string], links: Parts): readonly Row[] {
  return [
    ['type', part.type, String(found['type'])],
    ['required', yesOrNo(part.isRequired), yesOrNo(found['required'] === true)],
    ['readOnly', yesOrNo(part.isReadOnly), yesOrNo(found['readOnly'] === true)],
    ['default', defaultOf(part), asText(found['default'])],
    ['maxLength', undefinedIfEmpty(part.maxLength), asText(found['maxLength'])],
    ['options', part.options && JSON.stringify(part.options), JSON.stringify(found['options'])],
    ['target', wantedTarget(part), targetOf(part, found, links)],
  ];
}

function linkRows(part: ExpectedPart, found: Parts[string]): readonly Row[] {
  const [entity = '', foreign = ''] = part.target.split('.');
  return [
    ['type', part.type, String(found['type'])],
    ['entity', undefinedIfEmpty(entity), asText(found['entity'])],
    ['foreign', undefinedIfEmpty(foreign), asText(found['foreign'])],
  ];
}

/** `meetings.None` means a column of the link, which the table does not name. */
function wantedTarget({ type, target }: ExpectedPart): string | undefined {
  if (type === 'linkParent' && target !== '') return JSON.stringify(JSON.parse(target));
  return undefinedIfEmpty(target.replace(/\.None$/, ''));
}

function targetOf({ type, name }: ExpectedPart, found: Parts[string], links: Parts) {
  if (type === 'foreign') return `${found['link']}.${found['field']}`;
  if (type === 'enum') return asText(found['link']);
  if (type === 'linkParent') return JSON.stringify(found['entityList']);
  return asText(links[name]?.['entity'] ?? found['entity']);
}

/** The table has `yes` and `no` for booleans; defaults that clients fill in do not concern the server. */
function defaultOf({ type, default: usual }: ExpectedPart): string | undefined {
  if (usual === '(client)') return undefined;
  if (type !== 'bool') return undefinedIfEmpty(usual);
  return usual === '' ? undefined : String(usual === 'yes');
}

function undefinedIfEmpty(text: string): string | undefined {
  return text === '' ? undefined : text;
}

function yesOrNo(value: boolean): string {
  return value ? 'yes' : 'no';
}

function asText(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
