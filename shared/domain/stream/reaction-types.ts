/** The reactions that a post can get. */
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
