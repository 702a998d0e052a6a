import { liveTable } from '../../../shared/db/tables/read-model-names.ts';
import { conversionTargets } from '../../../shared/domain/entity/stock/lead.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import type { CommandContext } from '../context.ts';
import { followConversion } from './follow-conversion.ts';
import { readConversion } from './lead-conversion.ts';

const WRITE_TIMEOUT_MS = 30_000;

const missing = conversionTargets
  .map((target) => {
    const id = `l.conversion::jsonb #>> '{records,${target},id}'`;
    const there = `select 1 from ${liveTable(target)} r where r.id = ${id}`;
    return `(${id} is not null and not exists (${there}))`;
  })
  .join(' or ');

/** SQL condition that is true while some of the lead's linked records are not linked with the new records. */
const unlinked = "l.conversion::jsonb ? 'linked'";

/**
 * Selects conversions that are still incomplete some time after their decision, because their process is gone. They are
 * selected in no particular order, so that permanently rejected conversions do not block the others.
 */
const unfinished = `
  select l.id, l.conversion from ${liveTable('Lead')} l
  where l.converted_at > (now() at time zone 'UTC') - interval '7 days'
    and l.converted_at < (now() at time zone 'UTC') - interval '10 seconds'
    and l.conversion is not null and (${missing} or (${unlinked} and not l.deleted))
  order by random() limit 20`;

/** Completes conversions that a crash interrupted. Two instances may do so at the same time. */
export async function finishConversions(context: CommandContext): Promise<void> {
  const { pool, directory, log, now } = context;
  const { rows } = await pool.query<{ id: string; conversion: string }>(unfinished);
  for (const { id: leadId, conversion: text } of rows) {
    const conversion = readConversion(text);
    const user = directory.record('User', conversion?.actorId ?? '');
    if (conversion === undefined || user === undefined) continue;
    const decided = { leadId, conversion, actor: directory.actor(user) };
    try {
      await followConversion({ ...context, ...decided, deadline: now() + WRITE_TIMEOUT_MS });
      log.info({ leadId }, 'interrupted conversion finished');
    } catch (error) {
      // The user may have lost permissions in the meantime. An operator has to resolve the conversion.
      if (!(error instanceof Refusal)) throw error;
      log.error({ leadId, reason: error.message }, 'cannot finish interrupted conversion');
    }
  }
}
