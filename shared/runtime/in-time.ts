import { Unavailable } from '../domain/errors.ts';

/** Returns the result of `work`; throws Unavailable with the message if it takes too long. */
export async function inTime<Result>(
  work: Promise<Result>,
  ms: number,
  message = 'the change is in the log but not readable yet',
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
