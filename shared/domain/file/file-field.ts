import type { FieldDefinition } from '../entity/entity-definition.ts';
import type { EntityModel, FindModel } from '../entity/entity-model.ts';

/** The entity type whose records stand for uploaded files. */
export const attachmentType = 'Attachment';

/** Whether a field holds files: one, one image, or several. */
export function isFileField(definition: FieldDefinition | undefined): boolean {
  const type = definition?.type;
  return type === 'file' || type === 'image' || type === 'attachmentMultiple';
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
