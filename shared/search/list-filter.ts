import type { Actor } from '../domain/access/actor.ts';
import type { EntityModel, FindModel } from '../domain/entity/model/entity-model.ts';
import { type RecordView, viewFor } from './record-view.ts';
import type { Binder } from './where/binder.ts';
import { boolCondition, compileWhere } from './where/compile-where.ts';
import { primaryFilter, typeFilter } from './where/named-filters.ts';
import type { FindCommonTrigrams } from './where/rare-parts.ts';
import { textConditions } from './where/text-filter.ts';
import type { WhereContext } from './where/where-context.ts';
import type { WhereItem } from './where/where-item.ts';

/** The filter of a list. A record has to meet all of it. */
export interface ListFilter {
  readonly where: readonly WhereItem[];
  readonly text: string | undefined;
  readonly primary: string | undefined;
  /** Named filters, of which a record has to meet one if there are any. */
  readonly bools: readonly string[];
  /** Only users of one type. Lists of other entity types ignore it. */
  readonly userType?: string | undefined;
}

/** The filter of an unfiltered list. */
export const noFilter: ListFilter = { where: [], text: undefined, primary: undefined, bools: [] };

interface Filtered {
  readonly actor: Actor;
  readonly model: EntityModel;
  readonly view: RecordView;
  readonly findModel: FindModel;
  readonly binder: Binder;
  readonly findCommonTrigrams?: FindCommonTrigrams | undefined;
}

/** SQL over `t`, a row of the entity's table, that is true for records that meet a filter. */
export function compileFilter(filter: ListFilter, filtered: Filtered): string {
  const { all, anyOf } = compileConditions(filter, filtered);
  return anyOf === undefined ? all : `${all} and (${anyOf.join(' or ')})`;
}

export interface FilterConditions {
  readonly all: string;
  /** If present, one of these has to hold, too: each is served by an index of its own, or by none. */
  readonly anyOf?: readonly string[];
}

/** As compileFilter, in separate conditions. */
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
  const all = [
    compileWhere(filter.where, context),
    ...(filter.primary === undefined
      ? []
      : [compileWhere(primaryFilter(context.model, filter.primary), context)]),
    ...(filter.bools.length === 0 ? [] : [boolCondition(filter.bools, context)]),
    ...(filter.userType === undefined || context.model.definition.typeFilters === undefined
      ? []
      : [compileWhere(typeFilter(context.model, filter.userType), context)]),
  ].join(' and ');
  return filter.text === undefined ? { all } : { all, anyOf: textConditions(filter.text, context) };
}
