/** A shared resource that is replaced by a new one after a failure. */
export interface Replaceable<Resource> {
  /** Opens the resource for the first user. If `work` fails, the resource that it used is closed, never a newer one. */
  use<Answer>(work: (thing: Resource) => Promise<Answer>): Promise<Answer>;
  close(): Promise<void>;
}

interface Options<Resource> {
  readonly open: () => Promise<Resource>;
  /** Errors are ignored: the resource is dropped anyway. */
  readonly close: (thing: Resource) => Promise<void>;
}

export function createReplaceable<Resource>({
  open,
  close,
}: Options<Resource>): Replaceable<Resource> {
  let current: Promise<Resource> | undefined;

  /**
   * When another user of the same resource fails later, a newer resource may already have replaced it. The newer one is
   * kept.
   */
  async function drop(dropped: Promise<Resource> | undefined): Promise<void> {
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
