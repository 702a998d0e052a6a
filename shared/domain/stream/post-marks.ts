/** What users did with a post, as one of them sees it. No event of the post tells. */
export interface PostMarks {
  readonly isPinned: boolean;
  /** The number of users by type of reaction. */
  readonly reactionCounts: Readonly<Record<string, number>>;
  /** The reader's own reactions. */
  readonly myReactions: readonly string[];
}

/** Of a post that nobody pinned or reacted to, and of all other items of a stream. */
export const noMarks: PostMarks = { isPinned: false, reactionCounts: {}, myReactions: [] };
