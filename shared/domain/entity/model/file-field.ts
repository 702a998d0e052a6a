import type { FieldDefinition } from '../../field/field-definition.ts';
import { fieldTypeOf } from '../../field/field-types.ts';
import type { EntityModel, FindModel } from './entity-model.ts';

/** Whether a field holds files: one, one image, or several. */
export function isFileField(definition: FieldDefinition | undefined): boolean {
  return definition !== undefined && fieldTypeOf(definition).holdsFiles !== undefined;
}

/** The fields of an entity type that hold files, by name. */
export function fileFieldsOf({ fields }: EntityModel): readonly string[] {
  return [...fields].filter(([, definition]) => isFileField(definition)).map(([name]) => name);
}

/** The entity types whose records hold files. */
export function fileHolders(attachment: EntityModel, findModel: FindModel): readonly EntityModel[] {
  return (attachment.fields.get('parent')?.entityList ?? []).flatMap(
    (name) => findModel(name) ?? [],
  );
}
