import type { Entity, Field } from '../../../api/metadata.ts';
import type { AnyRecord } from '../../../api/records.ts';

type Values = Readonly<Record<string, unknown>>;

interface Origin {
  readonly entity: Entity;
  readonly record: AnyRecord;
  readonly link: string;
}

/**
 * Returns values of a new record that link it with a record, and with the account of that record; undefined if no field
 * of the new record holds the link.
 */
export function linkingValues(from: Origin, target: Entity): Values | undefined {
  const { entity, record } = from;
  const foreign = linkingField(from, target);
  const field = foreign === undefined ? undefined : target.fields[foreign];
  if (foreign === undefined || field === undefined) return undefined;
  const attributes = attributesOf(foreign, field);
  if (attributes.length === 0) return undefined;
  const { id, name } = record;
  const given: Values = {
    [`${foreign}Id`]: id,
    [`${foreign}Type`]: entity.name,
    [`${foreign}Name`]: name,
    [`${foreign}Ids`]: [id],
    [`${foreign}Names`]: { [id]: name },
  };
  return {
    ...accountOf(record, target),
    ...Object.fromEntries(attributes.map((attribute) => [attribute, given[attribute]])),
  };
}

/**
 * Returns the field of a new record that holds the link. If it can hold several, that is the field of the primary one,
 * which forms show: a new contact of an account has the account as `account`, not only in `accounts`.
 */
export function linkingField(
  { entity: { links }, link }: Pick<Origin, 'entity' | 'link'>,
  { fields }: Entity,
): string | undefined {
  const { [link]: linked, [`${link}Primary`]: primary } = links;
  const foreign = linked?.foreign;
  const isSeveral = foreign !== undefined && fields[foreign]?.type === 'linkMultiple';
  return isSeveral ? (primary?.foreign ?? foreign) : foreign;
}

/** A contact's new task, for instance, belongs to the contact's account. */
function accountOf({ accountId, accountName }: Values, { fields }: Entity): Values {
  const field = fields['account'];
  const isHeld = field?.type === 'link' && attributesOf('account', field).length > 0;
  return isHeld && typeof accountId === 'string' ? { accountId, accountName } : {};
}

/**
 * Returns the values in an address that are parts of links or times, or the status; undefined if the address has
 * something else.
 */
export function readLinkingValues(entity: Entity, raw: unknown): Values | undefined {
  if (typeof raw !== 'object' || raw === null) return undefined;
  const known = new Set([
    ...Object.entries(entity.fields).flatMap(([name, field]) => [
      ...attributesOf(name, field),
      ...timesOf(name, field),
    ]),
    entity.scope.statusField,
  ]);
  return Object.keys(raw).every((name) => known.has(name)) ? { ...raw } : undefined;
}

const suffixes: Readonly<Record<string, readonly string[]>> = {
  link: ['Id', 'Name'],
  linkParent: ['Id', 'Type', 'Name'],
  linkMultiple: ['Ids', 'Names'],
};

/** Returns the attributes of a link that users can set. */
function attributesOf(name: string, { type, readOnly, notStorable }: Field): readonly string[] {
  if (readOnly === true || notStorable === true) return [];
  return (suffixes[type] ?? []).map((suffix) => `${name}${suffix}`);
}

/** Returns the attributes of a time. The flag for whole days belongs to the times of an event. */
function timesOf(name: string, { type, readOnly }: Field): readonly string[] {
  if (readOnly === true) return [];
  if (type === 'datetimeOptional') return [name, `${name}Date`];
  return type === 'datetime' || name === 'isAllDay' ? [name] : [];
}
