import { accessLevel } from '../../../../shared/domain/access/actor.ts';
import { hasRecordAccess } from '../../../../shared/domain/access/record-access.ts';
import type { EntityModel } from '../../../../shared/domain/entity/model/entity-model.ts';
import { type FieldDefinition, fieldTypeOf } from '../../../../shared/domain/field/field-types.ts';
import { live } from '../../../../shared/domain/record/decide.ts';
import { idsIn } from '../../../../shared/domain/record/ids-in.ts';
import {
  type AttributeValues,
  toObject,
} from '../../../../shared/domain/value/attribute-values.ts';
import type { CommandContext } from '../../context.ts';
import type { WriteRequest } from '../../owner/command.ts';
import type { Decide } from '../../writer/submission.ts';
import { decideChange } from '../input/decide-change.ts';
import {
  cannotLinkAlreadyLinked,
  cannotUnlinkRequired,
  type LinkSide,
  noLinkAccess,
} from '../input/link-refusals.ts';
import { requireConditions } from '../input/require-conditions.ts';

/** A change to links that a record stores in one of its fields. Sent between instances as JSON. */
export interface LinkChange extends LinkedIds {
  /** The entity type to which the ids belong. */
  readonly entityType: string;
  /**
   * The side of the link on which the record is, as seen from the request. Absent for the record in the request's path.
   */
  readonly side?: LinkSide | undefined;
  /** If true, the change is rejected if the record is already linked with another record. */
  readonly keepsLinked?: boolean | undefined;
  /**
   * True if the same request created the records with these ids: the permission to create a record includes linking it.
   */
  readonly isNew?: boolean | undefined;
  /** Id of a linked record whose link columns are copied to the new links. */
  readonly columnsOf?: string | undefined;
}

/** Changes the links of one record. Idempotent. */
export async function prepareLinkChange(
  verb: 'link' | 'unlink',
  { actor, model, id, body, conditions }: WriteRequest<LinkChange>,
  context: CommandContext,
): Promise<Decide> {
  const change = changeIn(model, body);
  const { ids, entityType, side } = change;
  if (accessLevel(actor, model.name, 'edit') === 'no') throw noLinkAccess(side, model.name);
  if (change.isNew !== true) {
    await context.requireEditable({ ids, entityType, actor, side: otherSides[side] });
  }
  const values = valuesOf(change);
  const links = verb === 'link' ? await context.resolveLinks({ model, values, actor }) : undefined;
  const [hidden] = links?.unreadable ?? [];
  if (hidden !== undefined && change.isNew !== true) throw hidden.refusal;
  return (state, { now }) => {
    const current = live(state, id);
    const isAllowed = hasRecordAccess(actor, 'edit', { model, id, values: current.values });
    if (!isAllowed) throw noLinkAccess(side, model.name);
    requireConditions(current, { actor, model, conditions });
    const after =
      links === undefined
        ? withoutLinks(change, current.values)
        : withLinks(change, current.values, { ...values, ...links.values });
    return decideChange(model, current, after, now);
  };
}

const otherSides = { own: 'foreign', foreign: 'own' } as const;

interface FieldChange extends LinkChange {
  readonly definition: FieldDefinition;
  readonly side: LinkSide;
}

function changeIn(model: EntityModel, { side = 'own', ...change }: LinkChange): FieldChange {
  const definition = model.fields.get(change.field);
  if (definition === undefined) throw new Error('the definition of the link no longer exists');
  return { ...change, definition, side };
}

function valuesOf({ field, definition, ids, entityType }: FieldChange): AttributeValues {
  const { relation } = fieldTypeOf(definition);
  if (relation === 'hasMany') return { [`${field}Ids`]: ids };
  const [id = null] = ids;
  if (relation === 'belongsToParent') return { [`${field}Id`]: id, [`${field}Type`]: entityType };
  return { [`${field}Id`]: id };
}

function withLinks(
  { field, definition, ids, keepsLinked, columnsOf }: FieldChange,
  current: AttributeValues,
  linked: AttributeValues,
): AttributeValues {
  if (fieldTypeOf(definition).relation !== 'hasMany') {
    const linkedId = current[`${field}Id`] ?? null;
    const isTaken = linkedId !== null && !ids.includes(String(linkedId));
    if (keepsLinked === true && isTaken) throw cannotLinkAlreadyLinked();
    return linked;
  }
  return {
    ...addedToLink({ field, ids }, current, linked),
    ...columnsLike(columnsOf, { field, ids }, current),
  };
}

function columnsLike(
  id: string | undefined,
  { field, ids }: LinkedIds,
  current: AttributeValues,
): AttributeValues {
  const row = toObject(current[`${field}Columns`])[id ?? ''];
  if (row === undefined) return {};
  return { [`${field}Columns`]: Object.fromEntries(ids.map((one) => [one, row])) };
}

/** Ids in a field that stores links. */
interface LinkedIds {
  readonly field: string;
  readonly ids: readonly string[];
}

/** Returns the values of a multiple link with these ids added. `named` contains their names. */
export function addedToLink(
  { field, ids }: LinkedIds,
  current: AttributeValues,
  named: AttributeValues,
): AttributeValues {
  const before = idsIn(current[`${field}Ids`]);
  const added = ids.filter((id) => !before.includes(id));
  return {
    [`${field}Ids`]: [...before, ...added],
    [`${field}Names`]: {
      ...toObject(current[`${field}Names`]),
      ...toObject(named[`${field}Names`]),
    },
  };
}

function withoutLinks(
  { field, definition, ids, entityType }: FieldChange,
  current: AttributeValues,
): AttributeValues {
  const { relation } = fieldTypeOf(definition);
  if (relation === 'hasMany') {
    const names = Object.entries(toObject(current[`${field}Names`]));
    return {
      [`${field}Ids`]: idsIn(current[`${field}Ids`]).filter((id) => !ids.includes(id)),
      [`${field}Names`]: Object.fromEntries(names.filter(([id]) => !ids.includes(id))),
    };
  }
  const isParent = relation === 'belongsToParent';
  const isOther = isParent && current[`${field}Type`] !== entityType;
  if (isOther || !ids.includes(String(current[`${field}Id`]))) return {};
  if (definition.required === true) throw cannotUnlinkRequired();
  return {
    [`${field}Id`]: null,
    [`${field}Name`]: null,
    ...(isParent ? { [`${field}Type`]: null } : {}),
  };
}
