/** Returns a record without followers, which differ by reader and are not in events. */
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
