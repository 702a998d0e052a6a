import { ownerAttributes } from '../../../shared/domain/access/record-access.ts';
import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { fieldTypeOf } from '../../../shared/domain/field/field-types.ts';
import {
  type GroupEntry,
  markOnePrimary,
  toGroupKey,
} from '../../../shared/domain/field/types/contact/read-group-entries.ts';
import { idsIn } from '../../../shared/domain/record/ids-in.ts';
import type { RecordState } from '../../../shared/domain/record/record-state.ts';
import type {
  AttributeValue,
  AttributeValues,
} from '../../../shared/domain/value/attribute-values.ts';
import type { SerializedRefusal } from '../owner/protocol.ts';

/**
 * The decision to merge records. It is stored in one event of the target, and determines which references are changed
 * and which sources are deleted.
 */
export interface MergePlan {
  readonly id: string;
  readonly actorId: string;
  readonly sourceIds: readonly string[];
  /**
   * The latest merge into each source when this merge was planned. If a source has a newer merge, it has changed since.
   */
  readonly seen: Readonly<Record<string, string | null>>;
}

/** Ids that the user may not link to, and the refusal for new links to them. */
export interface ForbiddenLink {
  readonly idAttribute: string;
  readonly ids: readonly string[];
  readonly refusal: SerializedRefusal;
}

/** A merge before the decision. Sent between instances as JSON. */
export interface PlannedMerge {
  readonly plan: MergePlan;
  /** The client's values for the target. */
  readonly update: {
    readonly values: AttributeValues;
    readonly links: {
      readonly values: AttributeValues;
      readonly unreadable: readonly ForbiddenLink[];
    };
  };
  /** The values that each source adds to the target. */
  readonly sources: readonly AttributeValues[];
  /** The latest merge into the target, which is already complete. */
  readonly previous: string | null;
}

/** Interrupted merges are completed for this many days. */
export const FOLLOWED_DAYS = 7;

export function mergePlanOf({ values }: RecordState): MergePlan | undefined {
  return readMergePlan(values['mergePlan']);
}

/** Reads the attribute with the plan of the latest merge. */
export function readMergePlan(text: AttributeValue | undefined): MergePlan | undefined {
  return typeof text === 'string' ? (JSON.parse(text) as MergePlan) : undefined;
}

export function mergeIdOf(state: RecordState): string | null {
  return mergePlanOf(state)?.id ?? null;
}

/**  Returns a source's multi-valued attributes, which are added to the target. The client chooses all other values. */
export function addedBy(model: EntityModel, { values }: RecordState): AttributeValues {
  const names = [
    ...groupFields(model).map(({ entries }) => entries),
    ...unitedLinks(model, {}).flatMap(({ ids, maps }) => [ids, ...maps]),
  ];
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = values[name];
      return value === undefined || value === null ? [] : [[name, value] as const];
    }),
  );
}

/** Returns the new values of the target, with the additions from the sources. */
export function unite(
  model: EntityModel,
  { current, after, sources, gone }: Uniting,
): AttributeValues {
  const united: Record<string, AttributeValue> = { ...after };
  const now = (name: string) => united[name] ?? current[name];
  for (const group of groupFields(model)) {
    const others = sources.flatMap((source) => entriesIn(source[group.entries]));
    const entries = uniteEntries([...entriesIn(now(group.entries)), ...others], group.addressKey);
    const primary = entries.find((entry) => entry.primary);
    if (others.length === 0 || primary === undefined) continue;
    united[group.entries] = entries;
    united[group.address] = primary[group.addressKey] ?? null;
    united[group.isOptedOut] = primary.optOut;
    united[group.isInvalid] = primary.invalid;
  }
  for (const { ids, maps } of unitedLinks(model, after)) {
    const before = idsIn(now(ids));
    const linked = [...before, ...sources.flatMap((source) => idsIn(source[ids]))];
    const kept = [...new Set(linked)].filter((id) => !gone.includes(id));
    if (kept.length === before.length && kept.every((id) => before.includes(id))) continue;
    united[ids] = kept;
    for (const map of maps) {
      const parts = [...sources.map((source) => source[map]), now(map)];
      const joined: AttributeValues = Object.assign({}, ...parts.map(Object));
      united[map] = Object.fromEntries(kept.map((id) => [id, joined[id] ?? null]));
    }
  }
  return united;
}

export interface Uniting {
  readonly current: AttributeValues;
  readonly after: AttributeValues;
  readonly sources: readonly AttributeValues[];
  /** Ids of all records in the merge, because links between these records are removed. */
  readonly gone: readonly string[];
}

/** Returns the fields with more entries than their limit. */
export function overfullGroups(model: EntityModel, after: AttributeValues) {
  return groupFields(model).filter(
    ({ entries, maxCount }) => entriesIn(after[entries]).length > maxCount,
  );
}

function groupFields({ fields }: EntityModel) {
  return [...fields].flatMap(([field, definition]) => {
    const group = fieldTypeOf(definition).group?.(field, definition);
    return group === undefined ? [] : [{ ...group, field }];
  });
}

/**
 * Returns the record's multiple links, with their columns. Omits links to users if they grant access, so that a merge
 * does not give access to more users. Includes teams unless the client chose them, because their members could read the
 * sources.
 */
function unitedLinks(model: EntityModel, chosen: AttributeValues) {
  const { owner, teams, readers } = ownerAttributes(model);
  const areTeamsChosen = teams !== undefined && Object.hasOwn(chosen, teams);
  const owning = new Set([owner, readers, ...(areTeamsChosen ? [teams] : [])]);
  return model.attributes.flatMap(({ name: ids, field, link }) => {
    const isClosed = model.fields.get(field)?.readOnly === true || owning.has(ids);
    if (link !== 'ids' || isClosed) return [];
    const perId = model.attributes.filter((one) => one.field === field && one.kind === 'json');
    return [{ ids, maps: perId.map(({ name }) => name) }];
  });
}

/** Combines entries without duplicates. The first entry that is marked as primary stays primary. */
function uniteEntries(
  entries: readonly GroupEntry[],
  key: 'emailAddress' | 'phoneNumber',
): readonly GroupEntry[] {
  const byKey = new Map<string, GroupEntry>();
  for (const entry of entries) {
    const name = toGroupKey(entry[key]);
    if (!byKey.has(name)) byKey.set(name, entry);
  }
  return markOnePrimary([...byKey.values()]);
}

function entriesIn(value: AttributeValue | undefined): readonly GroupEntry[] {
  return Array.isArray(value) ? (value as readonly GroupEntry[]) : [];
}
