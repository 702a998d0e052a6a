import type { Client } from 'pg';
import { fileSchema, liveSchema, quotedTable } from '../../../shared/db/tables/read-model-names.ts';
import { attachmentType } from '../../../shared/domain/field/types/file/file-parts.ts';
import { type Finding, findingsAbout } from './finding.ts';

const { ok, fault } = findingsAbout('files');

/** The bytes of a recent file may not be in Postgres yet. */
const UNDER_WAY = "interval '1 minute'";

/** Checks that Postgres has the bytes of every file that is not deleted. */
export async function checkFiles(client: Client): Promise<Finding> {
  const { rows } = await client.query<{ readonly files: number; readonly lacking: number }>(
    `select count(*)::int as files,
       (count(*) filter (where f.size > coalesce(s.bytes, 0)))::int as lacking
     from ${quotedTable(liveSchema, attachmentType)} f
     left join (
       select sha256, sum(octet_length(content)) as bytes from ${fileSchema}.chunks group by 1
     ) s using (sha256)
     where not f.deleted and f.created_at < (now() at time zone 'UTC') - ${UNDER_WAY}`,
  );
  const { files = 0, lacking = 0 } = rows[0] ?? {};
  if (lacking === 0) return ok(files === 0 ? 'do not exist yet' : 'are complete');
  return fault(
    `are incomplete: Postgres lacks bytes of ${lacking} of ${files}, and their downloads get a 503`,
    'see the log of the projector, which stores them from Kafka; if it has read everything, restore the log',
  );
}
