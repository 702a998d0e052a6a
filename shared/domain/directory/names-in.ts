import type { NameOf } from '../record/to-record-body.ts';
import type { Directory } from './directory.ts';

/** Resolves names of users, teams and roles from memory. Returns undefined for other entity types. */
export function namesIn({ record }: Pick<Directory, 'record'>): NameOf {
  return (entityType, id) => {
    const name = record(entityType, id)?.values['name'];
    return typeof name === 'string' ? name : undefined;
  };
}
