/** Again after the directory has caught up, so that what another instance wrote a moment ago counts here too. */
export async function soon<Found>(
  find: () => Found | undefined,
  catchUp: () => Promise<void>,
): Promise<Found | undefined> {
  await catchUp();
  return find();
}
