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
