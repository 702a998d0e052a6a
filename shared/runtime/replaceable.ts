/** One thing that several may use at the same time, replaced by a new one after a failure. */
export interface Replaceable<Thing> {
  /** Opens it for the first who needs it. Where the work fails, what it used is closed, and never what came after that. */
  use<Answer>(work: (thing: Thing) => Promise<Answer>): Promise<Answer>;
  close(): Promise<void>;
}

interface Options<Thing> {
  readonly open: () => Promise<Thing>;
  /** What fails here is lost anyway. */
  readonly close: (thing: Thing) => Promise<void>;
}

export function createReplaceable<Thing>({ open, close }: Options<Thing>): Replaceable<Thing> {
  let current: Promise<Thing> | undefined;

  /** Whoever else fails with the same one later finds another in its place, which stays. */
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
