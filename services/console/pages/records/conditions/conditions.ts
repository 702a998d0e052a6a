import type { Condition } from '../../../api/records.ts';

/** A condition that is being edited: on an attribute, or a group of which all or at least one must match. */
export type Draft = DraftCondition | DraftGroup;

export interface DraftGroup {
  readonly kind: 'group';
  readonly type: 'and' | 'or';
  readonly parts: readonly Draft[];
}

export interface DraftCondition {
  readonly kind: 'condition';
  readonly attribute: string;
  readonly type: string;
  readonly value: unknown;
}

const deepest = 10;
const most = 200;

/** Parses conditions from an address; undefined if they are malformed. The server validates attributes and operators. */
export function readConditions(raw: unknown): readonly Condition[] | undefined {
  if (!Array.isArray(raw) || raw.length === 0) return undefined;
  let count = 0;
  const isCondition = (one: unknown, depth: number): boolean => {
    count += 1;
    const { type, attribute, value } = Object(one);
    if (typeof type !== 'string' || depth > deepest || count > most) return false;
    if (type === 'and' || type === 'or') {
      return Array.isArray(value) && value.every((part) => isCondition(part, depth + 1));
    }
    return typeof attribute === 'string';
  };
  return raw.every((one) => isCondition(one, 1)) ? raw : undefined;
}

export function toDraft({ type, attribute, value }: Condition): Draft {
  if (type === 'and' || type === 'or') {
    return { kind: 'group', type, parts: (value as readonly Condition[]).map(toDraft) };
  }
  return { kind: 'condition', attribute: attribute ?? '', type, value };
}

/** Converts drafts to conditions, without incomplete ones. */
export function toConditions(
  drafts: readonly Draft[],
  timeZoneOf: (attribute: string) => string | undefined,
): readonly Condition[] {
  return drafts.flatMap((draft): readonly Condition[] => {
    if (draft.kind === 'condition') return toCondition(draft, timeZoneOf(draft.attribute));
    const value = toConditions(draft.parts, timeZoneOf);
    return value.length === 0 ? [] : [{ type: draft.type, value }];
  });
}

function toCondition(
  { attribute, type, value }: DraftCondition,
  timeZone: string | undefined,
): readonly Condition[] {
  if (attribute === '' || type === '') return [];
  const isBare = value === undefined || value === null || value === '';
  const condition = {
    type,
    attribute,
    ...(isBare ? {} : { value }),
    ...(timeZone === undefined ? {} : { dateTime: true, timeZone }),
  };
  return [condition as Condition];
}
