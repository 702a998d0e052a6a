/** Reports the progress of a long operation to a person or a program. */
export interface ProgressDisplay {
  update(progress: { readonly done: number; readonly total: number }): void;
  /** Ends the line that is being redrawn. */
  finish(): void;
}

/** Runs `work` and shows its progress. `work` reports each increment through a callback. */
export async function countProgress<Result>(
  shown: ProgressDisplay,
  total: number,
  work: (add: (more: number) => void) => Promise<Result>,
): Promise<Result> {
  let done = 0;
  try {
    return await work((more) => {
      done += more;
      shown.update({ done, total });
    });
  } finally {
    shown.finish();
  }
}

interface Output {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

const REDRAW_MS = 200;
const PLAIN_LINE_MS = 5_000;

/** Redraws one line on a terminal, and prints separate lines elsewhere, as JSON if requested. */
export function createProgress(
  output: Output,
  { what, isJson, now = Date.now }: { what: string; isJson: boolean; now?: () => number },
): ProgressDisplay {
  const isRedrawn = output.isTTY === true && !isJson;
  const everyMs = isRedrawn ? REDRAW_MS : PLAIN_LINE_MS;
  const startedAt = now();
  let first: number | undefined;
  // Short operations print nothing to logs.
  let drawnAt = isRedrawn || isJson ? 0 : startedAt;
  let isOpen = false;
  return {
    update({ done, total }) {
      first ??= done;
      const time = now();
      if (time - drawnAt < everyMs) return;
      drawnAt = time;
      const perSecond = Math.round((done - first) / Math.max((time - startedAt) / 1000, 0.001));
      if (isJson) {
        output.write(`${JSON.stringify({ progress: what, done, total, perSecond })}\n`);
        return;
      }
      const line = toLine(what, { done, total, perSecond });
      output.write(isRedrawn ? `\r${line}\x1b[K` : `${line}\n`);
      isOpen = isRedrawn;
    },
    finish() {
      if (isOpen) output.write('\n');
      isOpen = false;
    },
  };
}

/** Formats a line such as `Rebuilding: 120,000 of 1,000,000 (12 %), 61,000/s, 14 s left`. */
function toLine(
  what: string,
  { done, total, perSecond }: Readonly<Record<'done' | 'total' | 'perSecond', number>>,
): string {
  const share = total === 0 ? 100 : Math.floor((100 * done) / total);
  const left = perSecond > 0 ? `, ${Math.ceil((total - done) / perSecond)} s left` : '';
  const figure = (number: number): string => number.toLocaleString('en-US');
  return `${what}: ${figure(done)} of ${figure(total)} (${share} %), ${figure(perSecond)}/s${left}`;
}
