import type { EntityDefinition } from '../entity/definition/entity-definition.ts';
import type { EntityModel } from '../entity/model/entity-model.ts';
import { Refusal } from '../errors.ts';
import type { Attribute } from '../field/attribute.ts';
import { printable } from '../printable.ts';

/** How the records of an entity type are grouped by their status. */
export interface Board {
  readonly status: Attribute;
  /** The options of the status that are shown, in their order. */
  readonly groups: readonly string[];
}

/** Returns the field that contains the status or stage of a record; undefined if it has neither. */
export function statusFieldOf({ fields }: Pick<EntityDefinition, 'fields'>): string | undefined {
  return ['status', 'stage'].find((name) => fields[name] !== undefined);
}

/** Returns the board of an entity type; undefined if its records have no status with fixed options. */
export function boardOf({ attribute, definition }: EntityModel): Board | undefined {
  const field = statusFieldOf(definition) ?? '';
  const described = definition.fields[field];
  const status = attribute.get(field);
  if (!definition.isObject || described?.type !== 'enum' || status === undefined) return undefined;
  const { boardOmits = [] } = definition;
  const groups = (described.options ?? []).filter(
    (option) => option !== '' && !boardOmits.includes(option),
  );
  return groups.length === 0 ? undefined : { status, groups };
}

export function requireBoard(model: EntityModel): Board {
  const board = boardOf(model);
  if (board !== undefined) return board;
  throw new Refusal(
    'invalid',
    'kanban.no_status',
    `'${model.name}' has no board, because its records have no status or stage with options.`,
  );
}

export function requireGroup({ groups }: Board, group: string): void {
  if (groups.includes(group)) return;
  throw new Refusal(
    'forbidden',
    'kanban.unknown_group',
    `The board has no group '${printable(group)}'.`,
  );
}
