import { ContactGroupCell } from './contact-group-value.tsx';
import { RecordLink } from './record-link.tsx';
import type { ValueProps } from './simple-values.tsx';
import { FieldValue } from './value-types.tsx';

/** A field of a listed record. The name links to the record. */
export function RecordCell({ record, name, entity }: ValueProps) {
  if (name === 'name') {
    return <RecordLink entity={entity.name} id={record.id} name={record['name']} />;
  }
  const field = entity.fields[name];
  if (field?.type === 'email' || field?.type === 'phone') {
    return <ContactGroupCell record={record} name={name} entity={entity} />;
  }
  return field && <FieldValue record={record} name={name} field={field} entity={entity} />;
}
