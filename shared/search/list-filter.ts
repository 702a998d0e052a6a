import { allOf } from '../db/sql/conditions.ts';
import { type Reader, viewFor } from './record-view.ts';
import { boolCondition, compileWhere } from './where/compile-where.ts';
import { primaryFilter, typeFilter } from './where/named-filters.ts';
import { textConditions } from './where/text-filter.ts';
import type { TextMode, WhereContext } from './where/where-context.ts';
import { isLogic, type WhereItem } from './where/where-item.ts';
import type { TextCondition } from './where/word-conditions.ts';

/** The filter of a list. A record must match all parts. */
export interface ListFilter {
  readonly where: readonly WhereItem[];
  readonly text: string | undefined;
  readonly textMode?: TextMode | undefined;
  readonly primary: string | undefined;
  /** Named filters. If there are any, a record must match at least one. */
  readonly bools: readonly string[];
  /** Restricts lists of users to one type. Ignored for other entity types. */
  readonly userType?: string | undefined;
}

/** The filter of an unfiltered list. */
export const noFilter: ListFilter = { where: [], text: undefined, primary: undefined, bools: [] };

/** Returns whether a filter contains a text search. */
export function searchesText({ text, where }: ListFilter): boolean {
  return text !== undefined || where.some(isTextSearch);
}

function isTextSearch({ type, value }: WhereItem): boolean {
  if (!isLogic(type)) return type === 'textFilter';
  return (value as readonly WhereItem[]).some(isTextSearch);
}

type Filtered = Omit<
  WhereContext,
  'alias' | 'viewOf' | 'now' | 'timeZone' | 'fiscalYearShift' | 'textMode'
>;

/** SQL conditions on `t`, a row of the entity's table. */
export interface FilterConditions {
  readonly all: string;
  /** If present, at least one must also hold. A separate index serves each of them, unless no index does. */
  readonly anyOf?: readonly TextCondition[];
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
    textMode: filter.textMode,
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

/** Describes which rows of an entity's table are part of a list. */
export interface ListedRows {
  readonly model: Reader['model'];
  readonly view: Reader['view'];
  readonly filter?: FilterConditions | undefined;
}

/** Returns the SQL condition on `t` that selects these rows. */
export function liveRows({ model, view, filter }: ListedRows): string {
  const { all, anyOf } = filter ?? {};
  const any = anyOf && `(${anyOf.map(({ indexed }) => indexed).join(' or ')})`;
  return allOf('not t.deleted', view.rows(model, 't'), view.listed('t'), all, any);
}

/** Returns whether an index serves the text search in a different form than `scannedRows`. */
export function hasIndexedText(filter: FilterConditions | undefined): boolean {
  return filter?.anyOf?.some(({ indexed, scanned }) => indexed !== scanned) === true;
}

/** Returns the filter as an SQL condition on `t` that does not use the word index, for rows read in the order of a list. */
export function scannedRows(filter: FilterConditions | undefined): string {
  const { all, anyOf } = filter ?? {};
  return allOf('true', all, anyOf && `(${anyOf.map(({ scanned }) => scanned).join(' or ')})`);
}
