import type { Board } from '../../../shared/domain/board/board.ts';
import type { Attribute } from '../../../shared/domain/field/attribute.ts';
import type { RecordState } from '../../../shared/domain/record/record-state.ts';
import type { Reader } from '../../../shared/search/record-view.ts';
import type { ListRequest } from '../lists/read-list-request.ts';

export interface BoardQuery extends Reader {
  readonly board: Board;
  readonly request: ListRequest;
  /** Added up per group. */
  readonly sum: Attribute | undefined;
  /** The orders that the user chose. */
  readonly order: RecordState | undefined;
}
