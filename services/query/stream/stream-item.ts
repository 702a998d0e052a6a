import type { AttributeValue } from '../../../shared/domain/record/attribute-values.ts';

type StreamItemType =
  | 'Post'
  | 'Create'
  | 'CreateRelated'
  | 'Update'
  | 'Assign'
  | 'Relate'
  | 'Unrelate';

/** One item of a stream (docs/reference/stream.md#what-a-stream-tells). */
export interface StreamItem {
  readonly id: string;
  readonly type: StreamItemType;
  /** Grows with time; `beforeNumber` goes on from it. */
  readonly number: number;
  readonly post: string | null;
  readonly data: Readonly<Record<string, unknown>>;
  readonly createdAt: string;
  readonly createdById: string | null;
  readonly createdByName: string | null;
  readonly modifiedAt: string;
  readonly parentType: string;
  readonly parentId: string;
  readonly parentName: string | null;
  readonly relatedType: string | null;
  readonly relatedId: string | null;
  readonly relatedName: string | null;
  readonly attachmentsIds: readonly AttributeValue[];
  readonly attachmentsNames: Readonly<Record<string, unknown>>;
  readonly attachmentsTypes: Readonly<Record<string, unknown>>;
  readonly isPinned: boolean;
  /** Of a post: how many users react to it, by type of reaction. */
  readonly reactionCounts: Readonly<Record<string, number>>;
  /** Those of the reader. */
  readonly myReactions: readonly string[];
}

export interface StreamRequest {
  readonly offset: number;
  readonly maxSize: number;
  readonly withTotal: boolean;
  readonly filter: 'all' | 'posts' | 'updates';
  /** Items have this number or a higher one, and a lower one than `below`. */
  readonly from: number;
  readonly below: number;
  readonly skipOwn: boolean;
}

export interface Stream {
  /** Of all pages; -1 or -2 where it is not counted: more items follow, or none. */
  readonly total: number;
  readonly list: readonly StreamItem[];
  readonly pinnedList: readonly StreamItem[];
}
