import { orUnavailable } from '../../../shared/db/outage-of.ts';
import { liveTable } from '../../../shared/db/tables/read-model-names.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import { formatDateTime } from '../../../shared/domain/value/date-time.ts';
import { forEachParallel } from '../../../shared/runtime/limit-concurrency.ts';
import type { CommandContext } from '../context.ts';
import { bySystem } from '../owner/command.ts';
import { requireModel } from './capture-lead.ts';
import { expireOptInCommand, leadOptInType } from './opt-in-commands.ts';

/** More than the limit of e-mails allows to expire in the time between two rounds. */
const PER_ROUND = 200;
const PARALLEL = 4;
const WRITE_TIMEOUT_MS = 30_000;

/**
 * Selects among the oldest expired opt-ins in no particular order, so that permanently rejected ones do not block the
 * others.
 */
const expired = `
  select id from (
    select id from ${liveTable(leadOptInType)}
    where expires_at <= $1 and expires_at is not null and not deleted
    order by expires_at limit ${50 * PER_ROUND}
  ) oldest
  order by random() limit ${PER_ROUND}`;

/**
 * Removes the values of opt-ins that were not confirmed within their lifetime. Only the owner of the directory does
 * this, so that two instances do not repeat each other's work. Repeated removals change nothing.
 */
export async function expireOptIns(context: CommandContext): Promise<void> {
  const { clock, directoryWriter, log, now, pool, sender } = context;
  if (!directoryWriter.isOwned()) return;
  const atMs = clock.now();
  const values = [formatDateTime(atMs)];
  const { rows } = await orUnavailable(pool.query<{ id: string }>(expired, values));
  if (rows.length === 0) return;
  const model = requireModel(context, leadOptInType);
  let refused = 0;
  await forEachParallel(rows, PARALLEL, async ({ id }) => {
    if (!directoryWriter.isOwned()) return;
    const deadline = now() + WRITE_TIMEOUT_MS;
    try {
      await sender.send(expireOptInCommand, { ...bySystem, model, id, body: { atMs }, deadline });
    } catch (error) {
      // The record is quarantined.
      if (!(error instanceof Refusal)) throw error;
      refused += 1;
    }
  });
  log.info({ optIns: rows.length, refused }, 'values of expired opt-ins removed');
}
