import { searchedText } from '../../../shared/db/sql/folded-text.ts';
import { liveTable, searchedChannel } from '../../../shared/db/tables/read-model-names.ts';
import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import type { SearchPool } from '../../../shared/search/open-search-pool.ts';
import type {
  CommonTrigrams,
  FindCommonTrigrams,
} from '../../../shared/search/where/rare-parts.ts';
import { quoteText } from '../rows/quote-text.ts';

/** Frequencies change slowly, and affect only which plan is faster. */
const COUNT_EVERY_MS = 10 * 60_000;
/** The number of blocks in a table's sample: about 2,000 records. */
const SAMPLED_BLOCKS = 300;
const BLOCK_BYTES = 8_192;
/** A trigram that occurs in this share of the records makes an index scan longer but excludes hardly any records. */
const COMMON_SHARE = 0.05;

/** Counting waits in the same queue as user searches, under this id. */
const counting = { id: 'annals' };

/**
 * Counts the trigrams of an entity type in a sample of its records, on demand and at most once per interval. Also
 * announces to projectors that this type's texts are searched, so that they build an index. Callers do not wait: they
 * get no trigrams before the first count, and none at all if Postgres lacks pg_trgm.
 */
export function createCommonTrigrams(searchPool: Pick<SearchPool, 'of'>): FindCommonTrigrams {
  const known = new Map<string, { countedAt: number; trigrams?: CommonTrigrams | undefined }>();

  async function count(model: EntityModel, text: string): Promise<void> {
    const pool = searchPool.of(counting);
    await pool.query({ text: 'select pg_notify($1, $2)', values: [searchedChannel, model.name] });
    const { rows } = await pool.query<{ trigram: string }>({
      text: countStatement(model, text),
      values: [],
    });
    const trigrams = new Set(rows.map(({ trigram }) => trigram));
    known.set(model.name, { countedAt: Date.now(), trigrams });
  }

  return (model) => {
    const text = searchedText(model, 't.');
    if (text === undefined) return undefined;
    const { countedAt = 0, trigrams } = known.get(model.name) ?? {};
    if (Date.now() - countedAt > COUNT_EVERY_MS) {
      known.set(model.name, { countedAt: Date.now(), trigrams });
      // Runs after the search that requested the trigrams. If Postgres fails, that search reports it.
      setImmediate(() => void count(model, text).catch(() => undefined));
    }
    return trigrams;
  };
}

function countStatement({ name }: EntityModel, text: string): string {
  const table = liveTable(name);
  const blocks = `pg_relation_size(${quoteText(table)}) / ${BLOCK_BYTES}`;
  const percent = `100.0 * ${SAMPLED_BLOCKS} / greatest(${blocks}, ${SAMPLED_BLOCKS})`;
  return `with sampled as materialized (
      select ${text} as searched from ${table} t tablesample system (${percent}) where not t.deleted
    )
    select c.trigram from sampled, unnest(show_trgm(sampled.searched)) c(trigram)
    group by c.trigram having count(*) > ${COMMON_SHARE} * (select count(*) from sampled)`;
}
