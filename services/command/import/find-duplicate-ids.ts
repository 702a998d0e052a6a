import { orUnavailable } from '../../../shared/db/outage-of.ts';
import { foldedAddresses, foldedText, foldedWhole } from '../../../shared/db/sql/folded-text.ts';
import { quotedColumn } from '../../../shared/db/tables/read-model-names.ts';
import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import type { AttributeValues } from '../../../shared/domain/value/attribute-values.ts';
import type { Acting } from '../owner/command.ts';
import { addressesIn, allMatches, sameName } from '../records/input/find-duplicates.ts';
import { permittedRows } from '../records/input/resolve-links.ts';
import type { MatchReads } from './find-matches.ts';

/**
 * Finds, for each new record, the oldest live record with the same name or e-mail address that the actor may read, by
 * the rule of records/input/find-duplicates.ts. One statement for all records, instead of one for each.
 */
export async function findDuplicateIds(
  { pool }: Pick<MatchReads, 'pool'>,
  { actor, model }: Acting,
  candidates: readonly AttributeValues[],
): Promise<readonly (string | undefined)[]> {
  const names = candidates.flatMap(({ name }, place) =>
    typeof name === 'string' && name !== '' ? [{ place, text: name }] : [],
  );
  const addresses = candidates.flatMap(({ emailAddressData }, place) =>
    addressesIn(emailAddressData).map((text) => ({ place, text })),
  );
  if (names.length + addresses.length === 0) return candidates.map(() => undefined);
  const oldest = (given: string, condition: string) =>
    `select given.place, t.id, t.created_at from ${given} given (place, text)
     cross join lateral (
       select * from (${allMatches(model, `${permittedRows(actor, model, 'read')} and ${condition}`)}) t
       order by created_at, id limit 1
     ) t`;
  const byAddress = sameAddress(model);
  const selects = [
    oldest('unnest($3::int[], $4::text[])', sameName(model, 'given.text')),
    ...byAddress.map((condition) => oldest('unnest($5::int[], $6::text[])', condition)),
  ];
  const parameters = [
    ...[actor.id, actor.teamIds],
    ...columnsOf(names),
    ...(byAddress.length > 0 ? columnsOf(addresses) : []),
  ];
  const { rows } = await orUnavailable(
    pool.query<{ place: number; id: string }>(
      `with viewer as (select $1::text as id, $2::text[] as teams)
       select distinct on (place) place, id from (${selects.join(' union all ')}) found
       order by place, created_at, id`,
      parameters,
    ),
  );
  const byPlace = new Map(rows.map(({ place, id }) => [place, id]));
  return candidates.map((_, place) => byPlace.get(place));
}

interface Given {
  readonly place: number;
  readonly text: string;
}

function columnsOf(given: readonly Given[]): readonly [readonly number[], readonly string[]] {
  return [given.map(({ place }) => place), given.map(({ text }) => text)];
}

/**
 * Returns a condition on the primary address, and one on records with several addresses. They must match the expressions
 * of the indexes in services/projector/tables/index-statements.ts.
 */
function sameAddress(model: EntityModel): readonly string[] {
  const attribute = model.attribute.get('emailAddress');
  if (attribute === undefined) return [];
  const text = foldedWhole('given.text');
  const data = `t.${quotedColumn({ name: 'emailAddressData' })}`;
  return [
    `${foldedText(model, attribute, 't.')} = ${text}`,
    `jsonb_array_length(${data}) > 1 and ${foldedAddresses(data)} && array[${text}]`,
  ];
}
