/**
 * Looks again after the directory has caught up, so that an entry that another instance wrote a moment ago is found.
 */
export async function soon<Found>(
  find: () => Found | undefined,
  catchUp: () => Promise<void>,
): Promise<Found | undefined> {
  await catchUp();
  return find();
}
