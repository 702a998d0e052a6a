/** How users may react to a post. */
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
