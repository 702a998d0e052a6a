import type { EntityModel, FindModel } from '../../domain/entity/model/entity-model.ts';
import type { Reader, RecordView } from '../record-view.ts';
import type { Binder } from './binder.ts';
import type { FindCommonTrigrams } from './rare-parts.ts';

/** How a text search compares: by words, or as EspoCRM does, by the beginnings of fields. Defaults to `words`. */
export type TextMode = 'words' | 'espo';

/** The rows to which a condition applies, and the actor. */
export interface WhereContext extends Reader {
  /** The alias of `model`'s table. */
  readonly alias: string;
  /** Throws for an entity type that the actor may not read. */
  readonly viewOf: (target: EntityModel) => RecordView;
  readonly findModel: FindModel;
  readonly binder: Binder;
  /** The current time, in milliseconds since 1970. */
  readonly now: number;
  /** The time zone of days and months for conditions without a time zone. */
  readonly timeZone: string;
  /** The number of months after January at which the fiscal year starts. */
  readonly fiscalYearShift: number;
  readonly findCommonTrigrams?: FindCommonTrigrams | undefined;
  /** The names of the indexes that serve searches by words, see `findWordIndexes`; undefined means none. */
  readonly wordIndexes: ReadonlySet<string> | undefined;
  readonly textMode?: TextMode | undefined;
}
