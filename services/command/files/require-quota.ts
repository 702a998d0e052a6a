import { orUnavailable } from '../../../shared/db/outage-of.ts';
import { wasEverHeld } from '../../../shared/db/sql/attachment-condition.ts';
import { liveTable } from '../../../shared/db/tables/read-model-names.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import { attachmentType } from '../../../shared/domain/field/types/file/file-parts.ts';
import type { CommandContext } from '../context.ts';

/** Only the newest uploads of a user count, so that the statement stays fast for users with very many uploads. */
const NEWEST = 1_000;
const BYTES_PER_MIB = 1024 * 1024;

/** Rejects an upload from a user whose unreferenced files have reached the quota. */
export async function requireQuota(userId: string, context: CommandContext): Promise<void> {
  const model = context.directory.entity(attachmentType);
  if (model === undefined) return;
  const text = `
    select coalesce(sum(a.size), 0)::float8 as bytes from (
      select * from ${liveTable(attachmentType)}
      where created_by_id = $1 and not deleted and role = 'Attachment'
      order by created_at desc limit ${NEWEST}
    ) a where not ${wasEverHeld(model, context.directory.entity, 'a')}`;
  const values = [userId];
  const { rows } = await orUnavailable(context.pool.query<{ bytes: number }>({ text, values }));
  const bytes = rows[0]?.bytes ?? 0;
  if (bytes < context.config.maxUnattachedBytes) return;
  const [used, quota] = [bytes, context.config.maxUnattachedBytes].map((of) =>
    Math.floor(of / BYTES_PER_MIB),
  );
  throw new Refusal(
    'too_large',
    'file.quota',
    `Your files that no record uses take up ${used} of ${quota} MiB. Add them to records, or delete them.`,
  );
}
