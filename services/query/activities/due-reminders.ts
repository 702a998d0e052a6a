import { allOf } from '../../../shared/db/sql/conditions.ts';
import {
  isRemindable,
  type RemindedField,
  remindedField,
  remindedStart,
} from '../../../shared/db/sql/reminded-time.ts';
import type { Actor } from '../../../shared/domain/access/actor.ts';
import {
  notificationMarksType,
  readMarks,
} from '../../../shared/domain/notifications/notification-marks.ts';
import {
  OVER_AFTER_MS,
  type ReminderType,
} from '../../../shared/domain/notifications/reminder-id.ts';
import { preferenceOf, preferencesType } from '../../../shared/domain/preferences/preferences.ts';
import {
  createLocalClock,
  formatDateTime,
  type LocalClock,
} from '../../../shared/domain/value/date-time.ts';
import { viewerExpressions, viewerTable } from '../../../shared/search/record-view.ts';
import { type Row, runStatement, textOrNull } from '../../../shared/search/run-statement.ts';
import { type Binder, createBinder } from '../../../shared/search/where/binder.ts';
import type { QueryContext } from '../context.ts';
import {
  type ActivityKind,
  activityModels,
  areTimesOpen,
  concerns,
  isFieldOpen,
  kindsByStatus,
  selectActivities,
  statusIn,
} from './activity-kinds.ts';
import { type RemindedTime, reminderOf } from './reminder-of.ts';

/** A due reminder, in the form that EspoCRM's clients read (docs/reference/activities.md#reminders). */
export interface DueReminder {
  readonly id: string;
  readonly data: {
    readonly id: string;
    readonly entityType: string;
    readonly name: string | null;
    readonly dateField: RemindedField;
    readonly attributes: Readonly<Record<string, string | null>>;
  };
}

export const MAX_DUE = 100;
/** Activities that are read, because some of them were dismissed or are not due on the user's clock yet. */
const MAX_READ = 500;
const DAY_MS = 86_400_000;

/** The reminders to read. */
interface Wanted {
  readonly type: ReminderType;
  /** In milliseconds since 1970. */
  readonly now: number;
  /** Only the reminders of these activities. */
  readonly ids?: readonly string[];
}

/**
 * Reads the due reminders of planned activities that the actor is assigned to or takes part in, earliest activity
 * first. They are derived when they are read, like notifications (docs/adr/0052). Only popups can be dismissed.
 */
export async function readDueReminders(
  context: QueryContext,
  actor: Actor,
  wanted: Wanted,
): Promise<readonly DueReminder[]> {
  const { directory } = context;
  const preferences = directory.record(preferencesType, actor.id);
  const binder = createBinder([actor.id, actor.teamIds]);
  const selects = kindsByStatus(context, actor, activityModels(context)).flatMap((kind) => {
    const field = remindedField(kind.model);
    const usual = preferenceOf(preferences, defaultsOf(field));
    return selectReminded(context, kind, { ...wanted, field, usual, binder }) ?? [];
  });
  if (selects.length === 0) return [];
  const text =
    `with ${viewerTable}, found as (${selects.join(' union all ')})` +
    ` select * from found order by "remindedAt", id limit ${MAX_READ}`;
  const rows = await runStatement(context.searchPool.of(actor), { text }, [...binder.values]);
  const clock = createLocalClock(String(preferenceOf(preferences, 'timeZone') || 'UTC'));
  const { dismissedIds } = readMarks(directory.record(notificationMarksType, actor.id));
  const dismissed = new Set(wanted.type === 'Popup' ? dismissedIds : []);
  return rows
    .flatMap((row) => toDueReminder(row, { ...wanted, clock }))
    .filter(({ id }) => !dismissed.has(id))
    .slice(0, MAX_DUE);
}

/** Returns the preference with the reminders of records that have none. */
export function defaultsOf(field: RemindedField): string {
  return field === 'dateStart' ? 'defaultReminders' : 'defaultRemindersTask';
}

interface Reminded extends Wanted {
  readonly field: RemindedField;
  readonly usual: unknown;
  readonly binder: Binder;
}

/** Returns SQL for activities with due reminders; undefined if the actor may not see what it depends on. */
function selectReminded(
  context: QueryContext,
  kind: ActivityKind,
  { type, now, ids, field, usual, binder }: Reminded,
): string | undefined {
  const { model } = kind;
  const mine = concerns(kind, viewerExpressions.id);
  if (
    mine === undefined ||
    !isRemindable(model) ||
    !isFieldOpen(kind, 'reminders') ||
    !areTimesOpen(kind)
  )
    return undefined;
  const start = remindedStart(model, 't.');
  const reminders = `coalesce(t.reminders, ${binder.bind(JSON.stringify(usual))}::jsonb)`;
  // Whole days start up to a day earlier or later on the user's clock. reminderOf() checks the exact time.
  const from = `${binder.bind(formatDateTime(now - OVER_AFTER_MS - DAY_MS))}::timestamp`;
  const until = `${binder.bind((now + DAY_MS) / 1_000)}::numeric`;
  const isDue =
    `exists (select from jsonb_array_elements(case jsonb_typeof(${reminders}) when 'array' then ${reminders} else '[]' end) r` +
    ` where r ->> 'type' = '${type}' and case jsonb_typeof(r -> 'seconds') when 'number'` +
    ` then extract(epoch from ${start}) - (r ->> 'seconds')::numeric <= ${until} end)`;
  return selectActivities(context, kind, {
    conditions: [
      allOf(statusIn(kind.statuses.planned, binder), mine, `${start} > ${from}`, isDue),
      ...declinedBy(kind),
      ...(ids === undefined ? [] : [`t.id = any(${binder.bind(ids)}::text[])`]),
    ],
    more: [`'${field}' as "dateField"`, `${reminders} as reminders`, `${start} as "remindedAt"`],
  });
}

/** Returns a condition that excludes activities that the actor has declined to take part in. */
function declinedBy(kind: ActivityKind): readonly string[] {
  if (!kind.model.attribute.has('usersColumns') || !isFieldOpen(kind, 'users')) return [];
  const status = `t.users_columns -> ${viewerExpressions.id} ->> 'status'`;
  return [`${status} is distinct from 'Declined'`];
}

function toDueReminder(
  row: Row,
  due: Wanted & { readonly clock: LocalClock },
): readonly DueReminder[] {
  const dateField: RemindedField = row['dateField'] === 'dateStart' ? 'dateStart' : 'dateEnd';
  const { [dateField]: time, [`${dateField}Date`]: day } = row;
  const at: RemindedTime = { time: textOrNull(time), day: textOrNull(day) };
  const recordId = String(row['id']);
  const reminder = reminderOf({ id: recordId, reminders: row['reminders'], ...at }, due);
  if (reminder === undefined) return [];
  const data = {
    id: recordId,
    entityType: String(row['_scope']),
    name: textOrNull(row['name']),
    dateField,
    attributes: { [dateField]: at.time, [`${dateField}Date`]: at.day },
  };
  return [{ id: reminder.id, data }];
}
