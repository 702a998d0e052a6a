import { liveSchema, quotedTable, searchedChannel } from '../../../shared/db/read-model-names.ts';
import { searchedText } from '../../../shared/db/searched-text.ts';
import type { EntityModel } from '../../../shared/domain/entity/entity-model.ts';
import type { SearchPool } from '../../../shared/search/open-search-pool.ts';
import type {
  CommonTrigrams,
  FindCommonTrigrams,
} from '../../../shared/search/where/rare-parts.ts';
import { quoteText } from './quote-text.ts';

/** They change as slowly as names do, and only tell which way is the shorter one. */
const COUNT_EVERY_MS = 10 * 60_000;
/** Blocks of a table that are looked at: some 2,000 records. */
const SAMPLED_BLOCKS = 300;
const BLOCK_BYTES = 8_192;
/** An index goes through all entries of a trigram, and one that so many records have rules hardly any of them out. */
const COMMON_SHARE = 0.05;

/** Beside the users who search. */
const counting = { id: 'annals' };

interface Known {
  readonly countedAt: number;
  readonly trigrams?: CommonTrigrams | undefined;
}

/**
 * Counts the trigrams of an entity type in a sample of its records, when they are asked for and not too often, and tells
 * projectors that its texts are searched, so that there is an index of them. Nobody waits for it: until the answer is
 * there, and where Postgres has no pg_trgm, nothing is known.
 */
export function createCommonTrigrams(searchPool: SearchPool): FindCommonTrigrams {
  const known = new Map<string, Known>();

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
      // Behind the search that asks. That one meets what is wrong with Postgres, and tells of it.
      setImmediate(() => void count(model, text).catch(() => undefined));
    }
    return trigrams;
  };
}

function countStatement({ name }: EntityModel, text: string): string {
  const table = quotedTable(liveSchema, name);
  const blocks = `pg_relation_size(${quoteText(table)}) / ${BLOCK_BYTES}`;
  const percent = `100.0 * ${SAMPLED_BLOCKS} / greatest(${blocks}, ${SAMPLED_BLOCKS})`;
  return `with sampled as materialized (
      select ${text} as searched from ${table} t tablesample system (${percent}) where not t.deleted
    )
    select c.trigram from sampled, unnest(show_trgm(sampled.searched)) c(trigram)
    group by c.trigram having count(*) > ${COMMON_SHARE} * (select count(*) from sampled)`;
}
