export function median(numbers: readonly number[]): number {
  return percentile(numbers, 0.5);
}

/** The smallest number that `share` of them do not exceed; 0 for none. */
export function percentile(numbers: ArrayLike<number>, share: number): number {
  const sorted = Float64Array.from(numbers).sort();
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
}

/** Of a field of every round. */
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
