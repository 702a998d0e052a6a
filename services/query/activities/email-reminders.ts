import {
  isRemindable,
  isRemindedByDefault,
  isRemindedByEmail,
  remindedField,
  remindedStart,
} from '../../../shared/db/sql/reminded-time.ts';
import { liveTable, quotedColumn } from '../../../shared/db/tables/read-model-names.ts';
import { isActiveUser } from '../../../shared/domain/directory/is-active-user.ts';
import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { preferenceOf, preferencesType } from '../../../shared/domain/preferences/preferences.ts';
import type { RecordState } from '../../../shared/domain/record/record-state.ts';
import {
  createLocalClock,
  formatDateTime,
  type LocalClock,
} from '../../../shared/domain/value/date-time.ts';
import { type Row, runStatement, textOrNull } from '../../../shared/search/run-statement.ts';
import { type Binder, createBinder } from '../../../shared/search/where/binder.ts';
import type { QueryContext } from '../context.ts';
import { quoteText } from '../rows/quote-text.ts';
import { activityModels, statusIn } from './activity-kinds.ts';
import { type DueReminder, defaultsOf, readDueReminders } from './due-reminders.ts';
import { type RemindedTime, reminderOf, secondsOf } from './reminder-of.ts';

/** A reminder by e-mail that is due for a user. Times are in milliseconds since 1970. */
interface EmailReminder {
  readonly user: RecordState;
  readonly id: string;
  readonly dueMs: number;
  readonly at: RemindedTime;
  /** Undefined if the user must not be reminded, for example because of missing permissions. */
  readonly reminder: DueReminder | undefined;
}

interface Wanted {
  readonly now: number;
  /** Reminders that became due earlier are too late. */
  readonly latestMs: number;
  /** Returns false for reminders that need not be read, such as sent ones. */
  readonly wants: (user: RecordState, reminderId: string) => boolean;
  /** Called if the reminders of one user cannot be read. Those of the others still are. */
  readonly onUnreadable: (
    due: readonly Pick<EmailReminder, 'id' | 'user'>[],
    error: unknown,
  ) => void;
}

/** The number of activities of a type that are considered together. Those of whole days, for which a day is searched, come last. */
const MAX_READ = 10_000;
const DAY_MS = 86_400_000;
/** More default lead times than users choose. */
const MAX_LEAD_TIMES = 50;

/**
 * Reads the reminders by e-mail that have become due for any user. A first statement finds the activities by two partial
 * indexes on their time. Then the rule for popups determines for each user which of them apply.
 */
export async function readEmailReminders(
  context: QueryContext,
  wanted: Wanted,
): Promise<readonly EmailReminder[]> {
  const { directory, pool } = context;
  const users = new Map(
    directory
      .records('User')
      .filter(isActiveUser)
      .map((one) => [one.id, one]),
  );
  const statement = selectCandidates(context, { ...wanted, users });
  if (statement === undefined) return [];
  const rows = await runStatement(pool, { text: statement.text }, [...statement.values]);
  const clockOf = createClocks();
  const due = rows.flatMap((row) =>
    concernedBy(row).flatMap((userId) => {
      const user = users.get(userId);
      return user === undefined ? [] : (dueFor(context, { row, user, clockOf }, wanted) ?? []);
    }),
  );
  const found: EmailReminder[] = [];
  for (const [user, ofUser] of Map.groupBy(due, (one) => one.user)) {
    const ids = ofUser.map(({ recordId }) => recordId);
    const search = { type: 'Email', now: wanted.now, ids } as const;
    try {
      const allowed = await readDueReminders(context, directory.actor(user), search);
      for (const { recordId: _, ...one } of ofUser) {
        found.push({ ...one, reminder: allowed.find(({ id }) => id === one.id) });
      }
    } catch (error) {
      // For example, too many searches of the user are waiting.
      wanted.onUnreadable(ofUser, error);
    }
  }
  return found;
}

interface Selecting extends Wanted {
  readonly users: ReadonlyMap<string, RecordState>;
}

function selectCandidates(
  context: QueryContext,
  selecting: Selecting,
): { readonly text: string; readonly values: readonly unknown[] } | undefined {
  const binder = createBinder();
  const selects = activityModels(context)
    .filter(isRemindable)
    .flatMap((model) => selectFrom(model, { ...selecting, context, binder }));
  if (selects.length === 0) return undefined;
  return { text: selects.join(' union all '), values: binder.values };
}

