export function median(numbers: readonly number[]): number {
  return percentile(numbers, 0.5);
}

/** Returns the smallest number that at least `share` of the numbers do not exceed; 0 for an empty list. */
export function percentile(numbers: ArrayLike<number>, share: number): number {
  const sorted = Float64Array.from(numbers).sort();
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
}

/** Returns the median of a field over all rounds. */
export function medianOf<Round>(
  rounds: readonly Round[],
  read: (round: Round) => number,
  digits = 0,
): number {
  return rounded(median(rounds.map(read)), digits);
}

export function rounded(number: number, digits = 0): number {
  return Number(number.toFixed(digits));
}
