import type { EntityModel } from '../../domain/entity/model/entity-model.ts';
import { quotedColumn } from '../tables/read-model-names.ts';

/** The field of which reminders remind. */
export type RemindedField = 'dateEnd' | 'dateStart';

/** Reminders of an activity refer to its start. Tasks, which may have no start, are due at their end. */
export function remindedField({ fields }: EntityModel): RemindedField {
  return fields.get('dateStart')?.required === true ? 'dateStart' : 'dateEnd';
}

/** Returns whether the records of a type have reminders. */
export function isRemindable(model: EntityModel): boolean {
  const { definition, fields } = model;
  const hasTime = fields.has(remindedField(model));
  return (
    definition.activity !== undefined && hasTime && fields.get('reminders')?.holds === 'reminders'
  );
}

/**
 * Returns SQL for the time of which reminders remind. A whole day starts at midnight in UTC. `alias` is empty or ends
 * with a dot.
 */
export function remindedStart(model: EntityModel, alias: string): string {
  const field = remindedField(model);
  const time = `${alias}${quotedColumn({ name: field })}`;
  if (!model.attribute.has(`${field}Date`)) return time;
  return `coalesce(${time}, ${alias}${quotedColumn({ name: `${field}Date` })}::timestamp)`;
}

/** Returns SQL for activities that have reminders by e-mail themselves. */
export function isRemindedByEmail(alias: string): string {
  return `${alias}reminders @> '[{"type": "Email"}]'`;
}

/** Returns SQL for activities to which the default reminders of each user apply. */
export function isRemindedByDefault(alias: string): string {
  return `${alias}reminders is null`;
}
