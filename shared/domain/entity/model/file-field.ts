import { type FieldDefinition, fieldTypeOf } from '../../field/field-types.ts';
import type { EntityModel, FindModel } from './entity-model.ts';

/** True for fields with files: one file, one image, or several files. */
export function isFileField(definition: FieldDefinition | undefined): boolean {
  return definition !== undefined && fieldTypeOf(definition).holdsFiles !== undefined;
}

/** Returns the names of an entity type's fields for files. */
export function fileFieldsOf({ fields }: EntityModel): readonly string[] {
  return [...fields].filter(([, definition]) => isFileField(definition)).map(([name]) => name);
}

/** Returns the entity types whose records contain files. */
export function fileHolders(attachment: EntityModel, findModel: FindModel): readonly EntityModel[] {
  return (attachment.fields.get('parent')?.entityList ?? []).flatMap(
    (name) => findModel(name) ?? [],
  );
}
