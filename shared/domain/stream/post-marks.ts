/** Pins and reactions of a post, as seen by one user. They are not part of the post's events. */
export interface PostMarks {
  readonly isPinned: boolean;
  /** The number of users per type of reaction. */
  readonly reactionCounts: Readonly<Record<string, number>>;
  /** The reader's own reactions. */
  readonly myReactions: readonly string[];
}

/** The marks of posts without pins and reactions, and of all other stream items. */
export const noMarks: PostMarks = { isPinned: false, reactionCounts: {}, myReactions: [] };

/** The available reactions to posts. */
export const reactionTypes: readonly string[] = [
  'Smile',
  'Surprise',
  'Laugh',
  'Meh',
  'Love',
  'Like',
  'Dislike',
  'Sad',
];
