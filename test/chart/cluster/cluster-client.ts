import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { parse } from 'yaml';
import { readProjectFile } from '../../contract/source-files.ts';
import type { LoadOutcome, LoadProgress } from './run-load.ts';

export const namespace = 'annals';

/** The image that the chart uses by default, without its repository. Every node of the cluster must have it. */
export const image = `annals:${parse(readProjectFile('infra/chart/Chart.yaml')).appVersion}`;

interface RunOptions {
  readonly cwd?: string;
  readonly input?: string;
}

/** Writes from a pod, through the Service. */
export interface ClusterLoad {
  acknowledged(): number;
  stop(): Promise<LoadOutcome>;
}

export interface Pod {
  readonly name: string;
  readonly component: string;
  readonly node: string;
  readonly ip: string;
  readonly restarts: number;
}

/** `prefix` are the words of ANNALS_CLUSTER: a command that runs another one, which reaches the cluster. */
export function createClusterClient(prefix: readonly string[]) {
  const inNamespace = ['kubectl', '--namespace', namespace];
  const run = async (command: readonly string[], options: RunOptions = {}): Promise<string> =>
    runToEnd([...prefix, ...command], options);
  const kubectl = async (...args: readonly string[]): Promise<string> =>
    run([...inNamespace, ...args]);

  return {
    run,
    kubectl,
    /** Creates or updates objects, YAML or JSON, in the namespace. */
    apply: async (objects: string): Promise<string> =>
      run([...inNamespace, 'apply', '--filename', '-'], { input: objects }),
    /** Runs lines of a document in a shell. Throws if they fail. */
    runLines: async (lines: string, cwd: string): Promise<string> =>
      run(
        [
          'bash',
          '-euo',
          'pipefail',
          '-c',
          `trap 'kill $(jobs -p) 2>/dev/null || :' EXIT\n${lines}`,
        ],
        {
          cwd,
        },
      ),
    /** Runs a program in a pod or a Deployment. */
    exec: async (target: string, ...command: readonly string[]): Promise<string> =>
      kubectl('exec', target, '--', ...command),
    /** Returns the pods of the release that are not stopping. */
    async pods(...components: readonly string[]): Promise<readonly Pod[]> {
      const selector = 'app.kubernetes.io/name=annals';
      const list: PodList = JSON.parse(
        await kubectl('get', 'pods', '--selector', selector, '--output', 'json'),
      );
      return list.items.flatMap(({ metadata, spec, status }) => {
        const component = metadata.labels['app.kubernetes.io/component'] ?? '';
        if (metadata.deletionTimestamp !== undefined || !components.includes(component)) return [];
        const restarts = status.containerStatuses?.[0]?.restartCount ?? 0;
        const { podIP: ip = '' } = status;
        return [{ name: metadata.name, component, node: spec.nodeName ?? '', ip, restarts }];
      });
    },
    startLoad: (url: string, apiKey: string): ClusterLoad => {
      const program = ['node', '/app/test/chart/cluster/run-load.ts', url, apiKey];
      return startLoad([...prefix, ...inNamespace, 'exec', '--stdin', 'client', '--', ...program]);
    },
  };
}

interface PodList {
  readonly items: readonly {
    readonly metadata: {
      readonly name: string;
      readonly labels: Readonly<Record<string, string>>;
      readonly deletionTimestamp?: string;
    };
    readonly spec: { readonly nodeName?: string };
    readonly status: {
      readonly podIP?: string;
      readonly containerStatuses?: readonly { readonly restartCount: number }[];
    };
  }[];
}

function startLoad([program = '', ...args]: readonly string[]): ClusterLoad {
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe'] });
  let progress: LoadProgress = { acknowledged: 0 };
  let outcome: LoadOutcome | undefined;
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk.toString();
  });
  createInterface({ input: child.stdout }).on('line', (line) => {
    const parsed: LoadProgress | LoadOutcome = JSON.parse(line);
    if ('writes' in parsed) outcome = parsed;
    else progress = parsed;
  });
  const ended = new Promise<unknown>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  return {
    acknowledged: () => progress.acknowledged,
    async stop() {
      child.stdin.end();
      const code = await ended;
      if (outcome === undefined) throw new Error(`The load ended with ${code}:\n${errors}`);
      return outcome;
    },
  };
}

async function runToEnd(
  [program = '', ...args]: readonly string[],
  { cwd, input = '' }: RunOptions,
): Promise<string> {
  const child = spawn(program, args, { cwd, stdio: ['pipe', 'pipe', 'pipe'] });
  const output: Buffer[] = [];
  let errors = '';
  child.stdout.on('data', (chunk: Buffer) => output.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk.toString();
  });
  // A program that ends early breaks the pipe; its exit code is reported below.
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const code = await new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  const text = Buffer.concat(output).toString();
  if (code === 0) return text;
  throw new Error(`${[program, ...args].join(' ')} ended with ${code}:\n${errors}${text}`);
}
