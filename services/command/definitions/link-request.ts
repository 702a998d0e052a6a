import { linkTypes } from '../../../shared/domain/entity/definition/entity-definition.ts';
import { readFieldName } from '../../../shared/domain/field/definition/read-field-name.ts';
import {
  badField,
  readShortText,
} from '../../../shared/domain/field/definition/read-field-settings.ts';
import type { FieldDefinition } from '../../../shared/domain/field/field-types.ts';
import { textIn } from '../../../shared/http/require-object.ts';
import type { Body } from './definition-record.ts';

/** A link to be created, seen from the entity type whose records store the ids. */
export interface LinkRequest {
  readonly holder: string;
  readonly field: string;
  readonly definition: FieldDefinition;
  /** The entity types on the other side of the link. */
  readonly targets: readonly string[];
}

interface Side {
  readonly entityType: string;
  readonly name: unknown;
  readonly label: unknown;
}

/** Returns the link in a body. One-to-many and many-to-one are the same link, seen from opposite sides. */
export function readLinkRequest(body: Body): LinkRequest {
  const { linkType, link, label, linkForeign, labelForeign } = body;
  const foreignType = textIn(body, 'entityForeign');
  const near: Side = { entityType: textIn(body, 'entity'), name: link, label };
  const far: Side = { entityType: foreignType, name: linkForeign, label: labelForeign };
  switch (linkType) {
    case 'manyToOne':
      return toNamed('link', near, far);
    case 'oneToMany':
      return toNamed('link', far, near);
    case 'manyToMany':
      return toNamed('linkMultiple', near, far);
    case 'childrenToParent':
      return toParent(body, near, far);
    default:
      throw badField(`'linkType' must be one of ${linkTypes.join(', ')}.`);
  }
}

function toNamed(type: 'link' | 'linkMultiple', holder: Side, far: Side): LinkRequest {
  return {
    holder: holder.entityType,
    field: readFieldName(holder.name),
    targets: [far.entityType],
    definition: {
      type,
      entityType: far.entityType,
      foreign: readFieldName(far.name),
      ...labelsIn(holder.label, far.label),
      ...(type === 'linkMultiple' ? { singleReadOnly: true } : {}),
      isCustom: true,
    },
  };
}

function toParent(body: Body, holder: Side, far: Side): LinkRequest {
  const named = far.entityType === '' ? [] : [far.entityType];
  const entityList = readTypes(body, 'parentEntityTypeList') ?? named;
  const foreignEntityList = readTypes(body, 'foreignLinkEntityTypeList') ?? named;
  if (entityList.length === 0) throw badField("'parentEntityTypeList' is missing.");
  const unexpected = foreignEntityList.find((name) => !entityList.includes(name));
  if (unexpected !== undefined) {
    throw badField(
      "'foreignLinkEntityTypeList' must only contain types of 'parentEntityTypeList'.",
    );
  }
  return {
    holder: holder.entityType,
    field: readFieldName(holder.name),
    targets: entityList,
    definition: {
      type: 'linkParent',
      entityList,
      ...(foreignEntityList.length === 0
        ? {}
        : { foreign: readFieldName(far.name), foreignEntityList }),
      ...labelsIn(holder.label, far.label),
      isCustom: true,
    },
  };
}

const MAX_TYPES = 100;

function readTypes(body: Body, name: string): readonly string[] | undefined {
  const value = body[name];
  if (value === undefined || value === null) return undefined;
  const isList = Array.isArray(value) && value.every((one) => typeof one === 'string');
  if (isList && value.length <= MAX_TYPES && new Set(value).size === value.length) return value;
  throw badField(`'${name}' must be a list of at most ${MAX_TYPES} different entity types.`);
}

/** Returns the labels for both sides of a link. */
export function labelsIn(label: unknown, foreignLabel: unknown) {
  return { ...labelled('label', label), ...labelled('foreignLabel', foreignLabel) };
}

function labelled(name: 'label' | 'foreignLabel', value: unknown) {
  if (value === undefined || value === null) return {};
  return { [name]: readShortText(value, name === 'label' ? name : 'labelForeign') };
}
