import type { EntityModel } from '../entity/model/entity-model.ts';
import type { Directory } from './directory.ts';

/** Returns the model of users, to which all log-ins and their settings belong. */
export function userModelOf({ entity }: Pick<Directory, 'entity'>): EntityModel {
  const model = entity('User');
  if (model === undefined) throw new Error('the entity type User is not defined');
  return model;
}
