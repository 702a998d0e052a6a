import type { Pool } from 'pg';
import { orUnavailable } from '../../../../shared/db/outage-of.ts';
import { readRecordState } from '../../../../shared/db/read-record-state.ts';
import { folded, foldedText, foldedWhole } from '../../../../shared/db/sql/folded-text.ts';
import { liveTable } from '../../../../shared/db/tables/read-model-names.ts';
import { hideClosed } from '../../../../shared/domain/access/hide-closed.ts';
import { namesIn } from '../../../../shared/domain/directory/names-in.ts';
import type { EntityModel } from '../../../../shared/domain/entity/model/entity-model.ts';
import { Refusal } from '../../../../shared/domain/errors.ts';
import { toRecordBody } from '../../../../shared/domain/record/to-record-body.ts';
import {
  type AttributeValues,
  toObject,
} from '../../../../shared/domain/value/attribute-values.ts';
import { type Binder, createBinder } from '../../../../shared/search/where/binder.ts';
import { anyEquals } from '../../../../shared/search/where/group-conditions.ts';
import type { Acting } from '../../owner/command.ts';
import { readable } from './read-values.ts';
import { permittedRows, type ReadModels } from './resolve-links.ts';

interface Candidate extends Acting {
  readonly values: AttributeValues;
}

export type FindDuplicates = (candidate: Candidate) => Promise<readonly AttributeValues[]>;

const MAX_FOUND = 5;

/**
 * Finds duplicates of a candidate (docs/reference/espocrm-compatibility.md#duplicates). Two records that are created at
 * the same time do not detect each other: the check helps users but is not a constraint.
 */
export async function findDuplicates(
  { pool, directory }: ReadModels,
  candidate: Candidate,
): Promise<readonly AttributeValues[]> {
  const { actor, model } = candidate;
  if (model.definition.checksDuplicates !== true) return [];
  // A match would reveal the value of a field that the actor may not read.
  const values = readable(actor, model, candidate.values);
  const ids = await findIds(pool, { ...candidate, values });
  const states = await Promise.all(
    ids.map((id) => readRecordState(pool, { model, id }, directory.entity)),
  );
  return states
    .filter((state) => state !== undefined)
    .map((state) => toRecordBody(model, state, namesIn(directory)))
    .map((body) => hideClosed(body, { actor, model, sent: {} }, directory.entity));
}

/** Returns the refusal that clients expect. It contains the duplicate records. */
export function duplicateFound(found: readonly AttributeValues[]): Refusal {
  return new Refusal('conflict', 'record.duplicate', 'duplicate', { body: found });
}

async function findIds(
  pool: Pool,
  { actor, model, values }: Candidate,
): Promise<readonly string[]> {
  const binder = createBinder([actor.id, actor.teamIds]);
  const same = sameness(model, values, binder);
  if (same.length === 0) return [];
  const condition = `${permittedRows(actor, model, 'read')} and (${same.join(' or ')})`;
  const { rows } = await orUnavailable(
    pool.query<{ id: string }>(
      `with viewer as (select $1::text as id, $2::text[] as teams)
       select id from (${allMatches(model, condition)}) t order by created_at, id limit ${MAX_FOUND}`,
      [...binder.values],
    ),
  );
  return rows.map(({ id }) => id);
}

/**
 * Returns SQL for the id and time of creation of all live records that meet a condition on `t`. With `offset 0`, Postgres
 * finds them by the indexes of the condition. Otherwise it would overestimate the matches by further addresses, and scan
 * large tables in the order of creation.
 */
export function allMatches(model: EntityModel, condition: string): string {
  return `select t.id, t.created_at from ${liveTable(model.name)} t where not t.deleted and ${condition} offset 0`;
}

function sameness(model: EntityModel, values: AttributeValues, binder: Binder): readonly string[] {
  const conditions: string[] = [];
  const { name, emailAddressData } = values;
  // A person's name consists of the first and the last name.
  if (typeof name === 'string' && name !== '') {
    conditions.push(`(${sameName(model, `${binder.bind(name)}::text`)})`);
  }
  const attribute = model.attribute.get('emailAddress');
  const addresses = addressesIn(emailAddressData);
  if (attribute !== undefined && addresses.length > 0) {
    conditions.push(anyEquals(addresses, 'lower', { model, attribute, alias: 't', binder }));
  }
  return conditions;
}

/**
 * Returns a condition on `t` that the name is the text, which is SQL. Must match the expressions of the indexes in
 * services/projector/tables/index-statements.ts.
 */
export function sameName(model: EntityModel, text: string): string {
  return (
    `${foldedText(model, { name: 'name' }, 't.')} = ${folded(text)}` +
    ` and ${foldedWhole('t.name')} = ${foldedWhole(text)}`
  );
}

/** Returns the e-mail addresses in the entries of a record. */
export function addressesIn(data: unknown): readonly string[] {
  if (!Array.isArray(data)) return [];
  return data.flatMap((entry: unknown) => {
    const { emailAddress } = toObject(entry);
    return typeof emailAddress === 'string' ? [emailAddress] : [];
  });
}
