/** A record without who follows it: that differs by reader, and no event tells it. */
export function withoutFollowing(
  record: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const {
    isFollowed: _isFollowed,
    isStarred: _isStarred,
    followersIds: _followersIds,
    followersNames: _followersNames,
    ...others
  } = record;
  return others;
}
