/** A shared thing that is replaced by a new one after a failure. */
export interface Replaceable<Thing> {
  /** Opens it for the first user. If the work fails, the thing that it used is closed, never a newer one. */
  use<Answer>(work: (thing: Thing) => Promise<Answer>): Promise<Answer>;
  close(): Promise<void>;
}

interface Options<Thing> {
  readonly open: () => Promise<Thing>;
  /** Errors of closing do not matter: the thing is dropped anyway. */
  readonly close: (thing: Thing) => Promise<void>;
}

export function createReplaceable<Thing>({ open, close }: Options<Thing>): Replaceable<Thing> {
  let current: Promise<Thing> | undefined;

  /** Others that fail with the same thing later find a newer one in its place, which is kept. */
  async function drop(dropped: Promise<Thing> | undefined): Promise<void> {
    if (dropped === undefined || current !== dropped) return;
    current = undefined;
    const opened = await dropped.catch(() => undefined);
    if (opened !== undefined) await close(opened).catch(() => undefined);
  }

  return {
    async use(work) {
      current ??= open();
      const used = current;
      try {
        return await work(await used);
      } catch (error) {
        await drop(used);
        throw error;
      }
    },
    close: () => drop(current),
  };
}
