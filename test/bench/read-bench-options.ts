export interface BenchOptions {
  readonly names: readonly string[];
  readonly isQuick: boolean;
  readonly isReport: boolean;
}

const switches = ['--quick', '--report'];

/** Returns the parsed command line, or a sentence with the reason why it is invalid. */
export function readBenchOptions(
  args: readonly string[],
  known: readonly string[],
): BenchOptions | string {
  const unknown = args.find((arg) => !switches.includes(arg) && !known.includes(arg));
  if (unknown !== undefined) {
    return `Unknown bench "${unknown}". Benches: ${known.join(', ')}; options: ${switches.join(', ')}.`;
  }
  const named = args.filter((arg) => known.includes(arg));
  const names = named.length > 0 ? named : known;
  const isQuick = args.includes('--quick');
  const isReport = args.includes('--report');
  if (isReport && isQuick) {
    return 'The figures of a quick run mean little, and --report would replace the last real ones: leave out --quick or --report.';
  }
  if (isReport && known.some((name) => !names.includes(name))) {
    return `A report contains every bench, and --report would replace the last complete one with ${names.join(', ')} alone: leave out the names or --report.`;
  }
  return { names, isQuick, isReport };
}
