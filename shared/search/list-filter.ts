import { allOf } from '../db/sql/conditions.ts';
import { type Reader, viewFor } from './record-view.ts';
import { boolCondition, compileWhere } from './where/compile-where.ts';
import { primaryFilter, typeFilter } from './where/named-filters.ts';
import { textConditions } from './where/text-filter.ts';
import type { WhereContext } from './where/where-context.ts';
import type { WhereItem } from './where/where-item.ts';

/** The filter of a list. A record must match all parts. */
export interface ListFilter {
  readonly where: readonly WhereItem[];
  readonly text: string | undefined;
  readonly primary: string | undefined;
  /** Named filters. If there are any, a record must match at least one. */
  readonly bools: readonly string[];
  /** Restricts lists of users to one type. Ignored for other entity types. */
  readonly userType?: string | undefined;
}

/** The filter of an unfiltered list. */
export const noFilter: ListFilter = { where: [], text: undefined, primary: undefined, bools: [] };

type Filtered = Omit<WhereContext, 'alias' | 'viewOf' | 'now' | 'timeZone' | 'fiscalYearShift'>;

/** SQL conditions on `t`, a row of the entity's table. */
export interface FilterConditions {
  readonly all: string;
  /**
   * If present, at least one of these must hold as well. Each is served by a separate index, or by
   * none.
   */
  readonly anyOf?: readonly string[];
}

/** Compiles a filter to the conditions that matching records satisfy. */
export function compileConditions(filter: ListFilter, filtered: Filtered): FilterConditions {
  const { actor, findModel } = filtered;
  const context: WhereContext = {
    ...filtered,
    alias: 't',
    viewOf: (target) => viewFor(actor, target, findModel),
    now: Date.now(),
    timeZone: 'UTC',
    fiscalYearShift: 0,
  };
  const { model } = context;
  const { where, primary, bools, userType } = filter;
  const isOfType = userType !== undefined && model.definition.typeFilters !== undefined;
  const all = allOf(
    compileWhere(where, context),
    primary === undefined ? undefined : compileWhere(primaryFilter(model, primary), context),
    bools.length === 0 ? undefined : boolCondition(bools, context),
    isOfType ? compileWhere(typeFilter(model, userType), context) : undefined,
  );
  return filter.text === undefined ? { all } : { all, anyOf: textConditions(filter.text, context) };
}

/** Selects the rows of an entity's table that are part of a list. */
export interface ListedRows {
  readonly model: Reader['model'];
  readonly view: Reader['view'];
  readonly filter?: FilterConditions | undefined;
}

/** Returns the SQL condition on `t` that selects these rows. */
export function liveRows({ model, view, filter }: ListedRows): string {
  const { all, anyOf } = filter ?? {};
  const any = anyOf && `(${anyOf.join(' or ')})`;
  return allOf('not t.deleted', view.rows(model, 't'), view.listed('t'), all, any);
}
