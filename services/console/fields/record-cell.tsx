import type { ComponentType } from 'react';
import { RecordAvatar } from './avatar.tsx';
import { ContactGroupCell } from './contact-group-value.tsx';
import { FileCell, FilesCell } from './file-values.tsx';
import { Overdue } from './overdue.tsx';
import { RecordLink } from './record-link.tsx';
import { RichTextCell } from './rich-text.tsx';
import type { ValueProps } from './simple-values.tsx';
import { FieldValue } from './value-types.tsx';

/** Values that lists show in a shorter form. */
const cellTypes: Readonly<Record<string, ComponentType<ValueProps>>> = {
  email: ContactGroupCell,
  phone: ContactGroupCell,
  file: FileCell,
  image: FileCell,
  attachmentMultiple: FilesCell,
  wysiwyg: RichTextCell,
};

/** A field of a listed record. The name links to the record. */
export function RecordCell({ record, name, entity }: ValueProps) {
  if (name === 'name') {
    const named = { entity: entity.name, id: record.id, name: record['name'] };
    return (
      <>
        <RecordAvatar template={entity.scope.type} {...named} />
        <RecordLink {...named} />
      </>
    );
  }
  const field = entity.fields[name];
  if (field === undefined) return null;
  const Cell = cellTypes[field.type];
  if (Cell !== undefined) return <Cell record={record} name={name} entity={entity} />;
  return (
    <>
      <Overdue record={record} name={name} entity={entity} />
      <FieldValue record={record} name={name} field={field} entity={entity} />
    </>
  );
}
