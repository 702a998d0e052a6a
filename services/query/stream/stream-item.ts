import type { PostMarks } from '../../../shared/domain/stream/post-marks.ts';
import type { AttributeValue } from '../../../shared/domain/value/attribute-values.ts';
import type { Page, PageOf } from '../rows/page.ts';

/** One item of a stream (docs/reference/stream.md#what-a-stream-contains). */
export interface StreamItem extends PostMarks {
  readonly id: string;
  readonly type: 'Post' | 'Create' | 'CreateRelated' | 'Update' | 'Assign' | 'Relate' | 'Unrelate';
  /**
   * Increases with time. Clients continue after an item by passing its number as `beforeNumber`.
   */
  readonly number: number;
  readonly post: string | null;
  readonly data: Readonly<Record<string, unknown>>;
  readonly createdAt: string;
  readonly createdById: string | null;
  readonly createdByName: string | null;
  readonly modifiedAt: string;
  /** Null, like the id, for posts to users and teams. */
  readonly parentType: string | null;
  readonly parentId: string | null;
  readonly parentName: string | null;
  readonly relatedType: string | null;
  readonly relatedId: string | null;
  readonly relatedName: string | null;
  readonly attachmentsIds: readonly AttributeValue[];
  readonly attachmentsNames: Readonly<Record<string, unknown>>;
  readonly attachmentsTypes: Readonly<Record<string, unknown>>;
  /** True if the author marked the post as internal. False for all other items. */
  readonly isInternal: boolean;
  /** The addressees of a post without a parent. Other items have none of these attributes. */
  readonly targetType?: string;
  readonly usersIds?: readonly AttributeValue[];
  readonly usersNames?: Readonly<Record<string, string | null>>;
  readonly teamsIds?: readonly AttributeValue[];
  readonly teamsNames?: Readonly<Record<string, string | null>>;
}

export interface StreamRequest extends Page {
  readonly withTotal: boolean;
  readonly filter: 'all' | 'posts' | 'updates';
  /** The lowest number to include. `below` is the exclusive upper bound. */
  readonly from: number;
  readonly below: number;
  readonly skipOwn: boolean;
  /** True: omits items from before the actor followed the record. */
  readonly sinceFollowed?: boolean;
}

export interface Stream extends PageOf<StreamItem> {
  readonly pinnedList: readonly StreamItem[];
}
