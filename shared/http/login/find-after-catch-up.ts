/** Waits for the directory to catch up and searches again, to find an entry that another instance has just written. */
export async function findAfterCatchUp<Found>(
  find: () => Found | undefined,
  catchUp: () => Promise<void>,
): Promise<Found | undefined> {
  await catchUp();
  return find();
}
