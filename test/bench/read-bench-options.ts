export interface BenchOptions {
  readonly names: readonly string[];
  readonly isQuick: boolean;
  readonly isReport: boolean;
}

const switches = ['--quick', '--report'];

/** What a command line asks for, or the sentence that says why it cannot be done. */
export function readBenchOptions(
  args: readonly string[],
  known: readonly string[],
): BenchOptions | string {
  const unknown = args.find((arg) => !switches.includes(arg) && !known.includes(arg));
  if (unknown !== undefined) {
    return `There is no bench "${unknown}": ${known.join(', ')}; ${switches.join(', ')}.`;
  }
  const named = args.filter((arg) => known.includes(arg));
  const names = named.length > 0 ? named : known;
  const isQuick = args.includes('--quick');
  const isReport = args.includes('--report');
  if (isReport && isQuick) {
    return 'The figures of a quick run mean little, and --report would put them in the place of the last real ones: leave out --quick or --report.';
  }
  if (isReport && known.some((name) => !names.includes(name))) {
    return `A report holds every bench, and --report would put ${names.join(', ')} alone in the place of the last whole one: leave out the names or --report.`;
  }
  return { names, isQuick, isReport };
}
