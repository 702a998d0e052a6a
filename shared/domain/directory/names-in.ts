import type { NameOf } from '../record/to-record-body.ts';
import type { Directory } from './directory.ts';

/** The names of users, teams and roles, which the directory has in memory; undefined for records of any other type. */
export function namesIn({ record }: Pick<Directory, 'record'>): NameOf {
  return (entityType, id) => {
    const name = record(entityType, id)?.values['name'];
    return typeof name === 'string' ? name : undefined;
  };
}
