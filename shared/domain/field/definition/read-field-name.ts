import { Refusal } from '../../errors.ts';
import { badField } from './read-field-settings.ts';

const namePattern = /^[a-z][A-Za-z0-9]{0,49}$/;
const reservedNames: ReadonlySet<string> = new Set([
  'id',
  'deleted',
  'versionNumber',
  'isStarred',
  'isFollowed',
  'followers',
  'teams',
  'assignedUser',
  'assignedUsers',
  'collaborators',
  'streamUpdatedAt',
  'createdAt',
  'modifiedAt',
  'createdBy',
  'modifiedBy',
  'isLocked',
  'pipeline',
  'pipelineStage',
  'version',
  'null',
  'true',
  'false',
  // Properties of every JavaScript object, which values must not shadow.
  ...Object.getOwnPropertyNames(Object.prototype),
  // Paths below a record. A link with such a name could not be listed.
  'attendees',
  'history',
  'posts',
  'starSubscription',
  'stream',
  'streamAttachments',
  'subscription',
  'updateStream',
  'usersAccess',
]);

/** Throws if the value cannot be the name of a field or link. */
export function readFieldName(name: unknown): string {
  if (typeof name !== 'string' || !namePattern.test(name)) {
    throw badField(
      "'name' must start with a lower-case letter and have at most 50 letters and digits.",
    );
  }
  if (!reservedNames.has(name)) return name;
  throw new Refusal('conflict', 'field.name_reserved', `The name '${name}' is not allowed.`, {
    messageTranslation: {
      label: 'fieldNameIsNotAllowed',
      scope: 'FieldManager',
      data: { field: name },
    },
  });
}
