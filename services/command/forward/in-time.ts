import { Unavailable } from '../../../shared/domain/errors.ts';

/** What becomes of the work, unless `ms` pass before: then its caller is told why, and the work goes on. */
export async function inTime<Result>(
  work: Promise<Result>,
  ms: number,
  message: string,
): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Unavailable(message)), Math.max(0, ms));
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
