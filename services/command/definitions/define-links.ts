import type { Directory } from '../../../shared/domain/directory/directory.ts';
import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { type EntityLink, linksOf } from '../../../shared/domain/entity/model/links.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import { attributesOf } from '../../../shared/domain/field/attributes-of.ts';
import { badField } from '../../../shared/domain/field/definition/read-field-settings.ts';
import type { FieldDefinition } from '../../../shared/domain/field/field-types.ts';
import { printable } from '../../../shared/domain/printable.ts';
import type { Decision } from '../../../shared/domain/record/decide.ts';
import type { RecordState } from '../../../shared/domain/record/record-state.ts';
import { textIn } from '../../../shared/http/require-object.ts';
import { requireUnshown } from './define-fields.ts';
import {
  type Body,
  type DefinitionChange,
  fieldsIn,
  requireCustomizable,
  requireFreeLinkName,
  requireFreeName,
  requireRoom,
  requireSameType,
  unknownEntity,
  withoutField,
  writeDefinition,
} from './definition-record.ts';
import { type LinkRequest, labelsIn, readLinkRequest } from './link-request.ts';

export const linkKinds = ['createLink', 'updateLink', 'removeLink'] as const;
export type LinkKind = (typeof linkKinds)[number];

/**
 * Returns the entity type whose definition contains the single field that stores a link. Returns the requested entity
 * type if the link does not exist.
 */
export function holderOf(directory: Directory, kind: LinkKind, body: Body): string {
  if (kind === 'createLink') return readLinkRequest(body).holder;
  return findLink(directory, body)?.holder.name ?? textIn(body, 'entity');
}

/**
 * Checks both sides, then writes the single field that stores the link and its name on the other side. `entityType` is
 * the result of `holderOf`.
 */
export function changeLink(
  directory: Directory,
  { kind, entityType, body }: DefinitionChange<LinkKind>,
  current: RecordState | undefined,
): Decision | undefined {
  if (kind === 'createLink') return createLink(directory, readLinkRequest(body), current);
  const custom = findLink(directory, body);
  if (custom === undefined) throw unknownLink(textIn(body, 'link'));
  const { holder, field, own, link } = custom;
  // The link was removed and created again from the other side after the request arrived.
  if (holder.name !== entityType) throw unknownLink(field);
  if (kind === 'removeLink') {
    requireUnshown(holder, field);
    return withoutField(current, field);
  }
  for (const name of ['parentEntityTypeList', 'foreignLinkEntityTypeList']) {
    if (body[name] === undefined || body[name] === null) continue;
    throw badField(
      `'${name}' cannot be changed. Remove the link and create it again: its values are kept.`,
    );
  }
  const { label, labelForeign } = body;
  const labels =
    link.heldBy === 'self' ? labelsIn(label, labelForeign) : labelsIn(labelForeign, label);
  const fields = fieldsIn(current, 'fields');
  return writeDefinition(current, { fields: { ...fields, [field]: { ...own, ...labels } } });
}

function createLink(
  directory: Directory,
  request: LinkRequest,
  current: RecordState | undefined,
): Decision | undefined {
  const { field, definition } = request;
  const holder = requireCustomizable(directory, request.holder);
  // Deletions and merges update links only in the records log.
  if (holder.definition.log === 'directory') {
    throw badField(`${holder.name} cannot store the ids of a link. Use manyToOne or manyToMany.`);
  }
  const fields = fieldsIn(current, 'fields');
  const half = Object.hasOwn(fields, field) ? fields[field] : undefined;
  if (half === undefined || !isHalfOf(half, request, { directory, holder })) {
    requireFreeName(directory, holder, { name: field, definition });
    requireRoom(fields);
  }
  for (const name of request.targets) requireFreeTarget(directory, name, request);
  requireSameType(fieldsIn(current, 'removedFields'), field, definition);
  return writeDefinition(current, { fields: { ...fields, [field]: definition } });
}

/** Directory entity types that custom links may point to. */
const linked: ReadonlySet<string> = new Set(['User', 'Team']);

function requireFreeTarget(directory: Directory, name: string, request: LinkRequest): void {
  const { holder, field, definition } = request;
  const { foreign, foreignEntityList } = definition;
  const target = directory.entity(name);
  const isLinkable = target?.definition.isObject === true || linked.has(name);
  if (target === undefined || !isLinkable) throw unknownEntity(name);
  if (foreign === undefined || foreignEntityList?.includes(name) === false) return;
  requireFreeLinkName(directory, target, foreign);
  const names = [field, ...attributesOf(field, definition).map((attribute) => attribute.name)];
  if (name === holder && names.includes(foreign)) {
    throw badField(
      "'link' and 'linkForeign' must differ when a link connects an entity type with itself.",
    );
  }
}

/** Returns true if a crash of version 0.1 left this link half-written: that version wrote links in two steps. */
function isHalfOf(
  half: FieldDefinition,
  { field, definition }: LinkRequest,
  { directory, holder }: { readonly directory: Directory; readonly holder: EntityModel },
): boolean {
  const isSame = half.type === definition.type && half.entityType === definition.entityType;
  const link = linksOf(holder, directory.entity).get(field);
  return half.isCustom === true && isSame && link !== undefined && link.foreign === undefined;
}

interface FoundLink {
  readonly holder: EntityModel;
  readonly field: string;
  readonly own: FieldDefinition;
  /** The link as seen from the requested entity type. */
  readonly link: EntityLink;
}

/** Finds a custom link by its name on either side. */
function findLink(directory: Directory, body: Body): FoundLink | undefined {
  const model = directory.entity(textIn(body, 'entity'));
  const link = model && linksOf(model, directory.entity).get(textIn(body, 'link'));
  const holder = link?.heldBy === 'self' ? model : directory.entity(link?.entityType ?? '');
  const own = link && holder?.definition.fields[link.field];
  if (link === undefined || holder === undefined || own?.isCustom !== true) return undefined;
  // Version 0.1 stored the foreign name in the definition of the other side.
  const foreign = link.heldBy === 'self' ? link.foreign : link.name;
  const isComplete = own.entityList !== undefined || foreign === undefined;
  const named = isComplete ? own : ({ ...own, foreign } as FieldDefinition);
  return { holder, field: link.field, link, own: named };
}

function unknownLink(name: string): Refusal {
  return new Refusal(
    'not_found',
    'field.unknown',
    `Custom link '${printable(name)}' does not exist.`,
  );
}
