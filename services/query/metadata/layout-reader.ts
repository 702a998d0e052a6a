import type { FindModel } from '../../../shared/domain/entity/model/entity-model.ts';
import type { Reader } from '../../../shared/search/record-view.ts';
import type { Reach } from './reach.ts';

/** The actor's view of an entity type, and the types that the actor's role includes. */
export interface LayoutReader extends Reader {
  readonly reach: Reach;
  readonly findModel: FindModel;
}
