import type { Directory } from '../../../shared/domain/directory/directory.ts';
import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { linksOf } from '../../../shared/domain/entity/model/links.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import { attributesOf } from '../../../shared/domain/field/attributes-of.ts';
import type { FieldDefinition } from '../../../shared/domain/field/field-types.ts';

/**
 * Rejects a field whose name is in use by a field or link of the entity type, or whose attributes (`x`, `xId`) belong to
 * another field.
 */
export function requireFreeName(
  directory: Directory,
  model: EntityModel,
  { name, definition }: { readonly name: string; readonly definition: FieldDefinition },
): void {
  requireFreeLinkName(directory, model, name);
  const attributes = attributesOf(name, definition);
  if (attributes.some((attribute) => model.attribute.has(attribute.name))) throw nameTaken(name);
}

/** Rejects a link name that is in use. A link whose ids are stored on the other side has no attributes. */
export function requireFreeLinkName(directory: Directory, model: EntityModel, name: string): void {
  if (model.fields.has(name)) throw taken('fieldAlreadyExists', `The field '${name}'`, name);
  if (linksOf(model, directory.entity).has(name)) {
    throw taken('linkWithSameNameAlreadyExists', `The link '${name}'`, name);
  }
  if (model.attribute.has(name)) throw nameTaken(name);
}

function nameTaken(name: string): Refusal {
  return taken('namingFieldLinkConflict', `An attribute of '${name}'`, name);
}

function taken(label: string, what: string, field: string): Refusal {
  return new Refusal('conflict', 'field.exists', `${what} already exists.`, {
    messageTranslation: { label, scope: 'FieldManager', data: { field } },
  });
}
