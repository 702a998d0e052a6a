import type { Pool } from 'pg';
import { orUnavailable } from '../../../../shared/db/outage-of.ts';
import { readRecordState } from '../../../../shared/db/read-record-state.ts';
import { folded, foldedText } from '../../../../shared/db/sql/folded-text.ts';
import { liveTable, quotedColumn } from '../../../../shared/db/tables/read-model-names.ts';
import { hideClosed } from '../../../../shared/domain/access/hide-closed.ts';
import { namesIn } from '../../../../shared/domain/directory/names-in.ts';
import type { EntityModel } from '../../../../shared/domain/entity/model/entity-model.ts';
import { Refusal } from '../../../../shared/domain/errors.ts';
import { toRecordBody } from '../../../../shared/domain/record/to-record-body.ts';
import type { AttributeValues } from '../../../../shared/domain/value/attribute-values.ts';
import type { WriteRequest } from '../../forwarding/write-request.ts';
import { readable } from './read-values.ts';
import { permittedRows, type ReadModels } from './resolve-links.ts';

interface Candidate extends Pick<WriteRequest, 'actor' | 'model'> {
  readonly values: AttributeValues;
}

export type FindDuplicates = (candidate: Candidate) => Promise<readonly AttributeValues[]>;

const MAX_FOUND = 5;

/**
 * Finds duplicates of a candidate (docs/reference/espocrm-compatibility.md#duplicates). Two records that are created at
 * the same time do not find each other: the check is a help for users, not a constraint.
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

/** The refusal that clients know, which contains the records. */
export function duplicateFound(found: readonly AttributeValues[]): Refusal {
  return new Refusal('conflict', 'record.duplicate', 'duplicate', { body: found });
}

async function findIds(
  pool: Pool,
  { actor, model, values }: Candidate,
): Promise<readonly string[]> {
  const bound: unknown[] = [actor.id, actor.teamIds];
  const same = sameness(model, values, (value) => `$${bound.push(value)}`);
  if (same.length === 0) return [];
  const { rows } = await orUnavailable(
    pool.query<{ id: string }>(
      `with viewer as (select $1::text as id, $2::text[] as teams)
       select t.id from ${liveTable(model.name)} t
       where not t.deleted and ${permittedRows(actor, model, 'read')} and (${same.join(' or ')})
       order by t.created_at, t.id limit ${MAX_FOUND}`,
      bound,
    ),
  );
  return rows.map(({ id }) => id);
}

/** Has to match the expressions of the indexes, see services/projector/tables/index-statements.ts. */
function sameness(
  model: EntityModel,
  values: AttributeValues,
  bind: (value: unknown) => string,
): readonly string[] {
  const conditions: string[] = [];
  const { name, emailAddressData } = values;
  // The name of a person consists of the first and the last name.
  if (typeof name === 'string' && name !== '') {
    const bound = `${bind(name)}::text`;
    conditions.push(
      `(${foldedText(model, { name: 'name' }, 't.')} = ${folded(bound)} and lower(t.name) = lower(${bound}))`,
    );
  }
  const addresses = lowerAddresses(emailAddressData);
  if (addresses.length > 0) {
    const data = `t.${quotedColumn({ name: 'emailAddressData' })}`;
    const others = addresses.map(
      (lower) => `${data} @> ${bind(JSON.stringify([{ lower }]))}::jsonb`,
    );
    conditions.push(
      `${foldedText(model, { name: 'emailAddress' }, 't.')} = any(${bind(addresses)}::text[])`,
      `(jsonb_array_length(${data}) > 1 and (${others.join(' or ')}))`,
    );
  }
  return conditions;
}

function lowerAddresses(data: unknown): readonly string[] {
  if (!Array.isArray(data)) return [];
  return data.flatMap((entry: unknown) => {
    const lower = Object(entry)['lower'];
    return typeof lower === 'string' ? [lower] : [];
  });
}
