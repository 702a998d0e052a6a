import type { Entity, Field } from '../api/metadata.ts';
import { levelIn } from '../api/rights.ts';
import type { AppUser } from '../api/session.ts';
import { readTimeSettings } from '../language/time-settings.ts';
import { newEventTimes } from './event-times.ts';
import type { Values } from './input-parts.ts';

/** Returns the default values of the entity type's fields. */
export function defaultsOf({ fields }: Entity): Values {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, { default: value }]) =>
      value === undefined ? [] : [[name, value]],
    ),
  );
}

/**
 * Returns values without which the server would reject a new record by this user, or withhold it from the user
 * afterwards: the assigned user and team that the user's permissions require, the first option of required fields, and
 * the times of events. Unlike the defaults, these have to be sent.
 */
export function requiredValuesOf(entity: Entity, session: AppUser, now = new Date()): Values {
  return {
    ...assignmentOf(entity, session),
    ...firstOptionsOf(entity),
    ...newEventTimes(entity, now, readTimeSettings(session.preferences).timeZone),
  };
}

function assignmentOf({ name, fields }: Entity, { acl, user }: AppUser): Values {
  const mayEdit = (field: string): boolean =>
    field in fields && acl.fieldTable[name]?.[field]?.edit !== 'no';
  const level = acl['assignmentPermission'];
  const team = mayEdit('teams') ? defaultTeamOf(user) : undefined;
  // The user could otherwise not read or edit the record afterwards.
  const reach = ['read', 'edit'].map((action) => levelIn(acl.table[name], action));
  const isAssigned =
    fields['assignedUser']?.required === true ||
    level === 'no' ||
    reach.includes('own') ||
    ([level, ...reach].includes('team') && team === undefined);
  const { id, name: userName }: Values = { ...user };
  return {
    ...(isAssigned && mayEdit('assignedUser')
      ? { assignedUserId: id, assignedUserName: userName }
      : {}),
    ...(team === undefined ? {} : { teamsIds: [team.id], teamsNames: { [team.id]: team.name } }),
  };
}

/** Returns the user's default team if the user still belongs to it. */
function defaultTeamOf(user: AppUser['user']) {
  const { defaultTeamId: id, defaultTeamName: name, teamsIds }: Values = { ...user };
  if (typeof id !== 'string' || !Array.isArray(teamsIds) || !teamsIds.includes(id))
    return undefined;
  return { id, name: typeof name === 'string' ? name : id };
}

function firstOptionsOf({ fields }: Entity): Values {
  const needsOption = ({ type, required, default: value }: Field): boolean =>
    type === 'enum' && required === true && (value === undefined || value === null);
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) => {
      const option = needsOption(field) ? field.options?.find((one) => one !== '') : undefined;
      return option === undefined ? [] : [[name, option]];
    }),
  );
}
