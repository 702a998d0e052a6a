import type { Board } from '../../../shared/domain/board/board.ts';
import type { Attribute } from '../../../shared/domain/field/attribute.ts';
import type { RecordState } from '../../../shared/domain/record/record-state.ts';
import type { Reader } from '../../../shared/search/record-view.ts';
import type { ListRequest } from '../lists/read-list-request.ts';

export interface BoardQuery extends Reader {
  readonly board: Board;
  readonly request: ListRequest;
  /** The attribute to sum for each group. */
  readonly sum: Attribute | undefined;
  /** The record with the user's own order of cards. */
  readonly order: RecordState | undefined;
}
