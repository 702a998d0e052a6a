import { isWanted } from '../../../services/system/tail/event-filter.ts';
import {
  type Directory,
  entityDefinitionType,
} from '../../../shared/domain/directory/directory.ts';
import type { LoggedEvent } from '../../../shared/events/log-entry.ts';
import { UsageError } from '../usage-error.ts';

export interface EventFilter {
  /** Milliseconds since 1970. */
  readonly since: number;
  readonly entity?: string;
  readonly id?: string;
  /** Id or name of the user. */
  readonly user?: string;
  /** In lower case. */
  readonly type?: string;
}

/** Throws UsageError for an unknown entity type or user, because no event would ever match. */
export function createIsWanted(
  directory: Directory,
  { since, entity, id, user, type }: EventFilter,
): (event: LoggedEvent) => boolean {
  if (entity !== undefined) requireRecords(directory, entity);
  const userId = user === undefined ? undefined : findUserId(directory, user);
  const filter = { entityType: entity, id, userId, type };
  return (event) => event.occurredAt >= since && isWanted(filter, event);
}

/** Accepts removed types too: their past is still in the log. */
function requireRecords(directory: Directory, entity: string): void {
  const log = directory.entity(entity)?.definition.log;
  if (log === 'directory') {
    throw new UsageError(`${entity} belongs to the directory; tail shows only changes of records.`);
  }
  if (log !== undefined || directory.record(entityDefinitionType, entity) !== undefined) return;
  const names = directory
    .entities()
    .flatMap(({ name, definition }) =>
      definition.log === 'directory' || definition.isInternal === true ? [] : [name],
    );
  throw new UsageError(
    `Entity type ${entity} does not exist. Entity types: ${names.sort().join(', ')}.`,
  );
}

function findUserId(directory: Directory, user: string): string {
  const found = directory.record('User', user) ?? directory.userByName(user);
  if (found !== undefined) return found.id;
  throw new UsageError(`User ${user} does not exist: see annals user list.`);
}