/** Returns SQL for the activities of a type: those with reminders by e-mail, and those with default reminders. */
function selectFrom(
  model: EntityModel,
  {
    context,
    binder,
    now,
    latestMs,
    users,
  }: Selecting & { readonly context: QueryContext; readonly binder: Binder },
): readonly string[] {
  const statuses = model.definition.activity?.planned ?? [];
  const start = remindedStart(model, 't.');
  const field = remindedField(model);
  const time = `t.${quotedColumn({ name: field })}`;
  const usersIds = model.attribute.has('usersIds') ? 't.users_ids' : `'{}'::text[]`;
  const day = model.attribute.has(`${field}Date`)
    ? `t.${quotedColumn({ name: `${field}Date` })}`
    : 'null::date';
  const select =
    `(select t.id, ${quoteText(model.name)} as "_scope", t.reminders, ${time} as "time", ${day} as "day",` +
    ` ${assignedTo(model)} as "assignedUserId", ${usersIds} as "usersIds" from ${liveTable(model.name)} t` +
    ` where not t.deleted and ${statusIn(statuses, binder)}`;
  const at = (ms: number) => `${binder.bind(formatDateTime(ms))}::timestamp`;
  // Whole days start up to a day earlier or later on the user's clock. reminderOf() checks the exact time.
  const pad = `case when ${time} is null then 86400 else 0 end`;
  const seconds = (ms: number) => `${binder.bind(ms / 1_000)}::numeric`;
  const end = ` order by ${time} nulls last limit ${MAX_READ})`;
  const own =
    `${select} and ${isRemindedByEmail('t.')} and ${start} > ${at(now - latestMs - DAY_MS)}` +
    ` and exists (select from jsonb_array_elements(t.reminders) r where r ->> 'type' = 'Email'` +
    ` and case jsonb_typeof(r -> 'seconds') when 'number' then extract(epoch from ${start}) - (r ->> 'seconds')::numeric` +
    ` between ${seconds(now - latestMs)} - ${pad} and ${seconds(now)} + ${pad} end)${end}`;
  const ranges = defaultLeadTimes(context, users, defaultsOf(field)).map((lead) => {
    const ms = now + lead * 1_000;
    const exact = `${start} > ${at(ms - latestMs)} and ${start} <= ${at(ms)}`;
    const wide = `${start} > ${at(ms - latestMs - DAY_MS)} and ${start} <= ${at(ms + DAY_MS)}`;
    return `(${wide} and (${time} is null or ${exact}))`;
  });
  if (ranges.length === 0) return [own];
  return [own, `${select} and ${isRemindedByDefault('t.')} and (${ranges.join(' or ')})${end}`];
}

function assignedTo(model: EntityModel): string {
  const hasOne = model.attribute.get('assignedUserId')?.stored === true;
  return hasOne ? 't.assigned_user_id' : 'null::text';
}

/** Returns how long before an activity the default reminders by e-mail of any user are due, in seconds. */
function defaultLeadTimes(
  { directory }: QueryContext,
  users: ReadonlyMap<string, RecordState>,
  preference: string,
): readonly number[] {
  const usersOf = new Map<number, number>();
  for (const id of users.keys()) {
    const usual = preferenceOf(directory.record(preferencesType, id), preference);
    for (const one of new Set(secondsOf(usual, 'Email'))) {
      if (one <= MAX_LEAD_SECONDS) usersOf.set(one, (usersOf.get(one) ?? 0) + 1);
    }
  }
  // The lead times of most users come first, so that one user with many cannot displace them.
  return [...usersOf]
    .toSorted(([one, users1], [other, users2]) => users2 - users1 || one - other)
    .slice(0, MAX_LEAD_TIMES)
    .map(([seconds]) => seconds);
}

/** Ten years. A later time could be outside of the range that Postgres stores. */
const MAX_LEAD_SECONDS = 3_650 * 86_400;

function concernedBy({ assignedUserId, usersIds }: Row): readonly string[] {
  const ids = [assignedUserId, ...(Array.isArray(usersIds) ? usersIds : [])];
  return [...new Set(ids.filter((id) => typeof id === 'string'))];
}

function dueFor(
  { directory }: QueryContext,
  {
    row,
    user,
    clockOf,
  }: {
    readonly row: Row;
    readonly user: RecordState;
    readonly clockOf: (timeZone: string) => LocalClock;
  },
  { now, latestMs, wants }: Wanted,
): (Omit<EmailReminder, 'reminder'> & { readonly recordId: string }) | undefined {
  const model = directory.entity(String(row['_scope']));
  if (model === undefined) return undefined;
  const preferences = directory.record(preferencesType, user.id);
  const reminders = row['reminders'] ?? preferenceOf(preferences, defaultsOf(remindedField(model)));
  const recordId = String(row['id']);
  const at = { time: textOrNull(row['time']), day: textOrNull(row['day']) };
  const clock = clockOf(String(preferenceOf(preferences, 'timeZone') || 'UTC'));
  const due = reminderOf({ id: recordId, reminders, ...at }, { type: 'Email', clock, now });
  if (due === undefined || due.dueMs <= now - latestMs || !wants(user, due.id)) return undefined;
  return { user, recordId, id: due.id, dueMs: due.dueMs, at };
}

/** Creating a clock takes much longer than reading it. */
function createClocks(): (timeZone: string) => LocalClock {
  const clocks = new Map<string, LocalClock>();
  return (timeZone) => {
    const known = clocks.get(timeZone) ?? createLocalClock(timeZone);
    clocks.set(timeZone, known);
    return known;
  };
}
