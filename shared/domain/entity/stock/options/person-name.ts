import type { EntityDefinition } from '../../definition/entity-definition.ts';

/** The name of a person and its parts. */
export const personName: EntityDefinition['fields'] = {
  name: { type: 'personName', readOnly: true },
  salutationName: { type: 'enum', options: ['', 'Mr.', 'Ms.', 'Mrs.', 'Dr.'] },
  firstName: { type: 'varchar', maxLength: 100 },
  middleName: { type: 'varchar', maxLength: 100 },
  lastName: { type: 'varchar', required: true, maxLength: 100 },
};
