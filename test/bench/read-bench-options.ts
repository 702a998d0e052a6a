export interface BenchOptions {
  readonly names: readonly string[];
  readonly isQuick: boolean;
  readonly isReport: boolean;
  /** The commit with which `cost` compares these sources. */
  readonly against?: string;
  /** The number of Contacts that `cost` stores before it measures. */
  readonly records?: number;
}

const switches = ['--quick', '--report'];
const MOST_RECORDS = 10_000_000;

/** Returns the parsed command line, or a sentence with the reason why it is invalid. */
export function readBenchOptions(
  line: readonly string[],
  known: readonly string[],
): BenchOptions | string {
  const cost = readCostOptions(line);
  if (typeof cost === 'string') return cost;
  const { args, ...options } = cost;
  const unknown = args.find((arg) => !switches.includes(arg) && !known.includes(arg));
  if (unknown !== undefined) {
    return `Unknown bench "${unknown}". Benches: ${known.join(', ')}; options: ${switches.join(', ')}, --against <commit>, --records <number> (for cost).`;
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
  const [option] = Object.keys(options);
  if (option !== undefined && names.some((name) => name !== 'cost')) {
    return `--${option} is an option of the bench cost, the only one that measures processor times: npm run bench -- cost --${option} <value>.`;
  }
  return { names, isQuick, isReport, ...options };
}

type CostOptions = Pick<BenchOptions, 'against' | 'records'> & { readonly args: readonly string[] };

function readCostOptions(line: readonly string[]): CostOptions | string {
  const { args: others, value: against } = takeOption(line, '--against');
  if (against === '') return '--against needs a commit: cost --against <commit>.';
  const { args, value } = takeOption(others, '--records');
  const records = Number(value ?? 1);
  if (!Number.isInteger(records) || records < 1 || records > MOST_RECORDS) {
    return `--records needs a number from 1 to ${MOST_RECORDS.toLocaleString('en')}: cost --records 1000000.`;
  }
  return {
    args,
    ...(against === undefined ? {} : { against }),
    ...(value === undefined ? {} : { records }),
  };
}

/** `value` is empty if the command line ends with the option. */
function takeOption(
  line: readonly string[],
  name: string,
): { readonly args: readonly string[]; readonly value: string | undefined } {
  const at = line.indexOf(name);
  if (at === -1) return { args: line, value: undefined };
  return { args: line.toSpliced(at, 2), value: line[at + 1] ?? '' };
}
