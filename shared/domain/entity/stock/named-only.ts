import type { EntityDefinition } from '../definition/entity-definition.ts';

/** Types to which clients link teams and users. Annals stores their names but does not use them. */
export const layoutSetDefinition = namedOnly('LayoutSet');
export const workingTimeCalendarDefinition = namedOnly('WorkingTimeCalendar');

function namedOnly(name: string): EntityDefinition {
  return {
    name,
    log: 'directory',
    isObject: false,
    orderBy: 'name',
    order: 'asc',
    fields: { name: { type: 'varchar', required: true, maxLength: 100 } },
  };
}
