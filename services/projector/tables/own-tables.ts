import {
  ownName,
  type ownTableNames,
  quoteName,
} from '../../../shared/db/tables/read-model-names.ts';

/**
 * The read model's own tables, as in the first version. They are created only together with the schema: if an empty
 * table replaced a dropped one, missing rows would go unnoticed until a rebuild.
 */
export function firstTables(schema: string): string {
  const name = quoteName(schema);
  return `
    create schema if not exists ${name};

    -- The start of the next batch, and the fold state there. Updated in the transaction of the rows.
    create table ${name}.positions (
      topic text not null,
      partition integer not null,
      next_offset bigint not null,
      token text,
      sequence bigint not null,
      constraint ${keyOf('positions')} primary key (topic, partition)
    );

    -- Every event of every record, with the same bytes as in the log.
    create table ${name}.record_history (
      entity_type text not null,
      record_id text not null,
      version integer not null,
      event bytea not null,
      -- User and Idempotency-Key of the command; null without a key.
      command_id text,
      -- The time of the event in milliseconds since 1970; null in rows of versions before ADR 50.
      at_ms bigint,
      -- The user of a single change of a business record; null for steps of larger changes and in older rows (ADR 54).
      actor_id text,
      -- The trace of the request, 16 bytes; null without a trace and in rows of versions before ADR 56.
      trace_id bytea,
      constraint ${keyOf('record_history')} primary key (record_id, version, entity_type)
    );

    -- Number of live records per entity type. A row per partition, so that projectors never wait for each other.
    create table ${name}.entity_counts (
      entity_type text not null,
      partition integer not null,
      live bigint not null,
      constraint ${keyOf('entity_counts')} primary key (entity_type, partition)
    );

    -- Rejected entries of the log, with the reason.
    create table ${name}.rejected_entries (
      topic text not null,
      partition integer not null,
      log_offset bigint not null,
      reason text not null,
      entry bytea,
      constraint ${keyOf('rejected_entries')} primary key (topic, partition, log_offset)
    );
  `;
}

/** Columns and tables that later versions added, and the functions. */
export function laterTables(schema: string): string {
  const name = quoteName(schema);
  return `
    -- Since ADR 25.
    alter table ${name}.positions add column if not exists sealed boolean not null default false;

    -- Records that an event of another record linked or unlinked. The event appears in their streams (docs/adr/0012).
    create table if not exists ${name}.stream_mentions (
      record_id text not null,
      number bigint not null,
      entity_type text not null,
      by_id text not null,
      version integer not null,
      constraint ${keyOf('stream_mentions')} primary key (record_id, number, by_id, entity_type, version)
    );

    -- The record of the entry, if the record is quarantined because of it (docs/adr/0040).
    alter table ${name}.rejected_entries
      add column if not exists entity_type text,
      add column if not exists record_id text,
      add column if not exists retry boolean not null default false,
      add column if not exists acknowledged boolean not null default false;
    create index if not exists ${quoteName(ownName('rejected_entries', 'record'))} on ${name}.rejected_entries (record_id)
      where record_id is not null;

    -- Entity types whose definition Postgres rejects. Their records are quarantined.
    create table if not exists ${name}.unfit_types (
      entity_type text not null,
      reason text not null,
      constraint ${keyOf('unfit_types')} primary key (entity_type)
    );

    -- Samples of metrics, before ADR 50.
    drop schema if exists annals_series cascade;

    ${expectRows(name)}
  `;
}

/** Names the primary key explicitly: a name that Postgres chose could conflict with a later entity type. */
function keyOf(table: (typeof ownTableNames)[number]): string {
  return quoteName(ownName(table, 'pkey'));
}

function expectRows(name: string): string {
  return `
    -- Rolls back the whole statement if a part did not affect the expected number of rows.
    create or replace function ${name}.expect_rows(actual bigint, expected bigint, code text)
    returns void language plpgsql as $$
    begin
      if actual <> expected then
        raise exception 'expected % rows, found %', expected, actual using errcode = code;
      end if;
    end $$;
  `;
}
