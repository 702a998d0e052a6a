export interface BenchOptions {
  readonly names: readonly string[];
  readonly isQuick: boolean;
  readonly isReport: boolean;
  /** The commit with which `cost` compares these sources. */
  readonly against?: string;
}

const switches = ['--quick', '--report'];

/** Returns the parsed command line, or a sentence with the reason why it is invalid. */
export function readBenchOptions(
  line: readonly string[],
  known: readonly string[],
): BenchOptions | string {
  const { args, against } = takeAgainst(line);
  if (against === '') return '--against needs a commit: cost --against <commit>.';
  const unknown = args.find((arg) => !switches.includes(arg) && !known.includes(arg));
  if (unknown !== undefined) {
    return `Unknown bench "${unknown}". Benches: ${known.join(', ')}; options: ${switches.join(', ')}, --against <commit> (for cost).`;
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
  if (against !== undefined && names.some((name) => name !== 'cost')) {
    return '--against compares processor times, which only the bench cost measures: npm run bench -- cost --against <commit>.';
  }
  return { names, isQuick, isReport, ...(against === undefined ? {} : { against }) };
}

/** `against` is empty if its commit is missing. */
function takeAgainst(line: readonly string[]): {
  readonly args: readonly string[];
  readonly against: string | undefined;
} {
  const at = line.indexOf('--against');
  if (at === -1) return { args: line, against: undefined };
  return { args: line.toSpliced(at, 2), against: line[at + 1] ?? '' };
}
